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
 * A minimal Socket.IO client, so that the load generator takes little processor time: WebSocket only, text only, no
 * reconnection.
 */
export class SocketClient {
  #socket;
  #namespace;
  #acks = new Map();
  #listeners = new Map();
  #last = 0;

  /** Connects; resolves when the namespace has accepted the connection. @param namespace `/` or `/visitor` */
  static open(url, namespace, auth) {
    const client = new SocketClient();
    client.#namespace = namespace === '/' ? '' : `${namespace},`;
    client.#socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, {
      perMessageDeflate: false,
    });
    return new Promise((connected, refused) => {
      client.#socket.on('error', refused);
      client.#socket.on('close', () => client.#ended(refused));
      client.#socket.on('message', (bytes) => client.#take(bytes.toString(), { auth, connected, refused }));
    });
  }

  /** Sends an event; resolves with its acknowledgement. @throws Error if that is a failure, or the server ends the connection */
  ask(event, payload) {
    const id = ++this.#last;
    this.#socket.send(`${EVENT}${this.#namespace}${id}${JSON.stringify([event, payload])}`);
    return new Promise((resolve, reject) => {
      this.#acks.set(id, {
        reject,
        take: (answer) => (answer.ok ? resolve(answer) : reject(new Error(answer.message))),
      });
    });
  }

  /** Adds a listener. Events without a listener are not parsed. */
  on(event, listener) {
    this.#listeners.set(event, listener);
  }

  close() {
    this.#acks.clear();
    this.#socket.terminate();
  }

  /** A measurement must not wait for what cannot come any more. */
  #ended(refused) {
    const error = new Error('The server has ended the connection.');
    refused(error);
    for (const { reject } of this.#acks.values()) reject(error);
    this.#acks.clear();
  }

  #take(frame, { auth, connected, refused }) {
    const kind = frame.startsWith('4') ? frame.slice(0, 2) : frame[0];
    const rest = frame.slice(kind.length + this.#namespace.length);
    if (kind === OPEN) this.#socket.send(`${CONNECT}${this.#namespace}${JSON.stringify(auth)}`);
    else if (kind === PING) this.#socket.send(PONG);
    else if (kind === CONNECT) connected(this);
    else if (kind === REFUSED) refused(new Error(rest));
    else if (kind === ACK) this.#acknowledged(rest);
    else if (kind === EVENT) this.#listeners.get(rest.slice(2, rest.indexOf('"', 2)))?.(...JSON.parse(rest).slice(1));
  }

  #acknowledged(rest) {
    const at = rest.indexOf('[');
    const id = Number(rest.slice(0, at));
    this.#acks.get(id)?.take(JSON.parse(rest.slice(at))[0]);
    this.#acks.delete(id);
  }
}
