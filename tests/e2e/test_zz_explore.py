import asyncio, sqlite3, time, shutil
from contextlib import closing
from pathlib import Path
import pytest
from playground import Playground
from playground.chats import Message
from playground.texts import Text
from storage.migrate import migrate
from storage.database import parse_url
from tests.world import World, world
import bot.dispatch
DUMP = Path("/work/wt/scr/tests/storage/releases/1.0.0.sqlite.sql")
LEFT_AT = 1_795_757_160

def below(*data): return [[{"text": each, "callback_data": each}] for each in data]

ROWS = [l.split() for l in Path("/tmp/lead/scr/rows.txt").read_text().splitlines() if l.strip() and not l.startswith("#")]

async def test_x(tmp_path, newest_on_sqlite):
    file = tmp_path/"oxo.db"
    shutil.copyfile(newest_on_sqlite, file)
    url=f"sqlite:///{file}"
    async with Playground() as playground, world(playground, url) as house:
        house.engine.dispose()
        for suffix in ("", "-wal", "-shm"): Path(str(file)+suffix).unlink(missing_ok=True)
        with closing(sqlite3.connect(file)) as c:
            c.executescript(DUMP.read_text())
            boards = c.execute("select game_id, chat_id, message_id, inline_message_id from boards").fetchall()
        migrate(parse_url(url))
        house.clock.ahead = LEFT_AT - time.time()
        people = playground.people
        dee = playground.add_person("Dee", started=True); people["dee"]=dee
        group = playground.groups["noughts"]; group.add(dee)
        for p in ("ann","bo","cem"): people[p].started=True
        while next(playground.world.message_ids) < 160: pass
        at = {}
        for game, chat_id, mid, inline in boards + [(0, group.id, 141, None)]:
            chat = playground.world.chats[chat_id] if chat_id else group
            m = Message(chat, playground.world.bot, Text("An old board."), below("x"), via_bot=inline is not None)
            if inline: m.inline_id = inline; playground.world.inline_messages[inline]=m; m.sender=people["ann"]; chat.post(m)
            else:
                m.id=mid; chat.messages[mid]=m
            at[str(game) if (game!=10 or chat_id==5000000004) else "10a"]=m
        await house.serve()
        for who, where, data in ROWS:
            person = people[who]
            if where in at: m = at[where]
            else:
                chat = group if where=="group" else person.private
                m = Message(chat, playground.world.bot, Text("A menu."), below(data))
                if where=="inline":
                    m.via_bot=True; m.inline_id="inl"+data[-8:]; playground.world.inline_messages[m.inline_id]=m; m.sender=people["ann"]
                    chat=group; m.chat=group
                chat.post(m)
            m.keyboard = below(data)
            n=len(playground.calls)
            t=person.press(m,data)
            try: a=await t.answered(8,"x")
            except TimeoutError: a=None
            await asyncio.sleep(0.3)
            did=[(c.method, c.chat, str(c.parameters.get("text") or c.parameters.get("caption") or "")[:70].replace("\n"," / "), c.ok) for c in playground.calls[n:] if c.method not in ("getUpdates","answerCallbackQuery")]
            print(f"{who} {where} {data} -> {None if a is None else (a.text or a.url)}   {did[:3]}")
        print("LOG", house.logged())
        await house.stop()
