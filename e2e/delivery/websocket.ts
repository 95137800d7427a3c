import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

/** The prefix of an Engine.IO message that is a Socket.IO event or acknowledgement. */
const EVENT_OR_ACK = /^4[23]/;
const HEAD_END = '\r\n\r\n';

export type Direction = 'up' | 'down';
/** What can happen to one event or acknowledgement. */
export type Fault = 'lost' | 'doubled';

/** The faults that are switched on. */
export interface Faults {
  down: boolean;
  lagMs: number;
  next: Partial<Record<Direction, Fault>>;
}

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

const TEXT = 1;
const CLOSE = 8;
const FINAL = 0x80;
const MASKED = 0x80;
const MASK_BYTES = 4;
/** Up to this length it stands in the second byte; else two or eight bytes follow. */
const SHORT_MAX = 125;
const MIDDLE = 126;
const MIDDLE_MAX = 0xffff;

/** A text message as clients must send it (RFC 6455, 5.2): one masked frame. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const mask = randomBytes(MASK_BYTES);
  for (let i = 0; i < payload.length; i++) payload[i] = (payload[i] ?? 0) ^ (mask[i % MASK_BYTES] ?? 0);
  return Buffer.concat([head(payload.length), mask, payload]);
}

function head(length: number): Buffer {
  if (length <= SHORT_MAX) return Buffer.from([FINAL | TEXT, MASKED | length]);
  const long = Buffer.alloc(length <= MIDDLE_MAX ? 4 : 10);
  long[0] = FINAL | TEXT;
  if (length <= MIDDLE_MAX) {
    long[1] = MASKED | MIDDLE;
    long.writeUInt16BE(length, 2);
  } else {
    long[1] = MASKED | (MIDDLE + 1);
    long.writeBigUInt64BE(BigInt(length), 2);
  }
  return long;
}

/** Parses a server's bytes into text messages. @param closed is called for a close frame */
function createReader(hear: (text: string) => void, closed: () => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);

  /** Reads one frame. @returns false if it is not complete yet */
  function readOne(): boolean {
    const short = (rest[1] ?? 0) & ~MASKED;
    const start = short <= SHORT_MAX ? 2 : short === MIDDLE ? 4 : 10;
    if (rest.length < start) return false;
    const length = start === 2 ? short : start === 4 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2));
    if (rest.length < start + length) return false;
    const code = (rest[0] ?? 0) & ~FINAL;
    const payload = rest.toString('utf8', start, start + length);
    rest = rest.subarray(start + length);
    if (code === TEXT) hear(payload);
    if (code === CLOSE) closed();
    return true;
  }

  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= 2 && readOne());
  };
}
