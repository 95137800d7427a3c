import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { createReader, textFrame } from './frames.ts';
import type { Direction, Weather } from './line.ts';

/** Engine.IO's mark of what is not its own, then Socket.IO's of an event or of an acknowledgement. */
const EVENT_OR_ACK = /^4[23]/;
const HEAD_END = '\r\n\r\n';

/** What a page knows of its WebSocket; `fail` and `isDeaf` are for the line. */
export interface PageSocket {
  isDeaf: boolean;
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
  weather: Weather;
  /** The sockets that are open: each puts itself in. */
  sockets: Set<PageSocket>;
  hear(text: string): void;
}

/** The WebSocket of a page, whose messages the weather of its line may lose, double, hold up or swallow. */
export function createSocketClass({ weather, sockets, hear }: Surroundings): new (url: string) => PageSocket {
  return class implements PageSocket {
    static readonly OPEN = 1;
    readyState = 0;
    isDeaf = false;
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
      if (weather.down) this.fail();
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
      if (this.isDeaf) return;
      hear(text);
      this.onmessage?.({ data: text });
    }

    /** Lets a message through as the weather is, in the order of coming. */
    #pass(direction: Direction, text: string, go: () => void): void {
      const mishap = EVENT_OR_ACK.test(text) ? weather.next[direction] : undefined;
      if (mishap) delete weather.next[direction];
      if (mishap === 'lost') return;
      const due = Date.now() + weather.lagMs;
      this.#queues[direction] = this.#queues[direction].then(async () => {
        // Each message is a task of its own, as in a browser.
        await new Promise((done) => setTimeout(done, due - Date.now()));
        if (this.readyState !== 1) return;
        go();
        if (mishap === 'doubled') go();
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
