// The page: what the person does goes to the server, what the server says is shown.

import { Composer } from "./composer.js";
import { Connection } from "./connection.js";
import { avatar, element } from "./dom.js";
import { Drawer } from "./drawer.js";
import { kind, onArrows } from "./keyboard.js";
import { meaning } from "./links.js";
import { atBottom, forgetMessages, onClicks, onScroll, showMessages, toBottom } from "./messages.js";
import { alert, pickChat, toast } from "./notices.js";
import { Profiles } from "./profiles.js";
import { refreshSheet } from "./sheets.js";
import { showChats, showPeople } from "./sidebar.js";
import { Store } from "./store.js";

const $ = (selector) => document.querySelector(selector);
const store = new Store();
const pending = new Map(); // client tag -> the tapped button
const adding = new Set(); // client tags of what is being added, to be opened as soon as it exists
const SIGNS = { stopping: "is stopping.", stopped: "is stopped: what you send waits for it.", died: "has died, and is being started again." };
const tab = crypto.getRandomValues(new Uint32Array(1))[0].toString(36); // all tabs of a person hear every answer
let tags = 0;
let lost = ""; // what to say while there is no connection

// --- Where one is: the address keeps it, so that two tabs can be two people -------------------------------------

function here() {
  const hash = new URLSearchParams(location.hash.slice(1));
  const person = store.person(Number(hash.get("person"))) ?? store.people[0];
  const chat = store.chatsOf(person.id).find(({ id }) => id === Number(hash.get("chat"))) ?? null;
  const topic = chat?.is_forum && hash.has("topic") ? Number(hash.get("topic")) : null;
  return { person, chat, topic };
}

function go({ person = here().person.id, chat = null, topic = null }) {
  const hash = new URLSearchParams({ person });
  if (chat !== null) hash.set("chat", chat);
  if (topic !== null) hash.set("topic", topic);
  location.hash = hash;
  show(); // the event of the changed address comes later than the next line of the caller
}

/** Acts as another person, in the same chat if they are in it, else in their private chat if one was open. */
function become(personId) {
  const { chat, topic } = here();
  const kept = chat && store.chatsOf(personId).find(({ id }) => id === chat.id);
  go({ person: personId, chat: kept?.id ?? (chat ? store.privateChat(personId)?.id : null), topic: kept ? topic : null });
}

function open(chatId) {
  go({ chat: chatId });
  if (matchMedia("(hover: hover)").matches) $("#composer").focus(); // a phone would raise its keyboard
}

// --- Showing ---------------------------------------------------------------------------------------------------

function show() {
  if (!store.bot) return;
  const { person, chat, topic } = here();
  document.body.classList.toggle("in-chat", chat !== null);
  $("#conversation").hidden = !chat;
  $("#nothing").hidden = Boolean(chat);
  document.title = chat ? `${store.title(chat, person.id)} · ${store.name(person.id)}` : "Playground";
  $("#page-title").textContent = document.title;
  if (chat) {
    showHeader(person, chat, topic);
    const start = store.needsStart(chat, person.id);
    $("#start").hidden = !start;
    $("#compose").hidden = start;
    $("#commands").hidden = store.commandsFor(chat, person).length === 0;
    composer.moveTo(`${person.id}:${chat.id}`);
    showMessages(store, { chat, person, topic });
    if (atBottom()) store.markRead(chat.id, person.id);
  }
  showPeople(store, person.id, become, () => profiles.newPerson());
  showChats(store, person.id, chat?.id, open);
}

function showHeader(person, chat, topic) {
  const title = store.title(chat, person.id);
  $("#chat-avatar").replaceChildren(avatar(store.face(chat, person.id), title));
  $("#profile").replaceChildren(element("bdi", {}, title));
  $("#chat-subtitle").textContent = subtitle(person, chat);
  $("#acting").replaceChildren(avatar(person.id, store.name(person.id)));
  $("#acting").setAttribute("aria-label", `Acting as ${store.name(person.id)}: choose somebody else`);
  const topics = chat.is_forum ? [null, 0, ...chat.topics.map(({ id }) => id)] : [];
  $("#topics").hidden = topics.length < 3;
  $("#topics").replaceChildren(...topics.map((id) => {
    const name = id === null ? "All" : id === 0 ? "General" : store.topicName(chat, id);
    const node = element("button", { type: "button", "aria-pressed": String(id === topic), data: { topic: id ?? "all" } }, element("bdi", {}, name));
    node.addEventListener("click", () => go({ chat: chat.id, topic: id }));
    return node;
  }));
}

