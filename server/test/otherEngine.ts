import mongoose from 'mongoose';
import { startProxiedStore } from './proxiedStore.ts';
import { type Document, documentOf, messageOf } from './wireMessages.ts';

const { EJSON } = mongoose.mongo.BSON;
const DUPLICATE_KEY = 11_000;

/** A store that answers as databases do that speak MongoDB's protocol and are none, such as DocumentDB on PostgreSQL. */
export interface OtherEngine {
  uri: string;
  stop(): Promise<void>;
}

/**
 * Starts one: what MongoDB does, but does not promise, is different. A hint gives no order, and what a unique index refuses names
 * the index in the text alone, or nowhere (`findAndModify`). What deletes one document deletes nothing at the first try, as beside
 * an update of the document. A check counts no documents, and nothing is said of the disk.
 */
export async function startOtherEngine(): Promise<OtherEngine> {
  const missed = new Set<string>();
  const asked = (bytes: Buffer) => {
    const command = documentOf(bytes);
    return misses(command, missed) ? { ok: 1, n: 0, value: null } : withoutHint(bytes, command);
  };
  const { address, stop } = await startProxiedStore(() => ({ asked, answered: withLess }));
  return { uri: `mongodb://${address}/parley?directConnection=true`, stop };
}

function misses({ delete: from, deletes, findAndModify, query, remove }: Document, missed: Set<string>): boolean {
  const [one] = deletes?.length === 1 && Number(deletes[0].limit) === 1 ? deletes : [];
  if (!one && !remove) return false;
  const what = EJSON.stringify([from ?? findAndModify, one?.q ?? query]);
  return !missed.has(what) && missed.add(what).size > 0;
}

function withoutHint(bytes: Buffer, { hint, ...command }: Document): Buffer {
  if (!('find' in command) || hint === undefined || 'sort' in command) return bytes;
  // The newest document first is the order of no index but that of the ids.
  return messageOf(bytes, { ...command, sort: { _id: -1 } });
}

function withLess(bytes: Buffer): Buffer {
  const { nrecords, fsUsedSize, fsTotalSize, ...answer } = documentOf(bytes);
  if (nrecords ?? fsTotalSize) return messageOf(bytes, answer);
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
