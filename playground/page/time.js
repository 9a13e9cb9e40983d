// Moments in the reader's own time zone and manner, and the playground's clock, which may be ahead.

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const DAYS = {
  long: new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long" }),
  short: new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" }),
};

let ahead = 0; // seconds

/** Sets how many seconds the playground's clock is ahead of this machine's. */
export function setAhead(seconds) {
  ahead = seconds;
}

/** This moment by the playground's clock, in seconds since 1970. */
export const now = () => Date.now() / 1000 + ahead;

const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60]];

/** A duration of a minute or more in words, such as "1 day 2 hours". */
export function duration(seconds) {
  let rest = Math.round(seconds / 60) * 60;
  return UNITS.map(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return count ? `${count} ${unit}${count > 1 ? "s" : ""}` : "";
  }).filter(Boolean).join(" ");
}

/** Hours and minutes of a moment in seconds since 1970. */
export const clock = (seconds) => CLOCK.format(1000 * seconds);

/** The day of a moment in seconds since 1970. */
export const day = (seconds, length = "long") => DAYS[length].format(1000 * seconds);

const EXACT = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 });

/** A moment to the millisecond. */
export const exact = (seconds) => EXACT.format(1000 * seconds);
