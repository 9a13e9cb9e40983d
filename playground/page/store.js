// What the page knows: the server's state as its messages tell it, and questions about it.

/** What a message says: its text or caption, and of a service message what happened. */
export const words = (message) => message.service ?? message.text ?? message.caption ?? "";

const language = (person) => person.language_code?.split("-")[0] ?? "";

export class Store {
  bot = null;
  people = [];
  forms = {}; // the fields of acts, by the name of each
  botState = null; // of a bot that the playground has started
  chats = new Map();
  #messages = new Map();
  #commands = [];
  #descriptions = {};
  #read = new Map();

  /** Takes in one message of the server; those that carry no state change nothing. */
  apply(event) {
    switch (event.type) {
      case "hello":
        this.bot = event.bot;
        this.people = event.people;
        this.forms = event.forms;
        this.chats = new Map(event.chats.map((chat) => [chat.id, chat]));
        this.#messages = new Map(Object.entries(event.messages).map(([chat, messages]) => [Number(chat), messages]));
        this.#commands = event.commands;
        this.#descriptions = event.descriptions;
        for (const { id } of this.people) for (const chat of this.chatsOf(id)) this.markRead(chat.id, id);
        break;
      case "message":
        this.messages(event.message.chat.id).push(event.message);
        break;
      case "edited": {
        const messages = this.messages(event.message.chat.id);
        const index = messages.findIndex((message) => message.message_id === event.message.message_id);
        if (index >= 0) messages[index] = event.message;
        break;
      }
      case "deleted": {
        const kept = this.messages(event.chat_id).filter((message) => message.message_id !== event.message_id);
        this.#messages.set(event.chat_id, kept);
        break;
      }
      case "workshop":
        this.botState = event.workshop.bot;
        break;
      case "commands":
        this.#commands = event.commands;
        break;
      case "descriptions":
        this.#descriptions = event.descriptions;
        break;
      case "chat":
        this.chats.set(event.chat.id, event.chat);
        break;
      case "person": {
        const index = this.people.findIndex(({ id }) => id === event.person.id);
        if (index < 0) this.people.push(event.person);
        else this.people[index] = event.person;
        break;
      }
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

  /** The username with its @, or nothing. */
  username(id) {
    const name = id === this.bot.id ? this.bot.username : this.person(id)?.username;
    return name ? `@${name}` : "";
  }

  /** The other side of a private chat: the bot or a person; null for groups. */
  partner(chat, viewer) {
    if (chat.type !== "private") return null;
    return chat.person === undefined ? chat.members.find((id) => id !== viewer) : this.bot.id;
  }

  /** A chat's title for a person: a private chat has the other's name. */
  title(chat, viewer) {
    return chat.type === "private" ? this.name(this.partner(chat, viewer)) : chat.title;
  }

  /** The id whose colour a chat's picture has. */
  face(chat, viewer) {
    return this.partner(chat, viewer) ?? chat.id;
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
      .filter((chat) => chat.members.includes(personId) && !chat.over)
      .sort((one, other) => newest(other) - newest(one));
  }

  privateChat(personId) {
    return this.chatsOf(personId).find((chat) => chat.person === personId);
  }

  /** Whether a person still has to press Start before the bot may know them. */
  needsStart(chat, personId) {
    return chat.person === personId && !this.messages(chat.id).some((message) => message.from?.id === personId);
  }

  /** The name of a forum's topic. */
  topicName(chat, id) {
    return chat.topics?.find((topic) => topic.id === id)?.name ?? "A topic that was deleted";
  }

  /** What the bot says about itself in a person's language: "name", "description" or "short_description". */
  description(what, person) {
    const texts = this.#descriptions[what] ?? {};
    return texts[language(person)] || texts[""] || "";
  }

  /** The bot's commands for a person in a chat, as a client chooses them: by scope, then by language. */
  commandsFor(chat, person) {
    if (chat.type === "private" ? chat.person === undefined : ["left", "kicked"].includes(chat.bot)) return [];
    const kind = chat.type === "private" ? "all_private_chats" : "all_group_chats";
    for (const scope of [kind, "default"]) {
      for (const code of [language(person), ""]) {
        const found = this.#commands.find(
          (list) => (list.scope?.type ?? "default") === scope && list.language_code === code && list.commands.length > 0,
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
