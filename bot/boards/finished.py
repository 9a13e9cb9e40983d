"""A finished game in a few lines, as its folded board, captions and whatever is sent of it say it."""

import html
from typing import Final

from bot.boards import links, names
from bot.boards.cells import emoji_grid
from bot.boards.players import Scene, plain_name
from bot.boards.rules import rules_played
from bot.boards.translations import in_order
from bot.boards.view import Key, Query, View, sending
from bot.language import _, n_
from engine import CLASSIC
from storage.games.game import DRAWN, Game, Termination

BETWEEN: Final = " · "


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
