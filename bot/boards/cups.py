"""The message of a cup: who has joined, then the table with the games of a round, at last the podium."""

import time
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Final, NamedTuple

from bot.boards import names
from bot.boards.buttons import Menu
from bot.boards.cells import WIDE_SPACE, emoji_grid
from bot.boards.players import nobody
from bot.boards.rules import rules_name
from bot.boards.translations import NO_BREAK_SPACE, in_order, listed, sentences, versus
from bot.boards.view import Key, View, keyboard, sending
from bot.boards.wording import clock_line
from bot.game.choices import CarriedId, Small, matching
from bot.game.cups import FEWEST_IN, CupStanding, awaited_by, current_round, longest_played, rankings
from bot.game.deadlines import is_awaited_in_cup
from bot.language import N_, _, is_right_to_left, n_
from storage.columns import DAY
from storage.games.game import Game, Termination, is_erased
from storage.people.person import CupGame, CupPlayer, CupResult, CupStage, CupState


class InCup(Menu, word="cup", as_chat=True):
    """Joins, leaves, starts or cancels a cup, says its rules, or holds the next one by the same."""

    cup: CarriedId
    wish: Annotated[str, matching("join|leave|start|cancel|rules|again")]


class LeaveCup(Menu, word="cupleave"):
    """Leaves a cup that has started: the answer to a question of that player."""

    cup: CarriedId
    player: Small


CUP_LINK: Final = "cup"
"""The start parameter of the link below a cup's message, which brings its games to the private chat."""

SCORES: Final = {
    CupResult.X: "1–0",
    CupResult.O: "0–1",
    CupResult.DRAW: "½–½",
    CupResult.NOBODY: "0–0",
}

PODIUM: Final = {1: "🥇", 2: "🥈", 3: "🥉"}
MOST_ROWS: Final = 24
"""The most rows of cells that are drawn, about as many as a phone shows."""
MOST_ABREAST: Final = 17.0
"""How wide two boards side by side may be with their names, in widths of a wide letter, to fit on a phone."""

DROPPED: Final = N_("Too few people joined, so there's no cup this time. Send /cup to start a new one.")
CANCELLED: Final = N_("This cup was called off. Send /cup to start a new one.")
HOW_IT_GOES: Final = N_(
    "Up to six people: everybody plays everybody. More: a few rounds against people with about as many "
    "points as you. A win is 1 point, a draw ½. You play in our private chat. /cup {cancel} calls it off."
)


class Shown(NamedTuple):
    """A cup as its message shows it."""

    state: CupState
    called: Mapping[int, str]
    """The names of its people, by id."""
    games: Mapping[int, Game]
    """The games that run, or that its champion has won, by their numbers in it."""
    until: Mapping[int, int]
    """Until when somebody is waited for, by the number of the game."""
    theme: str | None = None
    defending: Sequence[str] = ()
    """Who has won the last one, by name."""
    elsewhere: Collection[int] = ()
    """The people whose next game waits, as their clock runs in another."""

    def name(self, number: int) -> str:
        """A player's name, as HTML."""
        person = self._person(number)
        return names.shown(self.called.get(person), nobody(person))

    def mention(self, number: int) -> str:
        """The name, as a link to its person."""
        person = self._person(number)
        return self.name(number) if is_erased(person) else names.linked(self.name(number), person)

    def _person(self, number: int) -> int:
        return next(player.person for player in self.state.players if player.number == number)

    def pair(self, game: CupGame) -> str:
        return versus(self.mention(game.x), self.mention(game.x if game.o is None else game.o))


def cup_view(shown: Shown, username: str) -> View:
    """A cup as it is now; `username` is the bot's, for links to it."""
    match shown.state.cup.stage:
        case CupStage.OPEN:
            return _invitation(shown)
        case CupStage.RUNNING:
            link = Key(_("My game ↗"), f"https://t.me/{username}?start={CUP_LINK}")
            return View(_round(shown), keyboard([[link]]))
        case CupStage.OVER if not shown.state.cup.rounds:
            return View(_(DROPPED if len(shown.state.players) < FEWEST_IN else CANCELLED))
    podium = "\n".join([won(shown), *_places(shown)]).rstrip()
    again = Key(_("Next cup"), InCup(shown.state.cup.id, "again"), "primary")
    send = sending(_("Send ↗"), f"https://t.me/{username}?startgroup={CUP_LINK}", View(podium).plain)
    return View("\n".join([podium, *_best(shown)]), keyboard([[again, send]]))


def defending(champions: Sequence[str]) -> str:
    """Who has won a group's last cup, by name."""
    told = _("Defending champion: {name}") if len(champions) == 1 else _("Defending champions: {name}")
    return told.format(name=listed(names.shown(each, _("Player")) for each in champions))


def clock_time(at: int) -> str:
    """A time of day, which each app shows as it is where the reader lives; an old one shows it in UTC."""
    when = time.gmtime(at)
    return f'<tg-time unix="{at}" format="t">{when.tm_hour:02}:{when.tm_min:02} UTC</tg-time>'


# Before it starts.


