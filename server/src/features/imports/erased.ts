import { Schema, type Types } from 'mongoose';
import { ChatModel } from '#features/chats';
import { type VisitorDoc, VisitorModel } from '#features/visitors';
import { defineModel, deleteInBatches } from '#platform/database';
import { events } from '#platform/events';
import type { SecretBox } from '#platform/secrets';
import { HOUR_MS } from '#platform/time';
import { keyOfNameless } from './keys.ts';

/** Erased people that a site remembers; beyond it, the oldest are forgotten. */
const REMEMBERED_MAX = 100_000;
/** A tombstone keeps its key this long: an import that began before the erasure meets it. */
const KEY_KEPT_MS = HOUR_MS;
const BATCH = 500;

/** A tombstone: no import may store this person, or conversation, again. `_id` is a keyed hash. */
interface ErasedDoc {
  _id: string;
  site: Types.ObjectId;
  at: Date;
}

const erasedSchema = new Schema<ErasedDoc>(
  {
    _id: { type: String, required: true },
    site: { type: Schema.Types.ObjectId, required: true },
    at: { type: Date, required: true },
  },
  { versionKey: false },
);
erasedSchema.index({ site: 1, at: 1 });
const ErasedModel = defineModel<ErasedDoc>('ErasedImport', erasedSchema, 'erasedImports');

/** Whose data was erased, so that importing the same file again brings nothing back. */
export interface ErasedPeople {
  /** @returns which of these keys are of erased people */
  among(site: Types.ObjectId, keys: string[]): Promise<Set<string>>;
  /** Remembers people as they are erased. @returns a disposer */
  listen(): () => void;
  /** Remembers those whom a crash left out, and removes the keys of old tombstones, which are deleted then. */
  sweep(now: number, signal: AbortSignal): Promise<void>;
}

/** Creates the memory of erased people. It keeps hashes that nobody can make who has the database only. */
export function createErasedPeople({ keyedHash }: SecretBox): ErasedPeople {
  const hashOf = (site: Types.ObjectId, key: string) => keyedHash(`erased import of ${site}: ${key}`);

  async function remember(site: Types.ObjectId, keys: string[]): Promise<void> {
    const at = new Date();
    const writes = keys.map((key) => ({
      updateOne: { filter: { _id: hashOf(site, key) }, update: { $setOnInsert: { site, at } }, upsert: true },
    }));
    for (let from = 0; from < writes.length; from += BATCH)
      await ErasedModel.bulkWrite(writes.slice(from, from + BATCH), { ordered: false });
    const [last] = await ErasedModel.find({ site }).sort({ at: -1 }).skip(REMEMBERED_MAX).limit(1).lean<ErasedDoc[]>();
    if (last) await deleteInBatches(ErasedModel, { site, at: { $lte: last.at } });
  }

  /** Besides the person, each conversation: a file may be read without the column of addresses. */
  async function rememberPerson({ _id, site, importKey }: VisitorDoc): Promise<void> {
    if (importKey === undefined) return;
    const chats = ChatModel.find({ visitor: _id, importKey: { $exists: true } }, { importKey: 1, createdAt: 1 });
    const keys = [importKey];
    for await (const chat of chats.lean<{ importKey: string; createdAt: Date }>().cursor({ batchSize: BATCH }))
      keys.push(keyOfNameless(chat.importKey, chat.createdAt.getTime()));
    await remember(site, keys);
  }

  return {
    async among(site, keys) {
      const hashes = new Map(keys.map((key) => [hashOf(site, key), key]));
      const found = await ErasedModel.find({ _id: { $in: [...hashes.keys()] } }, { _id: 1 }).lean<ErasedDoc[]>();
      return new Set(found.map(({ _id }) => hashes.get(_id) ?? ''));
    },
    listen: () => events.on('visitorErased', ({ visitor }) => rememberPerson(visitor)),
    async sweep(now, signal) {
      const tombstones = VisitorModel.find({ erasedAt: { $gt: new Date(0) }, importKey: { $exists: true } });
      for await (const visitor of tombstones.lean<VisitorDoc>().cursor({ batchSize: BATCH })) {
        if (signal.aborted) return;
        await rememberPerson(visitor);
        const isOld = visitor.erasedAt && visitor.erasedAt.getTime() < now - KEY_KEPT_MS;
        if (isOld) await VisitorModel.updateOne({ _id: visitor._id }, { $unset: { importKey: 1 } });
      }
    },
  };
}

/** Forgets the erased people of a deleted site. */
export async function purgeErasedPeople(site: Types.ObjectId, signal?: AbortSignal): Promise<void> {
  await deleteInBatches(ErasedModel, { site }, signal);
}
