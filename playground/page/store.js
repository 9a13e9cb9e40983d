// What the page knows: the server's state as its messages tell it, and questions about it.

/** The commands a client shows for a kind of scope come from the first list that exists, narrowest first. */
function scopeOrder(chat, person) {
  const own = [`chat_member:${chat.id}:${person.id}`, `chat:${chat.id}`];
  return chat.type === "private"
    ? [`chat:${chat.id}`, "all_private_chats", "default"]
    : [...own, "all_group_chats", "default"];
}

const scopeKey = (scope) => [scope?.type ?? "default", scope?.chat_id, scope?.user_id].filter((part) => part !== undefined).join(":");

export class Store {
  bot = null;
  people = [];
  chats = new Map();
  #messages = new Map();
  #commands = [];
  #read = new Map();

  /** Takes in one message of the server; those that carry no state change nothing. */
  apply(event) {
    switch (event.type) {
      case "hello":
        this.bot = event.bot;
        this.people = event.people;
        this.chats = new Map(event.chats.map((chat) => [chat.id, chat]));
        this.#messages = new Map(Object.entries(event.messages).map(([chat, messages]) => [Number(chat), messages]));
        this.#commands = event.commands;
        for (const { id } of this.people) for (const chat of this.chatsOf(id)) this.markRead(chat.id, id);
        break;
      case "message":
        this.messages(event.message.chat_id).push(event.message);
        break;
      case "edited": {
        const messages = this.messages(event.message.chat_id);
        const index = messages.findIndex((message) => message.message_id === event.message.message_id);
        if (index >= 0) messages[index] = event.message;
        break;
      }
      case "deleted": {
        const kept = this.messages(event.chat_id).filter((message) => message.message_id !== event.message_id);
        this.#messages.set(event.chat_id, kept);
        break;
      }
      case "commands":
        this.#commands = event.commands;
        break;
      case "chat":
        this.chats.set(event.chat.id, event.chat);
        break;
    }
  }

  person(id) {
    return this.people.find((person) => person.id === id);
  }

  /** The name people see; the bot is one of the names. */
  name(id) {
    const who = id === this.bot.id ? this.bot : this.person(id);
    return who ? [who.first_name, who.last_name].filter(Boolean).join(" ") : "Somebody";
  }

  /** A chat's title for the one who looks at it: a private chat is called by the bot's name. */
  title(chat) {
    return chat.type === "private" ? this.bot.first_name : chat.title;
  }

  messages(chatId) {
    if (!this.#messages.has(chatId)) this.#messages.set(chatId, []);
    return this.#messages.get(chatId);
  }

  message(chatId, messageId) {
    return this.messages(chatId).find((message) => message.message_id === messageId);
  }

  /** The chats a person is in, those with the newest message first. */
  chatsOf(personId) {
    const newest = (chat) => this.messages(chat.id).at(-1)?.date ?? 0;
    return [...this.chats.values()]
      .filter((chat) => (chat.type === "private" ? chat.person === personId : chat.members.includes(personId)))
      .sort((one, other) => newest(other) - newest(one));
  }

  privateChat(personId) {
    return this.chatsOf(personId).find((chat) => chat.type === "private");
  }

  /** Whether a person still has to press Start before the bot may know them. */
  needsStart(chat, personId) {
    return chat.type === "private" && !this.messages(chat.id).some((message) => message.from?.id === personId);
  }

  /** The ids of a forum's topics that have messages. */
  topics(chat) {
    if (!chat.is_forum) return [];
    const ids = this.messages(chat.id).map((message) => message.message_thread_id).filter(Boolean);
    return [...new Set(ids)].sort((one, other) => one - other);
  }

  /** The bot's commands for a person in a chat, as a client chooses them: by scope, then by language. */
  commandsFor(chat, person) {
    const language = person.language_code?.split("-")[0] ?? "";
    for (const scope of scopeOrder(chat, person)) {
      for (const code of [language, ""]) {
        const found = this.#commands.find(
          (list) => scopeKey(list.scope) === scope && list.language_code === code && list.commands.length > 0,
        );
        if (found) return found.commands;
      }
    }
    return [];
  }

  /** Marks all that is in a chat now as seen by a person. */
  markRead(chatId, personId) {
    this.#read.set(`${personId}:${chatId}`, this.messages(chatId).at(-1)?.message_id ?? 0);
  }

  /** How many messages a person has not seen in a chat since this page was connected. */
  unread(chatId, personId) {
    const seen = this.#read.get(`${personId}:${chatId}`) ?? 0;
    return this.messages(chatId).filter((message) => message.message_id > seen && message.from?.id !== personId).length;
  }
}
