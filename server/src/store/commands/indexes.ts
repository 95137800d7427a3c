import { Int32 } from 'bson';
import { type Doc, encode, isDoc, isTrue, toNumber } from '../bson/values.ts';
import { buildIndexes } from '../building.ts';
import type { Collection } from '../collection.ts';
import type { Engine } from '../engine.ts';
import { CommandError, unsupported } from '../errors.ts';
import type { Index } from '../indexes.ts';
import { type Filter, parseFilter } from '../query/filter.ts';
import type { Rows } from '../query/scan.ts';
import { indexOf } from '../records.ts';
import { type Call, type Command, checkArguments, docs, inOneStep, namespace, type Steps } from './call.ts';
import { createCursor, cursorAnswer, FIRST_BATCH, takeBatch } from './cursors.ts';
import { keyText } from './find.ts';

const OPTIONS = new Set([
  'v',
  'key',
  'name',
  'ns',
  'unique',
  'sparse',
  'partialFilterExpression',
  'expireAfterSeconds',
  'background',
]);
/** The maximum number of fields of an index key. */
const MAX_FIELDS = 32;
const MAX_INDEXES = 64;

/**
 * Creates indexes. They exist at once and every write maintains them, but queries use them only when they are complete; the
 * answer waits for that.
 */
export const createIndexes: Command = {
  writes: true,
  *run(call) {
    checkArguments(call, ['indexes', 'commitQuorum', 'ignoreUnknownIndexOptions']);
    const { engine } = call;
    const { catalogue } = engine;
    const specs = docs(call.body, 'indexes').map(checkSpec);
    const ns = namespace(call);
    const createdCollectionAutomatically = catalogue.get(ns) === undefined;
    yield* othersBuilding(engine, ns, specs);
    const { ref, numIndexesBefore, fresh } = begin(engine, ns, specs);
    if (fresh.length > 0) yield* buildIndexes(engine, ref, fresh);
    const numIndexesAfter = catalogue.same(ref).indexes.length + 1;
    const note = fresh.length === 0 ? { note: 'all indexes already exist' } : {};
    return { numIndexesBefore, numIndexesAfter, createdCollectionAutomatically, ...note, ok: 1 };
  },
};

/** Waits while another command builds one of the requested indexes. */
function* othersBuilding(engine: Engine, ns: string, specs: Doc[]): Steps<void> {
  const names = new Set(specs.map(({ name }) => name));
  const isBuilding = () =>
    engine.catalogue.get(ns)?.indexes.some(({ id, name }) => names.has(name) && engine.builds.has(id)) === true;
  while (isBuilding()) yield;
}

/**
 * Adds the indexes that are missing to the catalogue.
 * @returns their ids, and those of indexes that were left unfinished
 */
function begin({ catalogue }: Engine, ns: string, specs: Doc[]) {
  const collection = catalogue.need(ns);
  const numIndexesBefore = collection.indexes.length + 1;
  const missing = specs.filter(
    (spec, i) => !exists(collection, spec) && !specs.slice(0, i).some((one) => same(one, spec)),
  );
  const left = collection.indexes.filter((index) => index.building && specs.some((spec) => same(index.spec, spec)));
  if (numIndexesBefore + missing.length > MAX_INDEXES)
    throw new CommandError(67, `add index fails, too many indexes for ${ns}`);
  const fresh = missing.map((spec) => ({ ...indexOf(spec, catalogue.nextIndexId()), building: true }));
  collection.indexes.push(...fresh);
  collection.changed = true;
  return { ref: { ns, id: collection.id }, numIndexesBefore, fresh: [...left, ...fresh].map(({ id }) => id) };
}

const same = (one: Doc, other: Doc) => plainSpec(one).equals(plainSpec(other));

const plainSpec = (spec: Doc) => encode({ ...spec, key: plainKey(spec.key as Doc) });

function checkSpec(spec: Doc): Doc {
  const { key } = spec;
  if (!isDoc(key) || Object.keys(key).length === 0) throw new CommandError(67, 'Index keys cannot be an empty object');
  const unknown = Object.keys(spec).find((option) => !OPTIONS.has(option));
  if (unknown === 'collation' && isDoc(spec.collation) && spec.collation.locale === 'simple') delete spec.collation;
  else if (unknown) throw unsupported(`The index option ${unknown}`);
  if (Object.keys(key).length > MAX_FIELDS) throw new CommandError(67, `Index key has more than ${MAX_FIELDS} fields`);
  for (const [path, direction] of Object.entries(key)) checkField(path, direction);
  const name = typeof spec.name === 'string' ? spec.name : keyText(key).replaceAll(':', '_').replaceAll(',', '_');
  if (/^$|\0/.test(name)) throw new CommandError(67, 'An index name must be neither empty nor hold a null byte.');
  const clean: Doc = { v: 2, key: plainKey(key), name };
  for (const option of ['unique', 'sparse']) if (isTrue(spec[option])) clean[option] = true;
  if (spec.partialFilterExpression !== undefined) clean.partialFilterExpression = checkPartial(spec);
  if (spec.expireAfterSeconds !== undefined) clean.expireAfterSeconds = checkExpiry(spec, key);
  return clean;
}

/** The key with its directions as plain whole numbers, whatever number type a client or a dump used. */
function plainKey(key: Doc): Doc {
  return Object.fromEntries(
    Object.entries(key).map(([path, direction]) => {
      const number = toNumber(direction) ?? 1;
      return [path, Number.isInteger(number) && Math.abs(number) <= 1 ? new Int32(number) : direction];
    }),
  );
}

