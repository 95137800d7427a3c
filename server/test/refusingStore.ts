import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import mongoose from 'mongoose';
import { startStore } from '../src/store/index.ts';
import { answerTo, type Document, documentOf, eachMessage, messageOf } from './wireMessages.ts';
import { builtWorker } from './workers.ts';

const { MongoClient } = mongoose.mongo;

/** As a database says it of whatever it cannot do; drivers do not try again. */
const OPERATION_FAILED = 96;
const REFUSED = { ok: 0, code: OPERATION_FAILED, codeName: 'OperationFailed', errmsg: 'refused' };

/** Commands that are being refused. */
interface Refusal {
  /** How many were refused. */
  count(): number;
  /** Ends it. */
  end(): void;
}

/** A store that can be told to refuse commands. */
export interface RefusingStore {
  uri: string;
  /** The database, past all refusals. */
  db: mongoose.mongo.Db;
  /**
   * @param commands names with their collections, such as `update chats`
   * @param most so many are refused; by default all, until the end
   */
  refuse(commands: string[], most?: number): Refusal;
  /** From now on the store refuses each message with this text, and only it, wherever it is in its batch. */
  refuseMessage(content: string): void;
  stop(): Promise<void>;
}

/** Starts a store behind a proxy. */
export async function startRefusingStore(): Promise<RefusingStore> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-refusing-'));
  const store = await startStore({ dataDir, workerUrl: await builtWorker('store/worker') });
  const socketPath = decodeURIComponent(/^mongodb:\/\/([^/]+)/.exec(store.uri)?.[1] ?? '');
  const client = await MongoClient.connect(store.uri);
  const refusals = new Set<(name: string) => boolean>();
  let refused: string | null = null;
  const open = new Set<Socket>();

  const proxy = createServer((near) => {
    const far = connect(socketPath);
    /** By the id of an insert: the place in its batch of the message that was taken out of it. */
    const left = new Map<number, number>();
    for (const [side, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(side);
      side.on('error', () => {}).on('close', () => open.delete(side) && other.destroy());
    }
    eachMessage(near, (bytes) => {
      const command = documentOf(bytes);
      const [verb = ''] = Object.keys(command);
      const name = `${verb} ${command[verb]}`;
      if ([...refusals].some((isRefused) => isRefused(name))) near.write(answerTo(bytes.readInt32LE(4), REFUSED));
      else far.write(name === 'insert messages' ? withoutRefused(bytes, command, left) : bytes);
    });
    eachMessage(far, (bytes) => {
      const index = left.get(bytes.readInt32LE(8));
      const writeErrors = [{ index, code: OPERATION_FAILED, errmsg: 'refused' }];
      near.write(index === undefined ? bytes : messageOf(bytes, { ...documentOf(bytes), writeErrors }));
    });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');

  function withoutRefused(bytes: Buffer, command: Document, left: Map<number, number>): Buffer {
    const index = (command.documents ?? []).findIndex(({ content }: Document) => content === refused);
    if (index === -1) return bytes;
    left.set(bytes.readInt32LE(4), index);
    return messageOf(bytes, { ...command, documents: command.documents.toSpliced(index, 1) });
  }

  return {
    uri: `mongodb://127.0.0.1:${(proxy.address() as AddressInfo).port}/parley?directConnection=true`,
    db: client.db('parley'),
    refuse(commands, most = Number.POSITIVE_INFINITY) {
      let count = 0;
      const isRefused = (name: string) => commands.includes(name) && count < most && ++count > 0;
      refusals.add(isRefused);
      return { count: () => count, end: () => void refusals.delete(isRefused) };
    },
    refuseMessage(content) {
      refused = content;
    },
    async stop() {
      await client.close();
      for (const socket of open) socket.destroy();
      proxy.close();
      await store.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