function subtitle(person, chat) {
  const partner = store.partner(chat, person.id);
  if (partner === store.bot.id) return `${store.username(partner)} · bot`;
  if (partner !== null) return store.username(partner) || "no username";
  const bot = ["left", "kicked"].includes(chat.bot) ? [] : [store.bot.id];
  return [...chat.members, ...bot].map((id) => store.name(id)).join(", ");
}

// --- From the server -------------------------------------------------------------------------------------------

function onEvent(event) {
  if (drawer.apply(event)) return;
  store.apply(event);
  switch (event.type) {
    case "hello":
      if (!location.hash) history.replaceState(null, "", `#person=${here().person.id}&chat=${store.privateChat(here().person.id)?.id}`);
      forgetTaps();
      forgetMessages();
      show();
      refreshSheet();
      drawer.watch();
      break;
    case "workshop":
      show();
      showBanner();
      break;
    case "commands": case "descriptions":
      show();
      composer.refresh();
      refreshSheet();
      break;
    case "person": case "chat":
      show();
      refreshSheet();
      break;
    case "added":
      if (!adding.delete(event.query)) break;
      if (event.chat_id === undefined) become(event.person);
      else open(event.chat_id);
      break;
    case "answer":
      endTap(event.query);
      if (event.person !== here().person.id) break;
      if (event.url) follow(event.url);
      if (event.text) (event.show_alert ? alert : toast)(event.text);
      break;
    case "failed":
      if (endTap(event.query) || adding.delete(event.query)) toast(event.text);
      else composer.showResults(event.query, []);
      break;
    case "inline_results":
      composer.showResults(event.query, event.results);
      break;
    case "error":
      toast(event.text);
      break;
    default:
      show();
  }
}

function endTap(tag) {
  const button = pending.get(tag);
  button?.removeAttribute("aria-busy");
  return pending.delete(tag);
}

function forgetTaps() {
  for (const tag of [...pending.keys()]) endTap(tag);
}

function onState(open, nextTry) {
  document.body.classList.toggle("offline", !open);
  const seconds = Math.max(1, Math.round((nextTry - Date.now()) / 1000));
  lost = open ? "" : `Connection lost. Trying again in ${seconds} s.`;
  if (!open) forgetTaps(); // their answers went to the connection that is gone
  showBanner();
}

/** Says above everything if nobody answers: the connection is lost, or the bot doesn't run. */
function showBanner() {
  const sign = SIGNS[store.botState];
  $("#banner").hidden = !lost && !sign;
  $("#banner span").textContent = lost || `${store.bot?.first_name} ${sign}`;
  $("#banner button").textContent = lost ? "Try now" : "Start";
  $("#banner button").hidden = !lost && store.botState !== "stopped";
}

// --- To the server ---------------------------------------------------------------------------------------------

function send(message) {
  const sent = connection.send(message);
  if (!sent) toast("Not connected to the playground.");
  return sent;
}

const nextTag = () => `${tab}-${(tags += 1)}`;

/** Adds somebody or something, and opens it as soon as it exists. */
function added(message) {
  const tag = nextTag();
  if (send({ ...message, query: tag })) adding.add(tag);
}

function say(text, replyTo = null, mentions = []) {
  const { person, chat, topic } = here();
  const thread = replyTo?.message_thread_id ?? (topic || undefined);
  return send({
    type: "say", person: person.id, chat_id: chat.id, text,
    reply_to_message_id: replyTo?.message_id, message_thread_id: thread, mentions,
  });
}

function sayPrivately(text) {
  const chat = store.privateChat(here().person.id);
  if (!chat) return;
  go({ chat: chat.id });
  if (text !== null) say(text);
}

