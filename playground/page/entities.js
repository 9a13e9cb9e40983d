// Message text with Bot API entities as elements. Offsets count UTF-16 units, just as JavaScript strings do.

import { element } from "./dom.js";
import { clock } from "./time.js";

// These two emoji are the game, so they are drawn here (theme.css) and look the same where no emoji font is installed.
const MARK = /([❌⭕])\uFE0F?/u;
const SHAPES = { "❌": "M5.5 5.5l13 13m0-13l-13 13", "⭕": "M4.4 12a7.6 7.6 0 1 0 15.2 0a7.6 7.6 0 1 0-15.2 0" };
const SVG = "http://www.w3.org/2000/svg";

/** Text as nodes, with the marks ❌ and ⭕ drawn; what is copied or read aloud is the text itself. */
export function plain(text) {
  const parts = text.split(MARK);
  return parts.map((part, index) => (index % 2 ? element("span", { class: "mark" }, drawing(part), part) : part));
}

function drawing(mark) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  for (const layer of ["edge", "line"]) {
    const path = svg.appendChild(document.createElementNS(SVG, "path"));
    path.setAttribute("class", layer);
    path.setAttribute("d", SHAPES[mark]);
  }
  return svg;
}

/**
 * The text as nodes in which every entity is an element.
 *
 * Links and commands are marked with `data-url`, `data-command` and `data-mention`; who shows them listens for clicks.
 * Entities that lie badly are cut to fit: one that sticks out of another is split, so that no text is lost or doubled.
 */
export function formatted(text, entities = []) {
  const sound = entities
    .map(({ offset, length, ...rest }) => ({ ...rest, start: Math.max(0, offset), end: Math.min(text.length, offset + length) }))
    .filter(({ start, end }) => start < end);
  return nodes(text, 0, text.length, sound);
}

function nodes(text, start, end, entities) {
  const queue = [...entities].sort((one, other) => one.start - other.start || other.end - one.end);
  const result = [];
  let at = start;
  while (queue.length > 0) {
    const entity = queue.shift();
    const inner = [];
    while (queue.length > 0 && queue[0].start < entity.end) {
      const next = queue.shift();
      inner.push({ ...next, end: Math.min(next.end, entity.end) });
      if (next.end > entity.end) {
        const rest = { ...next, start: entity.end };
        const place = queue.findIndex((other) => other.start > rest.start);
        queue.splice(place < 0 ? queue.length : place, 0, rest);
      }
    }
    result.push(...between(text.slice(at, entity.start), result));
    const content = nodes(text, entity.start, entity.end, inner);
    result.push(...wrapped(entity, text.slice(entity.start, entity.end), content));
    at = entity.end;
  }
  result.push(...between(text.slice(at, end), result));
  return result.filter((node) => node !== "");
}

// A block ends its line by itself, so the line break after it would show as an empty line.
function between(text, before) {
  const block = /^(PRE|BLOCKQUOTE)$/.test(before.at(-1)?.tagName) && text.startsWith("\n");
  return block ? [element("span", { hidden: true }, "\n"), ...plain(text.slice(1))] : plain(text);
}

const TAGS = { bold: "strong", italic: "em", underline: "u", strikethrough: "s", code: "code" };

function wrapped(entity, covered, content) {
  switch (entity.type) {
    case "bold": case "italic": case "underline": case "strikethrough": case "code":
      return [element(TAGS[entity.type], {}, ...content)];
    case "pre":
      return [element("pre", {}, element("code", {}, ...content))];
    case "spoiler":
      return [spoiler(content)];
    case "blockquote":
      return [element("blockquote", { dir: "auto" }, ...content)];
    case "text_link":
      return [link(entity.url, content, entity.url)];
    case "url":
      return [link(/^[a-z]+:/i.test(covered) ? covered : `https://${covered}`, content)];
    case "email":
      return [link(`mailto:${covered}`, content)];
    case "hashtag": case "cashtag": case "phone_number":
      return [element("span", { class: "mention" }, ...content)];
    case "bot_command":
      return [element("button", { type: "button", class: "link", dir: "ltr", data: { command: covered } }, ...content)];
    case "mention":
      return [element("button", { type: "button", class: "link", dir: "ltr", data: { mention: covered.slice(1) } }, ...content)];
    case "text_mention":
      return [element("span", { class: "mention", title: entity.user?.first_name }, ...content)];
    case "date_time": // where somebody reads it, as apps show it
      return [element("time", { title: covered }, clock(entity.unix_time))];
    default: // whatever is new reads well as it stands
      return content;
  }
}

function link(url, content, title) {
  // Only addresses that merely open something; "javascript:" and its like stay words.
  if (!/^(https?|tg|mailto):/i.test(url)) return element("span", {}, ...content);
  return element("a", { href: url, title, target: "_blank", rel: "noopener noreferrer", data: { url } }, ...content);
}

function spoiler(content) {
  const inside = element("span", { "aria-hidden": "true" }, ...content);
  const node = element("span", { class: "spoiler", role: "button", tabindex: "0", "aria-label": "Hidden text: show" }, inside);
  const reveal = (event) => {
    if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation(); // a link under the cover is not meant yet
    node.replaceWith(element("span", { class: "spoiler revealed" }, ...inside.childNodes));
  };
  node.addEventListener("click", reveal);
  node.addEventListener("keydown", reveal);
  return node;
}