function checkField(path: string, direction: unknown): void {
  const number = toNumber(direction);
  if (number === undefined) throw unsupported(`An index of type ${JSON.stringify(direction)}`);
  if (number === 0 || Number.isNaN(number)) throw new CommandError(67, 'Values in the index key pattern cannot be 0.');
  if (path.split('.').some((part) => part === '' || part.startsWith('$') || /^\d+$/.test(part))) {
    throw new CommandError(67, `An index on '${path}' is not supported by the embedded store`);
  }
}

function checkPartial({ partialFilterExpression: filter, sparse }: Doc): Doc {
  if (!isDoc(filter)) throw new CommandError(67, 'partialFilterExpression must be an object');
  if (isTrue(sparse)) throw new CommandError(67, 'cannot mix "partialFilterExpression" and "sparse" options');
  checkPartialFilter(parseFilter(filter));
  return filter;
}

const PARTIAL_OPERATORS = new Set(['eq', 'gt', 'gte', 'lt', 'lte', 'in', 'exists']);

function checkPartialFilter(filter: Filter): void {
  if (filter.kind === 'and' || filter.kind === 'or') filter.filters.forEach(checkPartialFilter);
  else if (filter.kind !== 'leaf' || !PARTIAL_OPERATORS.has(filter.operator)) {
    throw new CommandError(67, `Expression not supported in partial index: ${filter.kind}`);
  }
}

function checkExpiry({ expireAfterSeconds }: Doc, key: Doc): unknown {
  const seconds = toNumber(expireAfterSeconds);
  if (seconds === undefined || seconds < 0)
    throw new CommandError(67, 'TTL index expireAfterSeconds must be a number of 0 or more');
  if (Object.keys(key).length > 1 || '_id' in key) {
    throw new CommandError(67, 'TTL indexes are single-field indexes, compound indexes do not support TTL');
  }
  return expireAfterSeconds;
}

/**
 * Whether an identical index exists.
 * @throws CommandError 85 or 86 if another index has its name or its key
 */
function exists(collection: Collection, spec: Doc): boolean {
  const key = keyText(spec.key as Doc);
  if (key === '_id:1') return true;
  for (const index of collection.indexes) {
    const sameKey = keyText(index.spec.key as Doc) === key;
    if (!sameKey && index.name !== spec.name) continue;
    if (same(index.spec, spec)) return true;
    if (!sameKey) {
      throw new CommandError(86, `An existing index has the same name as the requested index: ${index.name}`);
    }
    const samePartial = encode({ filter: index.spec.partialFilterExpression ?? null }).equals(
      encode({ filter: spec.partialFilterExpression ?? null }),
    );
    if (!samePartial && index.name !== spec.name) continue;
    const code = index.name === spec.name ? 86 : 85;
    throw new CommandError(
      code,
      `An equivalent index already exists with a different name or different options: ${index.name}`,
    );
  }
  return false;
}

export const dropIndexes: Command = inOneStep(true, (call) => {
  checkArguments(call, ['index']);
  const collection = call.engine.catalogue.get(namespace(call));
  if (!collection) throw new CommandError(26, 'ns not found');
  const nIndexesWas = collection.indexes.length + 1;
  for (const index of named(collection, call.body.index)) call.engine.catalogue.dropIndex(collection, index);
  return { nIndexesWas, ok: 1 };
});

function named(collection: Collection, wanted: unknown): Index[] {
  if (wanted === '*') return [...collection.indexes];
  if (Array.isArray(wanted)) return wanted.flatMap((one) => named(collection, one));
  const text = isDoc(wanted) ? keyText(wanted) : wanted;
  if (text === '_id_' || text === '_id:1') throw new CommandError(72, 'cannot drop _id index');
  const found = collection.indexes.filter(
    ({ name, spec }) => (isDoc(wanted) ? keyText(spec.key as Doc) : name) === text,
  );
  if (found.length === 0) throw new CommandError(27, `index not found with name [${String(text)}]`);
  return found;
}

export const listIndexes: Command = {
  writes: false,
  *run(call) {
    checkArguments(call, ['cursor']);
    const ns = namespace(call);
    const collection = call.engine.catalogue.get(ns);
    if (!collection) throw new CommandError(26, `ns does not exist: ${ns}`);
    const specs: Doc[] = [{ v: 2, key: { _id: 1 }, name: '_id_' }, ...collection.indexes.map(({ spec }) => spec)];
    return yield* listAnswer(call, ns, specs);
  },
};

function rowsOf(list: Doc[]): Rows {
  const rows = list.map((doc) => ({ raw: encode(doc) }));
  return {
    get ended() {
      return rows.length === 0;
    },
    pull: () => rows.splice(0),
  };
}

/** Answers a list as a cursor. */
export function* listAnswer(call: Call, ns: string, list: Doc[]) {
  const cursor = createCursor(ns, rowsOf(list), ({ raw }) => raw);
  const size = isDoc(call.body.cursor) ? (toNumber(call.body.cursor.batchSize) ?? FIRST_BATCH) : FIRST_BATCH;
  const batch = yield* takeBatch(cursor, size);
  const id = cursor.pending.length > 0 ? call.engine.cursors.add(cursor) : 0;
  return cursorAnswer('firstBatch', batch, id, ns);
}
