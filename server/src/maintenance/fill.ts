import type { mongo } from 'mongoose';
import { MaintenanceError } from './errors.ts';
import { decodeExactly } from './exact.ts';
import { documentsOf, Fingerprint, type SourceCollection } from './source.ts';

const BATCH_DOCS = 1_000;
const BATCH_BYTES = 8 * 2 ** 20;

/** How much was written. */
export interface CopyResult {
  collections: number;
  documents: number;
}

/**
 * Writes collections into a database, then reads everything back and compares it with what was written.
 * @param dropExisting removes what is in the database first
 * @throws MaintenanceError if the database is not empty, or does not hold in the end what was written
 */
export async function writeCollections(
  db: mongo.Db,
  sources: SourceCollection[],
  dropExisting: boolean,
): Promise<CopyResult> {
  await empty(db, dropExisting);
  const filled = { collections: sources.length, documents: 0 };
  for (const source of sources) {
    const written = await write(db, source);
    const stored = new Fingerprint();
    for await (const raw of documentsOf(db, source.name)) stored.add(raw);
    if (!stored.equals(written))
      throw new MaintenanceError(
        `${source.name} differs after the copy: ${written.count} documents were written, ${stored.count} were found. Is another program writing to this database?`,
      );
    filled.documents += written.count;
  }
  return filled;
}

async function empty(db: mongo.Db, dropExisting: boolean): Promise<void> {
  const names = (await db.listCollections().toArray()).map(({ name }) => name);
  const own = names.filter((name) => !name.startsWith('system.'));
  if (!dropExisting) {
    for (const name of own) {
      if ((await db.collection(name).countDocuments({}, { limit: 1 })) === 0) continue;
      throw new MaintenanceError(
        `The database ${db.databaseName} is not empty. Add --drop-existing to delete everything in it and replace it.`,
      );
    }
  }
  for (const name of own) await db.collection(name).drop();
}

async function write(db: mongo.Db, { name, options, indexes, documents }: SourceCollection): Promise<Fingerprint> {
  await db.createCollection(name, options);
  const wanted = indexes.filter((index) => index.name !== '_id_');
  if (wanted.length > 0) await db.command({ createIndexes: name, indexes: wanted });
  const written = new Fingerprint();
  let batch: Record<string, unknown>[] = [];
  let bytes = 0;
  const send = async () => {
    if (batch.length > 0) await db.collection(name).insertMany(batch);
    batch = [];
    bytes = 0;
  };
  for await (const raw of documents()) {
    if (batch.length === BATCH_DOCS || bytes + raw.length > BATCH_BYTES) await send();
    batch.push(decodeExactly(raw));
    bytes += raw.length;
    written.add(raw);
  }
  await send();
  return written;
}