def _invitation(shown: Shown) -> View:
    cup = shown.state.cup
    head = _("🏆 <b>Cup</b> · {board}").format(board=rules_name(cup.rules))
    joined = listed(shown.name(player.number) for player in shown.state.players) if shown.state.players else ""
    lines = [f"{head} · {clock_line(cup.clock)}"]
    if shown.defending:
        lines.append(defending(shown.defending))
    lines += [_("<b>Who's in?</b> {names}").format(names=joined).rstrip(), starts_line(shown)]
    rows = [
        [Key(_("Join"), InCup(cup.id, "join"), "primary"), Key(_("Leave"), InCup(cup.id, "leave"))],
        [Key(_("Start"), InCup(cup.id, "start"), "success"), Key("⋯", InCup(cup.id, "rules"))],
    ]
    return View("\n".join(lines), keyboard(rows))


def starts_line(shown: Shown) -> str:
    """How many people it still takes, and when the cup starts."""
    state = shown.state
    # Nobody has the number 0 whose cup an anonymous administrator holds, or a plan.
    name = shown.name(0) if any(player.number == 0 for player in state.players) else _("an admin")
    missing = FEWEST_IN - len(state.players)
    if state.cup.starts_at is not None:
        starts = _("Starts at {time}, or when {name} says so.").format(
            time=clock_time(state.cup.starts_at), name=name
        )
    elif missing > 0:
        starts = _("Starts when {name} says so.").format(name=name)
    else:
        starts = _("Starts when {name} says so, or by itself once one more person joins.").format(name=name)
    if missing > 0:
        more = n_("{count} more person needed.", "{count} more people needed.", missing).format(count=missing)
        return sentences(more, starts)
    return starts


# While it goes on.


def _round(shown: Shown) -> str:
    state, number = shown.state, current_round(shown.state)
    head = _("🏆 <b>Round {number} of {count}</b> · {board}")
    head = head.format(number=number, count=state.cup.rounds, board=rules_name(state.cup.rules))
    if (longest := longest_played(state)) < DAY:
        until = _("until {time}").format(time=clock_time(state.cup.created_at + longest))
        head = f"{head} · {until}"
    running = state.running.values()
    played = [game for game in running if not _is_awaited(shown, game)]
    games = [game for game in state.games if game.round == number]
    ended = [game for game in games if game.result is not None and game.o is not None]
    later = [_later(shown, game) for game in games if game.result is None and game.game_id is None]
    playing = {each for game in games if game.o is not None for each in (game.x, game.o)}
    resting = [each.number for each in state.players if not each.is_out and each.number not in playing]
    byes = [_("{name} sits this round out").format(name=shown.name(each)) for each in resting]
    waiting = [_waiting(shown, game) for game in running if _is_awaited(shown, game)]
    results = [f"✓ {shown.pair(game)} {SCORES[game.result]}" for game in ended if game.result in SCORES]
    return "\n".join([head, *_table(shown), "", *_boards(shown, played), *waiting, *results, *later, *byes])


def _later(shown: Shown, game: CupGame) -> str:
    both = [player for player in shown.state.players if player.number in (game.x, game.o)]
    busy = next((player.number for player in both if player.person in shown.elsewhere), None)
    if busy is None:
        return f"… {shown.pair(game)}"
    said = _("⏳ {game}: {name} is playing elsewhere")
    return said.format(game=shown.pair(game), name=shown.name(busy))


def _is_awaited(shown: Shown, game: CupGame) -> bool:
    """Whether somebody is still to come to a running game."""
    return game.number not in shown.games or is_awaited_in_cup(shown.games[game.number])


def _waiting(shown: Shown, game: CupGame) -> str:
    if (played := shown.games.get(game.number)) is None:
        return f"⏳ {shown.pair(game)}"
    name = names.shown(played.name(played.turn), nobody(played.seat(played.turn)))
    if (until := shown.until.get(game.number)) is None:
        said = _("⏳ {game}: waiting for {name}")
        return said.format(game=shown.pair(game), name=name)
    said = _("⏳ {game}: waiting for {name}, until {time}")
    return said.format(game=shown.pair(game), name=name, time=clock_time(until))


