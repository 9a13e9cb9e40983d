"""The bot ends and starts again, is renamed, and plays through a proxy; games, choices and the order survive."""

import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest

from playground import Playground
from playground.groups import Group
from playground.people import Person
from tests.people import begun, data_of, is_board, plain, position_of, put, tap_cell
from tests.processes import Processes
from tests.relays import FAR, HOST, PASSWORD, QUOTED, Certificates, Relay, listening
from tests.world import World


async def test_a_signal_ends_the_bot_in_time_while_telegram_hangs_and_the_computer_thinks(
    process: Processes,
) -> None:
    """Nothing that it accepted is lost, and the search ends with it."""
    await process.start()
    ann, faults = process.playground.people["ann"], process.playground.faults
    quick, long = await ann.ask("/newgame medium"), await ann.ask("/newgame 5x5 perfect")
    await ann.tap(long, row=0, column=0)
    await long.until(lambda message: "Your turn" in message.text and message.revision > 0)
    (bot,) = process.processes
    assert bot is not None
    (worker,) = [
        child for child in psutil.Process(bot.pid).children() if "spawn_main" in " ".join(child.cmdline())
    ]
    worker.suspend()
    await ann.tap(long, row=4, column=4)
    await long.until(lambda message: "OXO is thinking" in message.text)
    hangs = [faults.add(kind="delay", delay=40), faults.add(kind="delay", delay=40, method="getUpdates")]
    for cell in (4, 0, 8):
        ann.press(quick, data_of(quick, cell))
    await process.playground.telegram.changes.until(lambda: hangs[0].struck or None, 60, lambda: "a call")
    assert await process.stop(signal.SIGINT) == 0, "within the ten seconds that `stop` allows"
    worker.wait(60)
    with closing(sqlite3.connect(process.database)) as database:
        ((due,),) = database.execute("SELECT due_at FROM games WHERE rules = '5x5x4'").fetchall()
    assert due <= time.time(), "the search was handed over, and waits for no deadline"
    faults.clear()
    await process.start()
    await quick.until(lambda message: position_of(message).ply == 2, within=60)
    await long.until(lambda message: "Your turn" in message.text, within=60)
    assert "Traceback" not in process.logged()


async def test_nobody_loses_on_time_while_telegram_cannot_be_reached(
    oxo: World, ann: Person, bo: Person, group: Group
) -> None:
    challenge = await ann.ask("/challenge 30s me", in_=group)
    await bo.tap(challenge, "Accept")
    await challenge.until(lambda message: "turn" in message.text)
    fault = oxo.playground.faults
    for method in ("getUpdates", "editMessageText", "sendMessage"):
        fault.add(kind="answer_before", status=502, body=b"Bad Gateway", method=method)
    for _ in range(60):
        await oxo.skip(10, heard=False)
    fault.clear()
    for _ in range(9):
        await oxo.skip(3, heard=False)
    board = await oxo.comes(group, challenge, is_board)
    assert oxo.newest().game.termination is None
    await tap_cell(ann if "Ann" in board.text.partition("turn")[0] else bo, board, 4)
    assert position_of(board).ply == 1


async def test_a_game_is_played_through_a_proxy_by_tls_and_the_log_shows_no_password(tmp_path: Path) -> None:
    certificates = Certificates(tmp_path)
    async with Playground() as playground:
        front = Relay(urlsplit(playground.url).port or 0)
        async with listening(front.lead, certificates.context) as by_tls:
            relay = Relay(by_tls)
            async with listening(relay.speak_http) as proxy:
                settings = {
                    "BOT_API_URL": f"https://{FAR}",
                    "SSL_CERT_FILE": str(certificates.file),
                    "LOG_LEVEL": "DEBUG",
                    "HTTPS_PROXY": f"http://{QUOTED}@{HOST}:{proxy}",
                }
                async with Processes(playground, tmp_path, settings=settings) as process:
                    ann = playground.people["ann"]
                    await tap_cell(ann, board := await ann.ask("/newgame"), 4)
                    assert position_of(board).ply == 2
                    assert await process.stop() == 0
    assert all(FAR in destination for destination in relay.heard)
    log = process.logged()
    told = [word for word in (PASSWORD, QUOTED, playground.token.partition(":")[2]) if word in log]
    assert not told
    assert "Traceback" not in log


# In this process.


async def test_a_bot_that_is_renamed_while_it_runs_answers_by_its_new_name_within_the_hour(
    oxo: World, ann: Person
) -> None:
    """Its host may do that in BotFather at any time. Telegram delivers commands for the new name from then on."""
    group = oxo.playground.add_group("Names", [ann])
    oxo.playground.bot.username = "renamed_oxo_bot"
    await oxo.skip(hours=1)
    assert "OXO (easy)" in (await ann.ask("/newgame@renamed_oxo_bot easy", in_=group)).text
    assert "https://t.me/renamed_oxo_bot?start=" in (await ann.ask("/challenge")).text


# What waited for the bot.


@pytest.mark.parametrize("settings", [{"MOVE_TTL": "9s"}])
async def test_a_move_that_was_made_in_time_while_the_bot_was_away_is_not_lost_on_time(oxo: World) -> None:
    ann, bo, cem = (oxo.playground.people[name] for name in ("ann", "bo", "cem"))
    group = oxo.playground.groups["noughts"]
    board = await begun(ann, bo, group, "me")
    await oxo.skip(7)
    board = await oxo.comes(group, board, lambda message: "Time's running out" in message.text)
    oxo.kill()
    for _ in range(30):  # so many that handling them takes a while
        await cem.say("/move 1", in_=group, reply_to=board)
    ann.press(board, data_of(board, 4))
    await oxo.skip(4)  # past the deadline
    await oxo.serve()
    await oxo.until(lambda: position_of(board).ply == 1)
    assert "ran out of time" not in plain(board)
    await put(bo, board, 0)
