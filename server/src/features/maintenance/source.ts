import { createHash } from 'node:crypto';
import { deserialize } from 'bson';
import type { mongo } from 'mongoose';
import { requireReadable, SCHEMA, type SchemaDoc } from '#platform/migrations';

const BATCH = 1_000;

/** A collection to be copied: its definition, and its documents as BSON, by `_id`. */
export interface SourceCollection {
  name: string;
  options: Record<string, unknown>;
  /** As `listIndexes` returns them. */
  indexes: mongo.IndexDescriptionInfo[];
  documents(): AsyncIterable<Uint8Array>;
}

/** The collections of a database, by name. */
export async function collectionsOf(db: mongo.Db): Promise<SourceCollection[]> {
  const listed = await db.listCollections({}, { nameOnly: false }).toArray();
  const collections = listed.filter(({ name, type }) => type === 'collection' && !name.startsWith('system.'));
  return Promise.all(
    collections
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(async ({ name, ...info }) => ({
        name,
        options: 'options' in info && info.options ? { ...info.options } : {},
        indexes: await db.collection(name).listIndexes({ promoteValues: false }).toArray(),
        documents: () => documentsOf(db, name),
      })),
  );
}

/**
 * Refuses collections of a Parley that is newer than this one, or too old for it: its server could not use them.
 * @throws StoreError with one sentence
 */
export async function requireReadableSources(sources: SourceCollection[]): Promise<void> {
  const schema = sources.find(({ name }) => name === SCHEMA);
  if (!schema) return requireReadable({ version: 0, oldestReader: 0 });
  for await (const raw of schema.documents()) requireReadable(deserialize(raw) as SchemaDoc);
}

/** The documents of a collection as raw BSON, exactly as they are stored. */
export async function* documentsOf(db: mongo.Db, name: string): AsyncGenerator<Uint8Array> {
  const options = { raw: true, hint: { _id: 1 }, batchSize: BATCH } as const;
  for await (const doc of db.collection(name).find({}, options)) yield asBytes(doc);
}

function asBytes(doc: unknown): Uint8Array {
  if (doc instanceof Uint8Array) return doc;
  throw new Error('the driver gave a document instead of its bytes');
}

/**
 * Counts documents and makes a fingerprint of them that does not depend on their order, so that two copies can be compared.
 */
export class Fingerprint {
  count = 0;
  private readonly sum = Buffer.alloc(32);

  add(raw: Uint8Array): void {
    this.count++;
    const digest = createHash('sha256').update(raw).digest();
    for (let i = 0; i < this.sum.length; i++) this.sum[i] = (this.sum[i] ?? 0) ^ (digest[i] ?? 0);
  }

  equals(other: Fingerprint): boolean {
    return this.count === other.count && this.sum.equals(other.sum);
  }
}
