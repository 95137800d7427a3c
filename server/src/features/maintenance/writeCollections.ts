import { deserialize, onDemand, serialize } from 'bson';
import type { mongo } from 'mongoose';
import { MaintenanceError } from './errors.ts';
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
  const existing = names.filter((name) => !name.startsWith('system.'));
  if (!dropExisting) {
    for (const name of existing) {
      if ((await db.collection(name).countDocuments({}, { limit: 1 })) === 0) continue;
      throw new MaintenanceError(
        `The database ${db.databaseName} is not empty. Add --drop-existing to delete everything in it and replace it.`,
      );
    }
  }
  for (const name of existing) await db.collection(name).drop();
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

const BSON_OBJECT = 3;
const BSON_ARRAY = 4;
/** Options that keep the BSON type of every value, so that writing a document back gives the same bytes. */
const AS_IT_IS = { promoteValues: false, bsonRegExp: true, validation: { utf8: false } } as const;

/**
 * Decodes a document so that the driver sends exactly these bytes again. A JavaScript object puts fields named by whole
 * numbers first; where that would change the order, a Map is used.
 * @throws MaintenanceError for bytes that cannot be sent unchanged
 */
function decodeExactly(raw: Uint8Array): Record<string, unknown> {
  try {
    for (const read of [() => deserialize(raw, AS_IT_IS), () => ordered(raw)]) {
      const doc = read();
      if (Buffer.from(serialize(doc)).equals(raw)) return doc as Record<string, unknown>;
    }
  } catch {
    // invalid BSON: the error below reports it
  }
  throw new MaintenanceError(
    `A document of ${raw.length} bytes cannot be copied unchanged: ${Buffer.from(raw).toString('hex', 0, 40)}….`,
  );
}

function ordered(raw: Uint8Array): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [type, nameAt, nameLength, at, length] of onDemand.parseToElements(raw)) {
    const name = Buffer.from(raw.subarray(nameAt, nameAt + nameLength)).toString('utf8');
    const value = raw.subarray(at, at + length);
    if (type === BSON_OBJECT) fields.set(name, ordered(value));
    else if (type === BSON_ARRAY) fields.set(name, [...ordered(value).values()]);
    else fields.set(name, Object.values(alone(raw.subarray(nameAt - 1, at + length)))[0]);
  }
  return fields;
}

/** Decodes one field, given as its bytes, as a document of its own. */
function alone(field: Uint8Array): Record<string, unknown> {
  const bytes = Buffer.alloc(field.length + 5);
  bytes.writeInt32LE(bytes.length, 0);
  bytes.set(field, 4);
  return deserialize(bytes, AS_IT_IS);
}
