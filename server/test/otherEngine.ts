import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startStore } from '../src/store/index.ts';
import { type Document, documentOf, eachMessage, messageOf } from './wireMessages.ts';
import { builtWorker } from './workers.ts';

const DUPLICATE_KEY = 11_000;

/** A store that answers as databases do that speak MongoDB's protocol and are none, such as DocumentDB on PostgreSQL. */
export interface OtherEngine {
  uri: string;
  stop(): Promise<void>;
}

/**
 * Starts one: what MongoDB does, but does not promise, is different. A hint gives no order, and what a unique index refuses names
 * the index in the text alone, or nowhere (`findAndModify`).
 */
export async function startOtherEngine(): Promise<OtherEngine> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-engine-'));
  const store = await startStore({ dataDir, workerUrl: await builtWorker('store/worker') });
  const socketPath = decodeURIComponent(/^mongodb:\/\/([^/]+)/.exec(store.uri)?.[1] ?? '');
  const open = new Set<Socket>();
  const proxy = createServer((near) => {
    const far = connect(socketPath);
    for (const [side, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(side);
      side.on('error', () => {}).on('close', () => open.delete(side) && other.destroy());
    }
    eachMessage(near, (bytes) => far.write(withoutHint(bytes)));
    eachMessage(far, (bytes) => near.write(withoutIndexFields(bytes)));
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');

  return {
    uri: `mongodb://127.0.0.1:${(proxy.address() as AddressInfo).port}/parley?directConnection=true`,
    async stop() {
      for (const socket of open) socket.destroy();
      proxy.close();
      await store.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function withoutHint(bytes: Buffer): Buffer {
  const { hint, ...command } = documentOf(bytes);
  if (!('find' in command) || hint === undefined || 'sort' in command) return bytes;
  // The newest document first is the order of no index but that of the ids.
  return messageOf(bytes, { ...command, sort: { _id: -1 } });
}

function withoutIndexFields(bytes: Buffer): Buffer {
  const answer = documentOf(bytes);
  if (Number(answer.code) === DUPLICATE_KEY) {
    const { keyPattern, keyValue, ...rest } = answer;
    return messageOf(bytes, { ...rest, errmsg: 'Duplicate key violation on the requested collection' });
  }
  if (!Array.isArray(answer.writeErrors)) return bytes;
  return messageOf(bytes, { ...answer, writeErrors: answer.writeErrors.map(withNameInText) });
}

function withNameInText({ keyPattern, keyValue, ...error }: Document): Document {
  const [, name] = / index: (\S+)/.exec(error.errmsg) ?? [];
  return { ...error, errmsg: `Duplicate key violation on the requested collection: Index '${name}'` };
}
