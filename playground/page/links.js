// What following a link means here, where t.me is this page.

/**
 * What to do for an address: `{start}` the bot's private chat with a payload (null: just open it), `{startGroup}` a
 * payload for a group to be chosen, `{share}` a text for a chat to be chosen, or `{open}` an address outside.
 * Null for what is no address at all.
 */
export function meaning(address, botUsername) {
  let url;
  try {
    url = new URL(address);
  } catch {
    return null;
  }
  const query = url.searchParams;
  const inside = /^https?:$/.test(url.protocol) && /^(www\.)?(t|telegram)\.me$/i.test(url.hostname);
  if (inside && url.pathname.startsWith("/share")) {
    return { share: [query.get("url"), query.get("text")].filter(Boolean).join("\n") };
  }
  const name = inside ? url.pathname.slice(1) : url.protocol === "tg:" ? query.get("domain") : null;
  if (name?.toLowerCase() === botUsername.toLowerCase()) {
    if (query.has("startgroup")) return { startGroup: query.get("startgroup") };
    return { start: query.has("start") ? query.get("start") : null };
  }
  return /^(https?|mailto):$/.test(url.protocol) ? { open: url.href } : null;
}
