"""What people read and press: boards, keyboards, menus, refusals, names, languages. Pure, like `bot.game`."""
