// Moments in the reader's own time zone and manner.

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const DAYS = {
  long: new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long" }),
  short: new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" }),
};

/** Hours and minutes of a moment in seconds since 1970. */
export const clock = (seconds) => CLOCK.format(1000 * seconds);

/** The day of a moment in seconds since 1970. */
export const day = (seconds, length = "long") => DAYS[length].format(1000 * seconds);

const EXACT = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 });

/** A moment to the millisecond. */
export const exact = (seconds) => EXACT.format(1000 * seconds);
