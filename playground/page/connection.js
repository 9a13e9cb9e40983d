// The WebSocket to the playground, which comes back by itself.

const FIRST_WAIT = 500; // milliseconds; doubled at each failure
const LONGEST_WAIT = 8000;

/** A connection that calls `onEvent(message)` for what arrives and `onState(open, nextTry)` when it opens or closes. */
export class Connection {
  #address;
  #events;
  #socket = null;
  #wait = FIRST_WAIT;
  #timer = 0;

  constructor(path, { onEvent, onState }) {
    this.#address = new URL(path, location.href).href.replace(/^http/, "ws");
    this.#events = { onEvent, onState };
    this.connect();
  }

  get open() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Connects now, whatever wait was under way. */
  connect() {
    clearTimeout(this.#timer);
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      // Only the server's greeting proves that it's well, so only then do the waits start over.
      this.#wait = FIRST_WAIT;
      this.#events.onEvent(JSON.parse(data));
    });
    socket.addEventListener("open", () => this.#events.onState(true, 0));
    socket.addEventListener("close", () => {
      if (socket !== this.#socket) return;
      this.#events.onState(false, Date.now() + this.#wait);
      this.#timer = setTimeout(() => this.connect(), this.#wait);
      this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
    });
  }

  /** Sends a message and says whether it left; nothing is kept for later, as its moment would be gone. */
  send(message) {
    if (this.open) this.#socket.send(JSON.stringify(message));
    return this.open;
  }
}
