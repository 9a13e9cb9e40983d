"""The message of a cup: who has joined, the table, and who plays whom."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final

from bot.boards import names
from bot.boards.buttons import Menu
from bot.boards.players import nobody
from bot.boards.rules import rules_name
from bot.boards.translations import sentences
from bot.boards.view import MARKS, Key, View, keyboard
from bot.boards.wording import clock_line
from bot.game.choices import CarriedId, Small, matching
from bot.game.cups import ALL_PLAY_ALL, ALONE_FROM, AT_ONCE, FEWEST_IN, MOST_IN, current_round, rankings
from bot.language import _
from engine import Mark
from storage.people.person import CupGame, CupResult, CupStage, CupState


class InCup(Menu, word="cup", as_chat=True):
    """Joins, leaves, starts or cancels a cup."""

    cup: CarriedId
    wish: Annotated[str, matching("join|leave|start|cancel")]


class LeaveCup(Menu, word="cupleave"):
    """Leaves a cup that has started: the answer to a question of that player."""

    cup: CarriedId
    player: Small


SCORES: Final = {
    CupResult.X: "1–0",
    CupResult.O: "0–1",
    CupResult.DRAW: "½–½",
    CupResult.NOBODY: "0–0",
}


def cup_view(state: CupState, called: Mapping[int, str], link: str, champions: Sequence[str] = ()) -> View:
    """A cup as it is now, below which a `link` brings its games to private chats.

    `called` has the names of its people, by id, and the `champions` are those of the cup before.
    """
    cup = state.cup
    head = [_("🏆 <b>Cup</b> · {board}").format(board=rules_name(cup.rules)), clock_line(cup.clock) or ""]
    if champions and cup.stage is not CupStage.OVER:
        head.append(defending(champions))
    head.append("")
    shown = {player.number: _name(called, player.person) for player in state.players}
    if cup.stage is CupStage.OPEN:
        said = _(
            "Join with the button or <code>/cup join</code>. Whoever joined first or an admin starts the cup with "
            "{fewest} to {most} people. With {alone} it starts by itself, ten minutes after it was announced."
        ).format(fewest=FEWEST_IN, most=MOST_IN, alone=ALONE_FROM)
        said = sentences(said, _("<code>/cup cancel</code> calls it off."))
        joined = [f"{place}. {name}" for place, name in enumerate(shown.values(), 1)]
        rows = [
            [Key(_("Join"), InCup(cup.id, "join"), "primary"), Key(_("Leave the cup"), InCup(cup.id, "leave"))]
        ]
        rows.append([Key(_("Start"), InCup(cup.id, "start"), "success")])
        return View("\n".join([*head, *joined, *([""] if joined else []), said]), keyboard(rows))
    lines = [*head, *_table(state, shown), ""]
    if cup.stage is CupStage.OVER:
        return View("\n".join([*lines, won(state, called)]).rstrip())
    number = current_round(state)
    head_of = _("Round {number} of {count}").format(number=number, count=cup.rounds)
    lines.append(f"<b>{head_of}</b>")
    is_short = len(state.players) <= ALL_PLAY_ALL
    lines += [_game(game, shown) for game in state.games if is_short or game.round == number]
    rest = _("Up to {count} games run at a time; the next ones start as these end.").format(count=AT_ONCE)
    here = _("<b>Play here</b> brings your games to our private chat, as /cup does there.")
    leaving = _("To leave, send <code>/cup leave</code>.")
    text = "\n".join([*lines, "", sentences(rest, here, leaving)])
    return View(text, keyboard([[Key(_("Play here"), link)]]))


def defending(champions: Sequence[str]) -> str:
    """Who has won a group's last cup, by name."""
    told = _("Defending champion: {name}") if len(champions) == 1 else _("Defending champions: {name}")
    return told.format(name=", ".join(names.shown(each, _("Player")) for each in champions))


def won(state: CupState, called: Mapping[int, str]) -> str:
    """The line about a cup's winners; empty if all of them were forgotten since."""
    if not (winners := state.champions):
        nobody_left = all(player.is_out for player in state.players)
        return _("Nobody stayed and played, so nobody wins this cup.") if nobody_left else ""
    told = _("🏆 <b>{name}</b> wins the cup!") if len(winners) == 1 else _("🏆 <b>{name}</b> share the cup!")
    return told.format(name=", ".join(_name(called, winner.person) for winner in winners))


def _name(called: Mapping[int, str], person: int) -> str:
    return names.shown(called.get(person), nobody(person))


def _table(state: CupState, shown: Mapping[int, str]) -> Sequence[str]:
    rows = []
    for line in rankings(state):
        name, whole = shown[line.player.number], line.points // 2
        points = f"{whole or ''}½" if line.points % 2 else whole
        rows.append(f"{line.place}. {f'<s>{name}</s>' if line.player.is_out else name} · {points}")
    return rows


def _game(game: CupGame, shown: Mapping[int, str]) -> str:
    if game.o is None:
        return _("{name} has a bye").format(name=shown[game.x])
    result = SCORES.get(game.result) if game.result else None
    state = result or ("…" if game.game_id is None else "▶")
    return f"{MARKS[Mark.X]} {shown[game.x]} – {MARKS[Mark.O]} {shown[game.o]} · {state}"