function tap(messageId, row, column, node) {
  const { person, chat } = here();
  const button = store.message(chat.id, messageId)?.reply_markup?.inline_keyboard[row]?.[column];
  if (!button) return;
  switch (kind(button)) {
    case "url":
      follow(button.url);
      break;
    case "switch":
      write(`@${store.bot.username} ${button.switch_inline_query_chosen_chat.query}`);
      break;
    case "callback": {
      if (node.getAttribute("aria-busy") === "true") break;
      const tag = nextTag();
      if (!send({ type: "tap", person: person.id, chat_id: chat.id, message_id: messageId, row, column, query: tag })) break;
      node.setAttribute("aria-busy", "true");
      pending.set(tag, node);
      break;
    }
    default:
      toast("The playground can't do what this button asks.");
  }
}

/** Puts a text into the composer of a chat, which the person chooses if it isn't given. */
async function write(text, chat = null) {
  chat ??= await pick(() => true);
  if (chat === null) return;
  go({ chat, topic: chat === here().chat?.id ? here().topic : null });
  composer.fill(text);
}

function pick(suits) {
  const chats = store.chatsOf(here().person.id).filter(suits);
  return pickChat(chats.map((chat) => ({ id: chat.id, title: store.title(chat, here().person.id) })));
}

/** Follows an address; those of t.me stay in the page. */
async function follow(address) {
  const what = meaning(address, store.bot.username);
  if (!what) return;
  if (what.open) window.open(what.open, "_blank", "noopener");
  else if (what.share !== undefined) write(what.share);
  else if (what.startGroup !== undefined) {
    const chat = await pick(({ type }) => type !== "private");
    if (chat === null) return;
    go({ chat });
    say(`/start@${store.bot.username} ${what.startGroup}`.trim());
  } else sayPrivately(what.start === null ? null : `/start ${what.start}`.trim());
}

// --- Beginning -------------------------------------------------------------------------------------------------

const composer = new Composer({
  bot: () => store.bot,
  inGroup: () => here().chat.type !== "private",
  commands: () => (store.bot && here().chat ? store.commandsFor(here().chat, here().person) : []),
  people: () => (store.bot && here().chat ? whoIsHere() : []),
  send: say,
  askInline: (text) => {
    const tag = nextTag();
    send({ type: "inline", person: here().person.id, chat_id: here().chat.id, text, query: tag });
    return tag;
  },
  chooseInline: (resultId, tag) =>
    send({ type: "choose", person: here().person.id, chat_id: here().chat.id, result_id: resultId, query: tag }),
});

/** The bot, which can be called anywhere, and the others in this chat, to be named in a message. */
function whoIsHere() {
  const { person, chat } = here();
  const named = chat.type === "private" ? [] : chat.members.filter((id) => id !== person.id);
  return [store.bot.id, ...named].map((id) => ({ id, name: store.name(id), username: store.username(id).slice(1) }));
}

const profiles = new Profiles({ store, here, send, become, open, added });
const drawer = new Drawer({
  send: (message) => connection.send(message) || toast("Not connected to the playground."),
  botName: () => store.bot?.first_name ?? "The bot",
  openChat: () => here().chat?.id,
  chatTitle: (id) => store.chats.get(id)?.title ?? "",
});

onClicks({
  button: tap,
  reply: (messageId) => composer.reply(store.message(here().chat.id, messageId)),
  topic: (id) => go({ chat: here().chat.id, topic: id }),
  command: (text) => say(text),
  mention: (username) => {
    const named = store.people.find((person) => person.username?.toLowerCase() === username.toLowerCase());
    if (username.toLowerCase() === store.bot.username.toLowerCase()) profiles.bot();
    else if (named) profiles.person(named.id);
    else toast(`Nobody here is called @${username}.`);
  },
  url: follow,
});
onScroll(() => {
  store.markRead(here().chat.id, here().person.id);
  show();
});
$("#start").addEventListener("click", () => {
  if (say("/start")) toBottom();
});
onArrows($("#messages"));
$("#acting").addEventListener("click", () => profiles.people());
$("#me").addEventListener("click", () => profiles.person(here().person.id));
$("#new").addEventListener("click", () => profiles.newChat());
$("#who").addEventListener("click", () => profiles.chat(here().chat));
$("#back").addEventListener("click", () => go({}));
$("#banner button").addEventListener("click", () => (lost ? connection.connect() : send({ type: "order", what: "start" })));
addEventListener("hashchange", show);

const connection = new Connection("/page/ws", { onEvent, onState });
