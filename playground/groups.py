"""Groups: who is in them with which rights, topics, and the upgrade to a supergroup."""

from __future__ import annotations

from collections.abc import Sequence

from playground.accounts import CHANNEL_ID, TELEGRAM, Human, Status, User
from playground.chats import Chat, ChatKind, Message, Topic
from playground.files import FileKind
from playground.hub import Hub
from playground.texts import typed


class Group(Chat):
    """A group or supergroup, and what a test can do to it."""

    def __init__(
        self, world: Hub, title: str, people: Sequence[Human], kind: str = "group", *, with_bot: bool = True
    ) -> None:
        """Open a "group", "supergroup" or "forum", a supergroup with topics; its first person owns it."""
        large = kind in {"supergroup", "forum"}
        identifier = next(world.supergroup_ids if large else world.group_ids)
        true_kind: ChatKind = "supergroup" if large else "group"
        super().__init__(world, identifier, true_kind, title, people, forum=kind == "forum", with_bot=with_bot)

    def owner(self) -> Human:
        return next(self.members[user] for user, status in self.statuses.items() if status == "creator")

    def set_bot(self, status: Status, by: User | None = None) -> None:
        """Give the bot a standing: let it in or go, let it see everything, or write nothing."""
        by, bot, old, was_in = by or self.owner(), self.world.bot, self.bot_status, self.bot_is_in
        if status in {"left", "kicked"}:
            words = f"{bot.first_name} {'left' if status == 'left' else 'was removed'}"
            self.announce(by, {"left_chat_member": bot.as_json()}, words)
        self.with_bot = True
        self.statuses[bot.id] = status
        if status != old:
            self.tell_of_member(bot, by, old, status)
        self.world.tell("chat", self)
        if self.bot_is_in and not was_in:
            self.announce(by, {"new_chat_members": [bot.as_json()]}, f"{bot.first_name} joined")

    def slow_down(self, seconds: int) -> None:
        """Set slow mode: members, and the bot, wait so many seconds before their next message; 0 ends it."""
        self.slow_mode = seconds
        self.world.tell("chat", self)

    def forbid(self, *kinds: FileKind) -> None:
        """Let only administrators send files of these kinds: where GIFs are forbidden, photos may be allowed."""
        self.forbidden = frozenset(kinds)

    def channel_post(self, text: str, channel: str = "News") -> Message:
        """Let a post of the group's channel arrive, below which people comment by replying to it."""
        origin = {"id": CHANNEL_ID, "type": "channel", "title": channel}
        post = Message(self, TELEGRAM, typed(text), sender_chat=origin)
        post.forward_origin = {"type": "channel", "chat": origin, "message_id": 1, "date": 1}
        self.post(post).deliver()
        return post

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
        new = Group(self.world, self.title, people, "supergroup", with_bot=self.with_bot)
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
