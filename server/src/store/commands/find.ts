import { type Doc, isDoc, isTrue, toNumber } from '../bson/values.ts';
import type { Collection } from '../collection.ts';
import { badValue, CommandError } from '../errors.ts';
import { filterDoc, parseFilter } from '../query/filter.ts';
import { Finder, type Query } from '../query/find.ts';
import type { Hint } from '../query/planner.ts';
import { parseProjection } from '../query/projection.ts';
import type { Row, Rows } from '../query/scan.ts';
import { parseSort } from '../query/sort.ts';
import { type Command, checkArguments, count, namespace, refuseCollation, refuseOptions } from './call.ts';
import { createCursor, cursorAnswer, FIRST_BATCH, isOver, takeBatch } from './cursors.ts';

const KNOWN = [
  'filter',
  'sort',
  'projection',
  'hint',
  'skip',
  'limit',
  'batchSize',
  'singleBatch',
  'allowDiskUse',
  'noCursorTimeout',
  'allowPartialResults',
  'collation',
  'tailable',
  'awaitData',
  'oplogReplay',
  'min',
  'max',
  'returnKey',
  'showRecordId',
  'let',
];

const NOTHING: Rows = { pull: () => [], ended: true };

export const find: Command = {
  writes: false,
  *run(call) {
    checkArguments(call, KNOWN);
    const { engine, body } = call;
    const ns = namespace(call);
    const collection = engine.catalogue.get(ns);
    const { query, singleBatch } = parseFind(body, collection);
    const project = parseProjection(body.projection);
    const rows = collection ? new Finder(engine, collection, query) : NOTHING;
    const cursor = createCursor(ns, rows, project ?? ((row: Row) => row.raw));
    const batch = yield* takeBatch(cursor, count(body, 'batchSize', FIRST_BATCH));
    const over = singleBatch || isOver(cursor);
    return cursorAnswer('firstBatch', batch, over ? 0 : engine.cursors.add(cursor), ns);
  },
};

/** The query of a find command, or of an explained one. */
export function parseFind(body: Doc, collection: Collection | undefined): { query: Query; singleBatch: boolean } {
  refuseCollation(body);
  refuseOptions(body, ['tailable', 'min', 'max', 'returnKey', 'showRecordId']);
  if (isDoc(body.let) && Object.keys(body.let).length > 0) refuseOptions(body, ['let']);
  const limit = toNumber(body.limit ?? 0) ?? 0;
  const { fields, natural } = parseSort(body.sort);
  const query = {
    filter: parseFilter(filterDoc(body.filter, 'filter')),
    sort: fields,
    natural,
    skip: count(body, 'skip', 0),
    limit: Math.abs(Math.trunc(limit)),
    hint: hintOf(body.hint, collection),
  };
  return { query, singleBatch: isTrue(body.singleBatch) || limit < 0 };
}

/** The index that a hint names, by its name or its key. */
export function hintOf(hint: unknown, collection: Collection | undefined): Hint | undefined {
  if (hint === undefined || hint === null || !collection || (isDoc(hint) && Object.keys(hint).length === 0))
    return undefined;
  const text = isDoc(hint) ? keyText(hint) : hint;
  if (text === '_id_' || text === '_id:1' || text === '$natural:1') return 'ids';
  const index = collection.complete.find(({ name, spec }) => (isDoc(hint) ? keyText(spec.key as Doc) : name) === text);
  if (!index) throw badValue('error processing query: hint provided does not correspond to an existing index');
  return { name: index.name };
}

/** An index key as text, for comparison: `site:1,at:-1`. */
export function keyText(key: Doc): string {
  return Object.entries(key)
    .map(([path, direction]) => `${path}:${toNumber(direction) ?? String(direction)}`)
    .join(',');
}

export const getMore: Command = {
  writes: false,
  *run(call) {
    checkArguments(call, ['collection', 'batchSize']);
    const { engine, body, db } = call;
    const id = toNumber(body.getMore);
    if (id === undefined || typeof body.collection !== 'string')
      throw new CommandError(14, 'getMore needs a cursor and a collection');
    const ns = `${db}.${body.collection}`;
    const cursor = engine.cursors.get(id, ns);
    const size = count(body, 'batchSize', 0);
    const batch = yield* takeBatch(cursor, size === 0 ? Number.MAX_SAFE_INTEGER : size);
    const over = isOver(cursor);
    if (over) engine.cursors.remove(id);
    return cursorAnswer('nextBatch', batch, over ? 0 : id, ns);
  },
};
