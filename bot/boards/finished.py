"""A finished game in a few lines, as its folded board, captions and whatever is sent of it say it.

What is shared of it asks others to do better: this message, and what the board of such a try says, are here, too.
"""

import html
from typing import Final

from bot.boards import links, names
from bot.boards.cells import emoji_grid
from bot.boards.lists import IN_THREE, IN_TWO, naming
from bot.boards.players import Scene, named, plain_name
from bot.boards.rules import rules_played
from bot.boards.translations import in_order, listed, sentences
from bot.boards.view import Key, Query, Row, View, first_blue, keyboard, sending
from bot.language import _, n_
from engine import CLASSIC, Mark
from storage.games.game import DRAWN, Game, Termination, replay, rules_of
from storage.games.record import Gauntlet, TryScore

BETWEEN: Final = " · "
MOST_NAMED: Final = 5
"""How many of those who have won, and of those who haven't, a scoreboard names."""


def result(game: Game) -> str:
    """How a game ended, in a few plain words; a name is isolated, so that the rest keeps its direction."""
    if game.winner is not None:
        name = names.plain(plain_name(game, game.winner), "")
        if game.termination is Termination.RESIGNATION:
            return _("{name} wins by resignation").format(name=name)
        if game.termination is Termination.TIMEOUT:
            return _("{name} wins on time").format(name=name)
        return _("{name} wins").format(name=name)
    return _("A draw") if game.termination in DRAWN else _("Not finished")


def result_line(scene: Scene) -> str:
    """How a game ended, for everybody, as HTML."""
    game = scene.game
    sign = "🤝" if game.winner is None else f"🏆 {scene.marks[game.winner]}"
    return f"{sign} {html.escape(result(game))}"


def count_of_moves(game: Game) -> str:
    """How many moves a game had."""
    return n_("{count} move", "{count} moves", game.ply).format(count=game.ply)


def sent_text(scene: Scene) -> str:
    """What a friend is sent of a game, as HTML: no more than the board says to everybody."""
    game, theme = scene.game, scene.theme
    played = [] if game.rules == CLASSIC.text else [html.escape(rules_played(game.rules))]
    return "\n".join(
        [
            BETWEEN.join([f"<b>{result_line(scene)}</b>", count_of_moves(game)]),
            Scene(game, theme=theme).sides(rated=False),
            "",
            in_order(emoji_grid(game.position, theme, over=True)),
            *played,
        ]
    )


def send_key(scene: Scene, label: str) -> Key:
    """Sends a finished game to a friend: by inline mode, or where there is none by a link."""
    link = links.write(scene.game.id, 0, scene.me.key, links.BEAT)
    if scene.me.has_inline:
        return Key(label, Query(link))
    return sending(label, scene.me.link_to(link), View(sent_text(scene)).plain)


def shared_view(scene: Scene, ply: int) -> View:
    """What is shared of a game, with links alone below it: a gauntlet if it was won, else the game as it ended.

    Others play from a ply on, as the side that is to move there; if it is 0, they can't.
    """
    game, mark = scene.game, Mark.O if ply % 2 else Mark.X
    if not ply or game.winner is not mark or game.takebacks:
        return View(sent_text(scene), keyboard([row]) if (row := ways_on(scene, ply)) else None)
    grid = emoji_grid(replay(game.rules, game.moves[:ply]), scene.theme, over=True)
    scores = () if scene.gauntlet is None else scene.gauntlet.scores
    played = [] if game.rules == CLASSIC.text else [html.escape(rules_played(game.rules))]
    lines = [
        _feat(scene, game, mark),
        _goal(game, mark),
        "",
        in_order(grid),
        *played,
        *([""] if scores else []),
    ]
    row = [Key(_("Try it"), scene.me.lead(game.id, 0, links.BEAT, ply)), send_key(scene, _("Pass it on"))]
    return View("\n".join([*lines, *_scoreboard(scores)]), keyboard([first_blue(row)]))


def ways_on(scene: Scene, ply: int) -> Row:
    """The links below any other game: to do better on one side of it, and to challenge that player."""
    game, people = scene.game, links.players_of(scene.game)
    if not people:
        return []
    beat = [Key(_("Beat this"), scene.me.lead(game.id, 0, links.BEAT, ply))] if ply else []
    mark = (Mark.O if ply % 2 else Mark.X) if ply else people[0]
    return first_blue([*beat, *_challenge(scene, game, mark, _("Play {name}"), IN_TWO)])


def _challenge(scene: Scene, game: Game, mark: Mark, words: str, room: int) -> Row:
    if mark not in links.players_of(game):
        return []
    return [Key(naming(words, game.name(mark), room), scene.me.lead(game.id, 0, links.CHALLENGE))]


