"""Groups: who is in them with which rights, topics, and the upgrade to a supergroup."""

from __future__ import annotations

from collections.abc import Sequence

from playground.accounts import Human, Status, User
from playground.chats import Chat, ChatKind, Message, Topic
from playground.hub import Hub
from playground.texts import typed


class Group(Chat):
    """A group or supergroup, and what a test can do to it."""

    def __init__(
        self,
        world: Hub,
        title: str,
        people: Sequence[Human],
        *,
        supergroup: bool = False,
        forum: bool = False,
        with_bot: bool = True,
    ) -> None:
        """Open the group; its first person owns it, and a forum is always a supergroup."""
        kind: ChatKind = "supergroup" if supergroup or forum else "group"
        identifier = next(world.group_ids if kind == "group" else world.supergroup_ids)
        super().__init__(world, identifier, kind, title, people, forum=forum, with_bot=with_bot)

    def owner(self) -> Human:
        return next(self.members[user] for user, status in self.statuses.items() if status == "creator")

    # The bot's standing

    def add_bot(self, by: User | None = None) -> None:
        """Add the bot (again)."""
        self._set_bot("member", by)
        bot = self.world.bot
        self.announce(by or self.owner(), {"new_chat_members": [bot.as_json()]}, f"{bot.first_name} joined")

    def kick_bot(self, by: User | None = None) -> None:
        bot = self.world.bot
        self.announce(by or self.owner(), {"left_chat_member": bot.as_json()}, f"{bot.first_name} was removed")
        self._set_bot("kicked", by)

    def mute_bot(self, by: User | None = None) -> None:
        self._set_bot("restricted", by)

    def unmute_bot(self, by: User | None = None) -> None:
        self._set_bot("member", by)

    def promote_bot(self, by: User | None = None) -> None:
        """Make the bot an administrator; it then sees all messages."""
        self._set_bot("administrator", by)

    def bot_left(self) -> None:
        bot = self.world.bot
        self._set_bot("left", bot)
        self.announce(bot, {"left_chat_member": bot.as_json()}, f"{bot.first_name} left")

    def slow_down(self, seconds: int) -> None:
        """Set slow mode: members, and the bot, wait so many seconds before their next message; 0 ends it."""
        self.slow_mode = seconds
        self.world.tell("chat", self)

    def _set_bot(self, status: Status, by: User | None) -> None:
        old = self.bot_status
        self.with_bot = True
        self.statuses[self.world.bot.id] = status
        if status != old:
            self.tell_of_member(self.world.bot, by or self.owner(), old, status)
        self.world.tell("chat", self)

    # People

    def add(self, person: Human, by: User | None = None, *, announced: bool = True) -> None:
        """Let a person in; by nobody means that they join. A message need not have `announced` it."""
        old = self.status(person.id)
        self.members[person.id] = person
        self.statuses.pop(person.id, None)
        self.tell_of_member(person, by or person, old, self.status(person.id))
        if announced:
            self.announce(by or person, {"new_chat_members": [person.as_json()]}, f"{person.first_name} joined")
        self.world.tell("chat", self)

    def remove(self, person: User, by: User | None = None, *, announced: bool = True) -> None:
        """Take a person out; by nobody means that they leave."""
        old = self.status(person.id)
        if announced:
            self.announce(by or person, {"left_chat_member": person.as_json()}, f"{person.first_name} left")
        self.members.pop(person.id, None)
        self.statuses[person.id] = "left" if by is None else "kicked"
        self.tell_of_member(person, by or person, old, self.statuses[person.id])
        self.world.tell("chat", self)

    def promote(self, person: User) -> None:
        self.statuses[person.id] = "administrator"
        self.world.tell("chat", self)

    def demote(self, person: User) -> None:
        """Make an administrator a plain member again."""
        if self.statuses.get(person.id) == "administrator":
            del self.statuses[person.id]
        self.world.tell("chat", self)

    def hide(self, person: User) -> None:
        """Make an administrator anonymous, so that getChatMember doesn't know them."""
        self.hidden.add(person.id)

    # Topics

    def add_topic(self, name: str, by: User | None = None) -> Topic:
        if not self.forum:
            raise ValueError(f"{self!r} is not a forum")
        return self.open_topic(name, by or self.owner())

    def rename_topic(self, topic: Topic, name: str, by: User | None = None) -> None:
        topic.name = name
        self.world.tell("chat", self)
        self.announce(by or self.owner(), {"forum_topic_edited": {"name": name}}, f"Topic {name}", topic.thread)

    def close_topic(self, topic: Topic, *, on: bool = True) -> None:
        """Close a topic, or open it again."""
        topic.closed = on
        self.world.tell("chat", self)
        field, state = ("forum_topic_closed", "closed") if on else ("forum_topic_reopened", "open")
        self.announce(self.owner(), {field: {}}, f"Topic {topic.name} {state}", topic.thread)

    def delete_topic(self, topic: Topic) -> None:
        """Delete a topic with all that was said in it."""
        topic.deleted = True
        self.world.tell("chat", self)
        for message in list(self.messages.values()):
            if message.thread == topic.thread:
                self.delete(message)

    # The group itself

    def rename(self, title: str, by: User | None = None) -> None:
        self.title = title
        self.world.tell("chat", self)
        self.announce(by or self.owner(), {"new_chat_title": title}, f"The group is called {title} now")

    def migrate(self) -> Group:
        """Upgrade to a supergroup: new id, new message ids, the old group dead."""
        if self.kind != "group" or self.migrated_to is not None:
            raise ValueError(f"{self!r} cannot be upgraded")
        people = list(self.members.values())
        new = Group(self.world, self.title, people, supergroup=True, with_bot=self.with_bot)
        new.statuses = dict(self.statuses)
        self.announce(self.owner(), {"migrate_to_chat_id": new.id}, "This group became a supergroup")
        self.migrated_to = new
        new.announce(self.owner(), {"migrate_from_chat_id": self.id}, "This supergroup was a group")
        self.world.tell("chat", self)
        return new

    def disband(self) -> None:
        self.deleted = True
        self.members.clear()
        self.world.tell("chat", self)

    def other_bot_says(self, text: str, username: str = "another_bot", *, to_ours: bool = False) -> Message:
        """Let another bot post, and bare commands now go to that one; it reaches ours only where bots may talk."""
        self.other_bot_last = True
        other = User(777_001, "Another Bot", username=username, is_bot=True)
        message = self.post(Message(self, other, typed(text)))
        if to_ours:
            self.world.push("message", message.as_json(), ("chat", self.id))
        return message
