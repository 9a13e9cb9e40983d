"""When something breaks, the person gets a sentence, the host a log line with context, and the bot goes on."""

from playground.people import Person
from tests.people import position_of, tap_cell
from tests.world import World

WORDS_OF_PROGRAMS = ("Traceback", "Error", "Exception", "sqlite", "None", "KeyError", '"', "File")


DAMAGES = (
    "moves = '00'",
    "rules = 'round'",
    "moves = '03142'",
    "termination = 'line', winner = 'X'",
)


async def test_a_game_that_does_not_replay_is_reported_and_never_half_shown(oxo: World, ann: Person) -> None:
    for damage in DAMAGES:
        board = await ann.ask("/newgame medium")
        game = oxo.value("SELECT max(id) FROM games")
        oxo.sql(f"UPDATE games SET {damage} WHERE id = {game}")  # noqa: S608 - our own words
        before = (board.text, board.keyboard, board.revision)
        for cell in (0, 8):
            answer = await ann.tap(board, row=cell // 3, column=cell % 3)
            assert answer.text, damage
            assert not any(word in answer.text for word in WORDS_OF_PROGRAMS)
        await oxo.has_answered(ann.private, ann)
        assert (board.text, board.keyboard, board.revision) == before, damage
        assert any(f"game {game}" in line for line in oxo.logged().splitlines() if "ERROR" in line), damage
    sound = await ann.ask("/newgame medium")
    await tap_cell(ann, sound, 4)
    assert "Traceback" not in oxo.logged()


async def test_a_game_that_cannot_be_read_is_told_at_a_command_as_at_a_tap(oxo: World, ann: Person) -> None:
    board = await ann.ask("/newgame medium")
    oxo.sql("UPDATE games SET moves = '!'")
    for said in ("/undo", "/hint", "/move 5", "/resign", "/board", "5", "hint"):
        answer = await ann.ask(said, reply_to=board)
        assert answer.text == "Sorry, I can't open this game any more. Send /newgame to start a new game.", said
    assert "Traceback" not in oxo.logged()
    assert "set aside" not in oxo.logged()


async def test_a_fault_of_the_bots_own_is_told_in_a_sentence_or_an_answer_and_logged_once(
    oxo: World, ann: Person
) -> None:
    await ann.ask("/first bot")
    oxo.sql("UPDATE chats SET level = 'gone'")
    answer = await ann.ask("/newgame")
    assert "wrong" in answer.text
    assert answer.labels == []
    assert not any(word in answer.text for word in WORDS_OF_PROGRAMS)
    log = oxo.logged()
    assert log.count("Traceback") == 1
    assert "update_id=" in log
    assert "Ann" not in log
    board = await ann.ask("/newgame easy me")
    assert position_of(board).ply == 0
    oxo.sql("UPDATE games SET o_level = 'gone'")
    assert "wrong" in ((await ann.tap(board, row=0, column=0)).text or "")
    assert position_of(board).ply == 0
    assert oxo.logged().count("Traceback") == 2