def try_line(scene: Scene, gauntlet: Gauntlet) -> str | None:
    """On the board of a try: what is to be beaten and who may hear of it, or how it went."""
    if (mark := _mark_of(scene.game)) is None:
        return None
    name = named(gauntlet.game, mark)
    if not scene.game.is_over:
        hears = [_("{name} may hear how it ends.").format(name=name)] if gauntlet.is_told else []
        return sentences(_feat(scene, gauntlet.game, mark), _goal(gauntlet.game, mark), *hears)
    if scene.game.takebacks:
        return _("🎯 A move was undone, so this try doesn't count.")
    hears = [_("{name} may hear about it.").format(name=name)] if gauntlet.is_told else []
    return sentences(f"🎯 {_compared(scene.game, gauntlet, mark)}", *hears)


def after_try(scene: Scene) -> Row | None:
    """The buttons below a try that is over, for its player; None below any other game."""
    if (gauntlet := scene.gauntlet) is None or (mark := _mark_of(scene.game)) is None:
        return None
    shared = gauntlet.game
    is_own = shared.seat(mark) == scene.game.seat(mark)
    rival = [] if is_own else _challenge(scene, shared, mark, "⚔️ {name}", IN_THREE)
    if scene.game.winner is mark and not scene.game.takebacks:
        return first_blue([*rival, send_key(scene._replace(game=shared), _("Send"))])
    return first_blue([Key(_("Play again"), scene.me.lead(shared.id, 0, links.BEAT)), *rival])


def _mark_of(game: Game) -> Mark | None:
    """The mark of the person who tries a shared game; None if it is none."""
    if game.beats is None:
        return None
    return Mark.X if (game.x.seat or 0) > 0 else Mark.O


def _feat(scene: Scene, game: Game, mark: Mark) -> str:
    """How a game went that was shared, for the player of a mark; no more than is true."""
    words = {"name": named(game, mark), "mark": scene.marks[mark], "count": game.ply}
    if game.winner is not mark:
        said = _("🎯 {name} drew this as {mark}.") if game.winner is None else _("🎯 {name} lost this as {mark}.")
    elif game.is_against_computer and not game.hints and not game.takebacks:
        said = n_(
            "🎯 {name} won this as {mark} in {count} move, without a hint.",
            "🎯 {name} won this as {mark} in {count} moves, without a hint.",
            game.ply,
        )
    else:
        said = n_(
            "🎯 {name} won this as {mark} in {count} move.",
            "🎯 {name} won this as {mark} in {count} moves.",
            game.ply,
        )
    return said.format(**words)


def _goal(game: Game, mark: Mark) -> str:
    if game.winner is not mark:
        return _("Can you do better?")
    rules = rules_of(game.rules)
    fewest = 2 * rules.line - (1 if mark is Mark.X else 0)
    is_quickest = not rules.misere and len(rules.layout.regions) == 1 and game.ply <= fewest
    return _("Can you do it, too?") if is_quickest else _("Can you do it in fewer?")


def _compared(game: Game, gauntlet: Gauntlet, mark: Mark) -> str:
    """How a try compares with the shared game, in as many words as it takes."""
    shared, name, has_won = gauntlet.game, named(gauntlet.game, mark), game.winner is mark
    if shared.winner is not mark:
        is_better = has_won or (game.winner is None and shared.winner is not None)
        said = _("You did better than {name}!") if is_better else _("No better than {name} this time.")
        return said.format(name=name)
    if not has_won:
        said = n_(
            "{name} won in {count} move. Not this time!", "{name} won in {count} moves. Not this time!", shared.ply
        )
        return said.format(name=name, count=shared.ply)
    both = _("You: {own} · {name}: {other}.").format(own=game.ply, name=name, other=shared.ply)
    if game.ply < shared.ply:
        said = _("You beat {name}!")
    else:
        said = _("As quick as {name}!") if game.ply == shared.ply else _("{name} was quicker.")
    return sentences(both, said.format(name=name))


def _scoreboard(scores: tuple[TryScore, ...]) -> list[str]:
    """Who has won in how many moves, equal places for equally many, and who hasn't."""
    won = [each for each in scores if each.plies is not None]
    places = [1 + sum((other.plies or 0) < (each.plies or 0) for other in won) for each in won]
    nobody = _("Player")
    told = [
        f"{place}. {names.shown(each.name, nobody)} {each.plies}" for place, each in zip(places, won, strict=True)
    ][:MOST_NAMED]
    missed = [names.shown(each.name, nobody) for each in scores if each.plies is None]
    more = f" +{len(missed) - MOST_NAMED}" if len(missed) > MOST_NAMED else ""
    return [*(["  ".join(told)] if told else []), *([f"✗ {listed(missed[:MOST_NAMED])}{more}"] if missed else [])]