def _points(halves: int) -> str:
    if not halves % 2:
        return str(halves // 2)
    shown = f"{halves // 2 or ''}½"
    # Where lines run from right to left, ½ would come before its number (UAX #9).
    return f"\u2066{shown}\u2069" if is_right_to_left() else shown


def _is_on_podium(line: CupStanding) -> bool:
    return line.place in PODIUM and not line.player.is_out


def _table(shown: Shown) -> Sequence[str]:
    """Everybody with their points, on a line that a phone breaks between two; nothing before a game has ended.

    The points are bold, as no name can be.
    """
    lines = rankings(shown.state)
    if not any(game.result is not None and game.o is not None for game in shown.state.games):
        return ()
    entries = []
    for line in lines:
        name = shown.name(line.player.number)
        name = f"<s>{name}</s>" if line.player.is_out else name
        medal = f"{PODIUM[line.place]} " if line.points and _is_on_podium(line) else ""
        entries.append(f"{medal}{name} <b>{_points(line.points)}</b>".replace(" ", NO_BREAK_SPACE))
    return ["  ".join(entries)]


def _boards(shown: Shown, games: Sequence[CupGame]) -> Iterable[str]:
    """The games that are under way with their boards: two side by side where that fits on a phone."""
    blocks, rows = [], 0
    for game in games:
        position = shown.games[game.number].position
        cells = emoji_grid(position, shown.theme, over=True).split("\n")
        rows += len(cells)
        blocks.append((f"▶ {shown.pair(game)}", cells if rows <= MOST_ROWS else []))
    while blocks:
        (head, cells), *blocks = blocks
        if blocks and not is_right_to_left() and _fits(head, cells, *blocks[0]):
            (other, others), *blocks = blocks
            width = max(map(_width, (head, *cells)))
            yield _padded(head, width) + other
            yield from (_padded(one, width) + two for one, two in zip(cells, others, strict=True))
        else:
            yield head
            yield from filter(None, in_order("\n".join(cells)).split("\n"))


def _fits(head: str, cells: Sequence[str], other: str, others: Sequence[str]) -> bool:
    both = max(map(_width, (head, *cells))) + 1 + max(map(_width, (other, *others)))
    return bool(cells) and len(cells) == len(others) and both <= MOST_ABREAST


def _padded(text: str, width: float) -> str:
    return text + WIDE_SPACE * (1 + round(width - _width(text)))


def _width(text: str) -> float:
    """About how wide a line of HTML is, in widths of a wide letter: phones have no letters of one width."""
    shown = [letter for letter in View(text).plain if unicodedata.category(letter) not in {"Cf", "Mn"}]
    wide = [unicodedata.east_asian_width(letter) in {"W", "F"} for letter in shown]
    return sum(1.25 if is_wide else 0.5 for is_wide in wide)


def waits_line(shown: Shown, player: CupPlayer) -> str:
    """What somebody waits for who has no game in a cup at the moment."""
    state = shown.state
    if state.cup.stage is CupStage.OPEN:
        return sentences(_("You're in! Your games come here."), starts_line(shown))
    running = awaited_by(state, player.number)
    if not running:
        return _("Your next game begins in a moment. It comes here.")
    pairs = listed(versus(shown.name(game.x), shown.name(game.o or 0)) for game in running)
    is_last = current_round(state) >= state.cup.rounds and not any(
        game.result is None and player.number in (game.x, game.o) for game in state.games
    )
    if is_last:
        return _("You've played all your games. The cup ends when these are over: {games}").format(games=pairs)
    if len(running) > 1:
        return _("Your next game begins when these are over, and comes here: {games}").format(games=pairs)
    (game,) = running
    said = _("Your next game begins when {one} and {other} are done. It comes here.")
    return said.format(one=shown.name(game.x), other=shown.name(game.o or 0))


# Once it's over.


def won(shown: Shown) -> str:
    """The line about a cup's winners."""
    state = shown.state
    if not (winners := state.champions):
        nobody_left = all(player.is_out for player in state.players)
        return _("Nobody stayed and played, so nobody wins this cup.") if nobody_left else _("The cup is over.")
    told = _("🏆 <b>{name}</b> wins the cup!") if len(winners) == 1 else _("🏆 <b>{name}</b> share the cup!")
    return told.format(name=listed(shown.name(winner.number) for winner in winners))


def _places(shown: Shown) -> Iterable[str]:
    lines = rankings(shown.state)
    for line in lines:
        name = shown.name(line.player.number)
        name = f"<s>{name}</s>" if line.player.is_out else name
        place = PODIUM[line.place] if _is_on_podium(line) else f"{line.place}."
        yield f"{place} {name} · <b>{_points(line.points)}</b>"
    for one, other in pairwise(lines):
        is_close = one.points == other.points and one.place < other.place
        if is_close and one.place in PODIUM and not other.player.is_out:
            said = _("{one} is ahead of {other}, with wins and draws against people who have more points.")
            behind = [other]
            if one.direct != other.direct:
                # With more than two who are equal, one may be ahead of another whom they haven't beaten.
                said = _("{one} is ahead of {other} in their games against each other.")
                behind = [each for each in lines if each.points == one.points and each.direct < one.direct]
            others = listed(shown.name(each.player.number) for each in behind if not each.player.is_out)
            yield said.format(one=shown.name(one.player.number), other=others)
            return


def _best(shown: Shown) -> Sequence[str]:
    """The game of the cup: the one with a line that its champion has won against the best of the others."""
    places = {player.number: player.place or 0 for player in shown.state.players}
    by_line = [
        (places[game.x] + places[game.o or 0], -shown.games[game.number].ply, game)
        for game in shown.state.games
        if game.number in shown.games and shown.games[game.number].termination is Termination.LINE
    ]
    if not by_line:
        return ()
    _place, _plies, game = min(by_line)
    grid = in_order(emoji_grid(shown.games[game.number].position, shown.theme, over=True))
    players = versus(shown.name(game.x), shown.name(game.o or 0))
    return ("", _("⭐ Game of the cup: {game}").format(game=players), grid)
