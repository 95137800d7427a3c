import mongoose from 'mongoose';
import { startProxiedStore } from './proxiedStore.ts';
import { type Document, documentOf, messageOf } from './wireMessages.ts';

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
  const refusals = new Set<(name: string) => boolean>();
  let refused: string | null = null;
  const store = await startProxiedStore(() => {
    /** By the id of an insert: the place in its batch of the message that was taken out of it. */
    const left = new Map<number, number>();
    return {
      asked(bytes) {
        const command = documentOf(bytes);
        const [verb = ''] = Object.keys(command);
        const name = `${verb} ${command[verb]}`;
        if ([...refusals].some((isRefused) => isRefused(name))) return REFUSED;
        return name === 'insert messages' ? withoutRefused(bytes, command, left) : bytes;
      },
      answered(bytes) {
        const index = left.get(bytes.readInt32LE(8));
        const writeErrors = [{ index, code: OPERATION_FAILED, errmsg: 'refused' }];
        return index === undefined ? bytes : messageOf(bytes, { ...documentOf(bytes), writeErrors });
      },
    };
  });
  const client = await MongoClient.connect(store.directUri);

  function withoutRefused(bytes: Buffer, command: Document, left: Map<number, number>): Buffer {
    const index = (command.documents ?? []).findIndex(({ content }: Document) => content === refused);
    if (index === -1) return bytes;
    left.set(bytes.readInt32LE(4), index);
    return messageOf(bytes, { ...command, documents: command.documents.toSpliced(index, 1) });
  }

  return {
    uri: `mongodb://${store.address}/parley?directConnection=true`,
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
      await store.stop();
    },
  };
}
