import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startStore } from '../src/store/index.ts';
import { answerTo, type Document, eachMessage } from './wireMessages.ts';
import { builtWorker } from './workers.ts';

/** What a proxy does on one connection. */
interface Between {
  /** @returns the message as it goes on, or the document that answers it */
  asked?(bytes: Buffer): Buffer | Document | Promise<Buffer | Document>;
  /** @returns the answer as it goes on; null: the connection breaks instead */
  answered?(bytes: Buffer): Buffer | null | Promise<Buffer | null>;
}

/** A store behind a proxy. */
export interface ProxiedStore {
  /** `127.0.0.1:27017` */
  address: string;
  /** Of all proxies. */
  addresses: string[];
  /** Past the proxy. */
  directUri: string;
  stop(): Promise<void>;
}

/** Starts one. @param onConnection what a proxy does on each, by its number @param proxies how many lead to the store */
export async function startProxiedStore(onConnection: (proxy: number) => Between, proxies = 1): Promise<ProxiedStore> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-proxied-'));
  const store = await startStore({ dataDir, workerUrl: await builtWorker('store/worker') });
  const socketPath = decodeURIComponent(/^mongodb:\/\/([^/]+)/.exec(store.uri)?.[1] ?? '');
  const open = new Set<Socket>();
  const carry = (proxy: number) => (near: Socket) => {
    const far = connect(socketPath);
    for (const [side, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(side);
      side.on('error', () => {}).on('close', () => open.delete(side) && other.destroy());
    }
    const { asked, answered } = onConnection(proxy);
    eachMessage(near, async (bytes) => {
      const sent = (await asked?.(bytes)) ?? bytes;
      if (Buffer.isBuffer(sent)) far.write(sent);
      else near.write(answerTo(bytes.readInt32LE(4), sent));
    });
    eachMessage(far, async (bytes) => {
      const sent = answered ? await answered(bytes) : bytes;
      if (sent) near.write(sent);
      else near.destroy();
    });
  };
  const listening = Array.from({ length: proxies }, (_, proxy) => createServer(carry(proxy)).listen(0, '127.0.0.1'));
  await Promise.all(listening.map((proxy) => once(proxy, 'listening')));
  const addresses = listening.map((proxy) => `127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  const [address = ''] = addresses;

  return {
    address,
    addresses,
    directUri: store.uri,
    async stop() {
      for (const socket of open) socket.destroy();
      for (const proxy of listening) proxy.close();
      await store.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
