// The sheets about people, groups and the bot, and for new ones.

import { avatar, element } from "./dom.js";
import { action, closeSheet, form, heading, list, openSheet, row } from "./sheets.js";

const TITLES = { creator: "owner", administrator: "admin" };

/**
 * The sheets. They ask `host` for the world: `store`, `here()`, `send(message)`, `become(personId)`, `open(chatId)`,
 * and `added(message)`, which sends and opens what the server then says was added.
 */
export class Profiles {
  #host;

  constructor(host) {
    this.#host = host;
  }

  get #forms() {
    return this.#host.store.forms;
  }

  /** The people to act as. */
  people() {
    const { store } = this.#host;
    openSheet(() => {
      const acting = this.#host.here().person.id;
      const rows = store.people.map(({ id }) => {
        const unread = store.chatsOf(id).reduce((sum, chat) => sum + store.unread(chat.id, id), 0);
        const end = id === acting ? "acting" : unread ? element("span", { class: "badge", "aria-label": `${unread} new`, role: "img" }, String(unread)) : null;
        return row(avatar(id, store.name(id)), store.name(id), store.username(id), end, `person-${id}`, () => {
          closeSheet();
          this.#host.become(id);
        });
      });
      return ["Who are you?", list(...rows), element("div", { class: "actions" },
        action("Add somebody", "add", () => this.newPerson()),
        action("Your profile", "own", () => this.person(acting)))];
    });
  }

  newPerson() {
    openSheet(() => ["Somebody new", form(this.#forms.add_person, { language_code: "en" }, "Add", (values) => {
      closeSheet();
      this.#host.added({ type: "add_person", ...values });
    })]);
  }

  /** Whatever a chat is about: the bot, the other person or the group. */
  chat(chat) {
    const partner = this.#host.store.partner(chat, this.#host.here().person.id);
    if (partner === null) this.group(chat.id);
    else if (partner === this.#host.store.bot.id) this.bot();
    else this.person(partner);
  }

  bot() {
    const { store, here, send } = this.#host;
    openSheet(() => {
      const { person } = here();
      const [short, long] = [store.description("short_description", person), store.description("description", person)];
      const commands = store.commandsFor({ type: "private", id: person.id, person: person.id }, person);
      return [store.name(store.bot.id),
        head(store.bot.id, store.name(store.bot.id), `${store.username(store.bot.id)} · bot`),
        element("p", { class: "about", dir: "auto" }, short || "No short description."),
        long ? heading("Before the first message") : null,
        long ? element("p", { class: "about", dir: "auto" }, long) : null,
        commands.length ? heading("Commands") : null,
        commands.length ? element("dl", {}, ...commands.flatMap(({ command, description }) =>
          [element("dt", {}, `/${command}`), element("dd", { dir: "auto" }, description)])) : null,
        element("div", { class: "actions" },
          action("Message", "message", () => this.#openChat(store.privateChat(person.id).id)),
          action(person.blocked_bot ? "Unblock" : "Block", "block",
            () => send({ type: "block", person: person.id, on: !person.blocked_bot }), "danger"))];
    });
  }

  /** A person; seen from a group also their standing there. */
  person(id, chatId = null) {
    const { store, here, send, become, added } = this.#host;
    const languages = this.#forms.rename_person.language_code.options;
    openSheet(() => {
      const person = store.person(id);
      const acting = here().person.id;
      const group = chatId === null ? null : store.chats.get(chatId);
      const stand = (standing) => send({ type: "member", person: acting, chat_id: chatId, member: id, standing });
      const admin = group?.statuses[id] === "administrator";
      return [store.name(id),
        head(id, store.name(id), [store.username(id) || "no username", languages[person.language_code] ?? person.language_code].join(" · ")),
        element("div", { class: "actions" },
          id === acting ? null : action("Act as them", "become", () => {
            closeSheet();
            become(id);
          }),
          id === acting ? null : action("Message", "message", () => {
            closeSheet();
            added({ type: "meet", person: acting, other: id });
          })),
        group && group.members.includes(id) && group.statuses[id] !== "creator" ? element("div", { class: "actions" },
          action(admin ? "Make a plain member" : "Make an administrator", "promote", () => stand(admin ? "member" : "administrator")),
          action(id === acting ? "Leave the group" : "Remove from the group", "remove", () => {
            stand("left");
            closeSheet();
          }, "danger")) : null,
        heading("Edit"),
        form(this.#forms.rename_person, person, "Save", (values) => send({ type: "rename_person", person: id, ...values }))];
    });
  }

  group(id) {
    const { store, here, send, added } = this.#host;
    openSheet(() => {
      const chat = store.chats.get(id);
      const acting = here().person.id;
      if (!chat || chat.over || !chat.members.includes(acting)) return null;
      const about = { person: acting, chat_id: id };
      const kind = this.#forms.add_group.kind.options[chat.is_forum ? "forum" : chat.type];
      const others = store.people.filter((person) => !chat.members.includes(person.id));
      const present = !["left", "kicked"].includes(chat.bot);
      return [chat.title,
        head(id, chat.title, `${kind} · ${chat.members.length} people${present ? ` and ${store.bot.first_name}` : ""}`),
        form(this.#forms.rename_group, chat, "Rename",
          (values) => send({ type: "rename_group", ...about, ...values })),
        heading("People"),
        list(...chat.members.map((member) => row(avatar(member, store.name(member)), store.name(member),
          store.username(member), TITLES[chat.statuses[member]], `member-${member}`, () => this.person(member, id)))),
        others.length ? form({ member: { label: "Add", options: Object.fromEntries(others.map((one) => [one.id, store.name(one.id)])) } }, { member: others[0].id }, "Add",
          ({ member }) => send({ type: "member", ...about, member: Number(member), standing: "member" })) : null,
        heading(store.bot.first_name),
        this.#standing(chat, about),
        ...(chat.is_forum ? this.#topics(chat, about) : []),
        chat.type === "group" ? element("div", { class: "actions" }, action("Upgrade to a supergroup", "upgrade", () => {
          closeSheet();
          added({ type: "upgrade", ...about });
        })) : null];
    });
  }

  #standing(chat, about) {
    const standing = chat.bot === "left" ? "kicked" : chat.bot;
    const choices = Object.entries(this.#forms.bot.standing.options).map(([key, words]) => {
      const input = element("input", { type: "radio", name: "standing", value: key, checked: key === standing, data: { focus: `bot-${key}` } });
      input.addEventListener("change", () => this.#host.send({ type: "bot", ...about, standing: key }));
      return element("label", { class: "choice" }, input, words);
    });
    return element("fieldset", {}, element("legend", { class: "unseen" }, "Standing of the bot"), ...choices);
  }

  #topics(chat, about) {
    const { send } = this.#host;
    const called = (label, hint) => ({ title: { ...this.#forms.add_topic.title, label, hint } });
    const forms = chat.topics.map(({ id, name, closed }) => form(
      called(closed ? "Topic (closed)" : "Topic"), { title: name }, "Rename",
      (values) => send({ type: "rename_topic", ...about, topic: id, ...values }),
      action(closed ? "Reopen" : "Close", `topic-${id}`, () => send({ type: "close_topic", ...about, topic: id, on: !closed }))));
    const fresh = form(called("New topic", "Name"), {}, "Add", (values, node) => {
      node.reset();
      send({ type: "add_topic", ...about, ...values });
    });
    return [heading("Topics"), ...forms, fresh];
  }

  /** A new group, or a chat with somebody. */
  newChat() {
    const { store, here, added } = this.#host;
    openSheet(() => {
      const acting = here().person.id;
      const others = store.people.filter(({ id }) => id !== acting);
      const choices = others.map(({ id }) => element("label", { class: "choice" },
        element("input", { type: "checkbox", name: "member", value: id, checked: true }), avatar(id, store.name(id)), element("bdi", {}, store.name(id))));
      const group = form(this.#forms.add_group, { kind: "group" }, "Create the group", ({ title, kind }, node) => {
        const members = new FormData(node).getAll("member").map(Number);
        closeSheet();
        added({ type: "add_group", person: acting, title, kind, members });
      }, element("fieldset", {}, element("legend", {}, "With the bot and"), ...choices));
      return ["New",
        heading("A chat of two, without the bot"),
        list(...others.map(({ id }) => row(avatar(id, store.name(id)), store.name(id), store.username(id), null, `meet-${id}`, () => {
          closeSheet();
          added({ type: "meet", person: acting, other: id });
        }))),
        heading("A group"), group];
    });
  }

  #openChat(id) {
    closeSheet();
    this.#host.open(id);
  }
}

function head(id, name, words) {
  return element("div", { class: "head" }, avatar(id, name), element("p", {}, element("bdi", {}, name)), element("p", { class: "muted" }, words));
}
