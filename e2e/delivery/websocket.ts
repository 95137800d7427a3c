import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { Direction, Faults } from './network.ts';
import { createReader, textFrame } from './websocket-frames.ts';

/** The prefix of an Engine.IO message that is a Socket.IO event or acknowledgement. */
const EVENT_OR_ACK = /^4[23]/;
const HEAD_END = '\r\n\r\n';

/** A page's WebSocket; `fail` and `swallows` are for the network. */
export interface PageSocket {
  swallows: boolean;
  readyState: number;
  onopen: ((event: object) => void) | null;
  onmessage: ((event: { data: string }) => void) | null;
  onclose: ((event: object) => void) | null;
  onerror: ((event: object) => void) | null;
  send(text: string): void;
  close(): void;
  fail(): void;
}

interface Surroundings {
  faults: Faults;
  /** The open sockets; each adds itself. */
  sockets: Set<PageSocket>;
  hear(text: string): void;
}

/** A WebSocket whose messages can be lost, doubled, delayed or swallowed, as `faults` says. */
export function createSocketClass({ faults, sockets, hear }: Surroundings): new (url: string) => PageSocket {
  return class implements PageSocket {
    static readonly OPEN = 1;
    readyState = 0;
    swallows = false;
    binaryType = 'arraybuffer';
    onopen: PageSocket['onopen'] = null;
    onmessage: PageSocket['onmessage'] = null;
    onclose: PageSocket['onclose'] = null;
    onerror: PageSocket['onerror'] = null;
    #wire: Socket;
    #queues = { up: Promise.resolve(), down: Promise.resolve() };

    constructor(address: string) {
      const { hostname, port, pathname, search, host } = new URL(address);
      this.#wire = connect(Number(port), hostname);
      sockets.add(this);
      const key = randomBytes(16).toString('base64');
      this.#wire.write(
        `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}${HEAD_END}`,
      );
      this.#wire.on('error', () => {});
      this.#wire.on('close', () => this.#end());
      this.#listen();
      if (faults.down) this.fail();
    }

    #listen(): void {
      const read = createReader(
        (text) => this.#pass('down', text, () => this.#take(text)),
        () => this.fail(),
      );
      let head = Buffer.alloc(0);
      this.#wire.on('data', (bytes) => {
        if (this.readyState === 1) return read(bytes);
        head = Buffer.concat([head, bytes]);
        const end = head.indexOf(HEAD_END);
        if (end < 0) return;
        if (!head.toString('latin1').startsWith('HTTP/1.1 101')) return this.fail();
        this.readyState = 1;
        this.onopen?.({});
        read(head.subarray(end + HEAD_END.length));
      });
    }

    #take(text: string): void {
      if (this.swallows) return;
      hear(text);
      this.onmessage?.({ data: text });
    }

    /** Passes a message on, in order, with the faults that are switched on. */
    #pass(direction: Direction, text: string, go: () => void): void {
      const fault = EVENT_OR_ACK.test(text) ? faults.next[direction] : undefined;
      if (fault) delete faults.next[direction];
      if (fault === 'lost') return;
      const due = Date.now() + faults.lagMs;
      this.#queues[direction] = this.#queues[direction].then(async () => {
        // A task for each message, as in a browser.
        await new Promise((done) => setTimeout(done, due - Date.now()));
        if (this.readyState !== 1) return;
        go();
        if (fault === 'doubled') go();
      });
    }

    send(text: string): void {
      this.#pass('up', text, () => this.#wire.write(textFrame(text)));
    }

    close(): void {
      this.readyState = 2;
      this.#wire.destroy();
    }

    fail(): void {
      this.#wire.destroy();
    }

    #end(): void {
      if (this.readyState === 3) return;
      this.readyState = 3;
      sockets.delete(this);
      this.onclose?.({ code: 1006, reason: '' });
    }
  };
}
