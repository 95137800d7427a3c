import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** One request and its answer on the wire; for a WebSocket everything so far. */
export interface Exchange {
  /** `GET /widget.js` */
  request: string;
  /** Bytes to the server, request line and headers included. */
  sent: number;
  /** Bytes from the server, status line and headers included. */
  received: number;
}

/** A proxy between a browser and Parley that counts every byte. */
export interface Meter {
  origin: string;
  /** All exchanges since the start or the last `reset`, in order. */
  exchanges(): Exchange[];
  /** Starts counting again. */
  reset(): void;
  stop(): Promise<void>;
}

const REQUEST_LINE = /^([A-Z]{3,7} \S+) HTTP\/1\.1\r\n/;

/** Browsers do not pipeline, so all bytes of a connection after a request line belong to that request, up to the next one. */
export async function startMeter(port: number): Promise<Meter> {
  let exchanges: Exchange[] = [];
  const open = new Set<Socket>();

  const server = createServer((browser) => {
    const upstream = connect(port, 'localhost');
    let current: Exchange | null = null;
    browser.on('data', (bytes) => {
      const [, request] = REQUEST_LINE.exec(bytes.toString('latin1')) ?? [];
      if (request) {
        current = { request, sent: 0, received: 0 };
        exchanges.push(current);
      }
      if (current) current.sent += bytes.length;
    });
    upstream.on('data', (bytes) => {
      if (current) current.received += bytes.length;
    });
    for (const [from, to] of [
      [browser, upstream],
      [upstream, browser],
    ] as const) {
      open.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.once('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
  });
  await once(server.listen(0, 'localhost'), 'listening');
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    exchanges: () => exchanges.map((exchange) => ({ ...exchange })),
    reset() {
      exchanges = [];
    },
    async stop() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
