import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between a program and a server, and can stop the program in the middle. */
export interface Relay {
  port: number;
  /** Hands on nothing more of what the program says, once it says this. @returns a promise of that moment */
  holdAt(words: string): Promise<void>;
  /** Ends the connections that are held, and hands on everything again. */
  release(): void;
  stop(): void;
}

/** Starts one before a port of this machine. */
export async function startRelay(to: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  let held: { words: string; tell(): void } | null = null;
  const relay = createServer((program) => {
    const server = connect(to, '127.0.0.1');
    for (const [one, other] of [
      [program, server],
      [server, program],
    ] as const) {
      sockets.add(one);
      one
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(one);
          other.destroy();
        });
    }
    program.on('data', (said) => {
      if (held && said.includes(held.words)) held.tell();
      else server.write(said);
    });
    server.pipe(program);
  });
  const release = () => {
    held = null;
    for (const socket of sockets) socket.destroy();
  };
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  return {
    port: (relay.address() as AddressInfo).port,
    holdAt: (words) =>
      new Promise((tell) => {
        held = { words, tell };
      }),
    release,
    stop() {
      release();
      relay.close();
    },
  };
}
