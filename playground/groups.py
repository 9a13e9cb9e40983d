"""Groups: who is in them with which rights, topics, and the upgrade to a supergroup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playground.chats import Chat, Topic

if TYPE_CHECKING:
    from playground.accounts import Account
    from playground.chats import Status
    from playground.messages import Message
    from playground.people import Person


class Group(Chat):
    """A group or supergroup, and what a test can do to it."""

    def owner(self) -> Person:
        """The creator."""
        return next(self.members[user] for user, status in self.statuses.items() if status == "creator")

    # The bot's standing

    def add_bot(self, by: Person | None = None) -> None:
        """Add the bot (again)."""
        self._set_bot("member", by)
        bot = self.world.bot
        self.announce(by or self.owner(), {"new_chat_members": [bot.as_json()]}, f"{bot.first_name} joined")

    def kick_bot(self, by: Person | None = None) -> None:
        """Throw the bot out."""
        bot = self.world.bot
        self.announce(by or self.owner(), {"left_chat_member": bot.as_json()}, f"{bot.first_name} was removed")
        self._set_bot("kicked", by)

    def mute_bot(self, by: Person | None = None) -> None:
        """Take the bot's right to write."""
        self._set_bot("restricted", by)

    def unmute_bot(self, by: Person | None = None) -> None:
        """Give the bot its right to write back."""
        self._set_bot("member", by)

    def promote_bot(self, by: Person | None = None) -> None:
        """Make the bot an administrator; it then sees all messages."""
        self._set_bot("administrator", by)

    def bot_left(self) -> None:
        """The bot leaves by itself (leaveChat)."""
        bot = self.world.bot
        self._set_bot("left", bot)
        self.post_service(bot, {"left_chat_member": bot.as_json()}, f"{bot.first_name} left")

    def _set_bot(self, status: Status, by: Account | None) -> None:
        old = self.bot_status
        self.with_bot = True
        self.statuses[self.world.bot.id] = status
        if status != old:
            self.world.bot_member_changed(self, by or self.owner(), old)
        self.world.tell("chat", self)

    # People

    def add(self, person: Person, by: Person | None = None) -> None:
        """Let a person in."""
        self.members[person.id] = person
        self.statuses.pop(person.id, None)
        self.announce(by or person, {"new_chat_members": [person.as_json()]}, f"{person.first_name} joined")
        self.world.tell("chat", self)

    def remove(self, person: Person, by: Person | None = None) -> None:
        """Take a person out; by nobody means that they leave."""
        self.announce(by or person, {"left_chat_member": person.as_json()}, f"{person.first_name} left")
        self.members.pop(person.id, None)
        self.statuses[person.id] = "left" if by is None else "kicked"
        self.world.tell("chat", self)

    def promote(self, person: Person) -> None:
        """Make a person an administrator."""
        self.statuses[person.id] = "administrator"

    # Topics

    def add_topic(self, name: str, by: Account | None = None) -> Topic:
        """Open a topic in a forum.

        Raises:
            ValueError: The chat is not a forum.
        """
        if not self.forum:
            raise ValueError(f"{self!r} is not a forum")
        fields = {"forum_topic_created": {"name": name, "icon_color": 7322096}}
        message = self.post_service(by or self.owner(), fields, f"Topic {name}")
        topic = Topic(message.id, name)
        self.topics[topic.thread] = topic
        self.world.deliver(message)
        return topic

    def close_topic(self, topic: Topic) -> None:
        """Close a topic to everybody but administrators."""
        topic.closed = True
        self.announce(self.owner(), {"forum_topic_closed": {}}, f"Topic {topic.name} closed", topic.thread)

    def reopen_topic(self, topic: Topic) -> None:
        """Open a closed topic."""
        topic.closed = False
        self.announce(self.owner(), {"forum_topic_reopened": {}}, f"Topic {topic.name} open", topic.thread)

    def delete_topic(self, topic: Topic) -> None:
        """Delete a topic with all that was said in it."""
        topic.deleted = True
        for message in list(self.messages.values()):
            if message.thread == topic.thread:
                self.delete(message)

    # The group itself

    def migrate(self) -> Group:
        """Upgrade to a supergroup: new id, new message ids, the old group dead.

        Raises:
            ValueError: It is a supergroup already, or upgraded.
        """
        if self.kind != "group" or self.migrated_to is not None:
            raise ValueError(f"{self!r} cannot be upgraded")
        new = self.world.add_group(self.title, list(self.members.values()), kind="supergroup", key=None)
        new.statuses = dict(self.statuses)
        new.with_bot = self.with_bot
        self.announce(self.owner(), {"migrate_to_chat_id": new.id}, "This group became a supergroup")
        self.migrated_to = new
        new.announce(self.owner(), {"migrate_from_chat_id": self.id}, "This supergroup was a group")
        self.world.tell("chat", self)
        return new

    def disband(self) -> None:
        """Delete the group for everybody."""
        self.deleted = True
        self.members.clear()
        self.world.tell("chat", self)

    def pinned(self, message: Message, by: Account) -> None:
        """Announce that a message was pinned."""
        self.announce(
            by, {"pinned_message": message.as_json(nested=False)}, "A message was pinned", message.thread
        )
