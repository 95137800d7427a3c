import WebSocket from 'ws';

/** The first characters of Engine.IO 4 frames, and of Socket.IO 5 packets within messages. */
const OPEN = '0';
const PING = '2';
const PONG = '3';
const CONNECT = '40';
const EVENT = '42';
const ACK = '43';
const REFUSED = '44';

/**
 * The least of a Socket.IO client that a measurement needs, so that the generator costs little beside what it measures:
 * websocket only, text only, no reconnecting.
 */
export class Line {
  #socket;
  #namespace;
  #acks = new Map();
  #heard = new Map();
  #last = 0;

  /** Resolves once the namespace has let it in. @param namespace `/` or `/visitor` */
  static open(url, namespace, auth) {
    const line = new Line();
    line.#namespace = namespace === '/' ? '' : `${namespace},`;
    line.#socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, {
      perMessageDeflate: false,
    });
    return new Promise((connected, refused) => {
      line.#socket.on('error', refused);
      line.#socket.on('message', (bytes) => line.#take(bytes.toString(), { auth, connected, refused }));
    });
  }

  /** Sends an event; resolves with its acknowledgement. @throws Error when that is a refusal */
  ask(event, payload) {
    const id = ++this.#last;
    this.#socket.send(`${EVENT}${this.#namespace}${id}${JSON.stringify([event, payload])}`);
    return new Promise((resolve, reject) => {
      this.#acks.set(id, (answer) => (answer.ok ? resolve(answer) : reject(new Error(answer.message))));
    });
  }

  /** Only events that somebody hears are parsed. */
  on(event, listener) {
    this.#heard.set(event, listener);
  }

  close() {
    this.#socket.terminate();
  }

  #take(frame, { auth, connected, refused }) {
    const kind = frame.startsWith('4') ? frame.slice(0, 2) : frame[0];
    const rest = frame.slice(kind.length + this.#namespace.length);
    if (kind === OPEN) this.#socket.send(`${CONNECT}${this.#namespace}${JSON.stringify(auth)}`);
    else if (kind === PING) this.#socket.send(PONG);
    else if (kind === CONNECT) connected(this);
    else if (kind === REFUSED) refused(new Error(rest));
    else if (kind === ACK) this.#acknowledged(rest);
    else if (kind === EVENT) this.#heard.get(rest.slice(2, rest.indexOf('"', 2)))?.(...JSON.parse(rest).slice(1));
  }

  #acknowledged(rest) {
    const at = rest.indexOf('[');
    const id = Number(rest.slice(0, at));
    this.#acks.get(id)?.(JSON.parse(rest.slice(at))[0]);
    this.#acks.delete(id);
  }
}
