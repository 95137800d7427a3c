import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import mongoose from 'mongoose';
import { startStore } from '../src/store/index.ts';
import { builtWorker } from './workers.ts';

const { BSON, MongoClient } = mongoose.mongo;
type Document = mongoose.mongo.BSON.Document;

/** Length, id, the id answered to, and the kind of message: each four bytes. Then flags and the kind of section. */
const HEADER = 21;
const OP_MSG = 2013;
/** As a database says it of whatever it cannot do; drivers do not try again. */
const OPERATION_FAILED = 96;

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
      if ([...refusals].some((isRefused) => isRefused(name))) near.write(failure(bytes.readInt32LE(4)));
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

/** Hears whole messages of the wire protocol. */
function eachMessage(socket: Socket, heard: (bytes: Buffer) => void): void {
  let bytes = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    while (bytes.length >= 4 && bytes.length >= bytes.readInt32LE(0)) {
      const length = bytes.readInt32LE(0);
      heard(bytes.subarray(0, length));
      bytes = bytes.subarray(length);
    }
  });
}

/** The command; the documents of some follow it in a section of their own, which is not looked at. */
function documentOf(bytes: Buffer): Document {
  if (bytes.readInt32LE(12) !== OP_MSG) return {};
  return BSON.deserialize(bytes.subarray(HEADER), { promoteValues: false, allowObjectSmallerThanBufferSize: true });
}

/** Another document under the header of a message. */
function messageOf(bytes: Buffer, document: Document): Buffer {
  const header = Buffer.from(bytes.subarray(0, HEADER));
  const body = BSON.serialize(document);
  header.writeInt32LE(HEADER + body.length, 0);
  return Buffer.concat([header, body]);
}

function failure(id: number): Buffer {
  const header = Buffer.alloc(HEADER);
  header.writeInt32LE(id, 8);
  header.writeInt32LE(OP_MSG, 12);
  return messageOf(header, { ok: 0, code: OPERATION_FAILED, codeName: 'OperationFailed', errmsg: 'refused' });
}
