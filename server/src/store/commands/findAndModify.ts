import { type Doc, decode, encode, isTrue } from '../bson/values.ts';
import type { Collection } from '../collection.ts';
import { failedToParse } from '../errors.ts';
import type { Query } from '../query/find.ts';
import { parseProjection } from '../query/projection.ts';
import { parseSort } from '../query/sort.ts';
import { parseUpdate } from '../update/update.ts';
import { type Answer, accept, type Call, type Command, namespace, refuseCollation } from './call.ts';
import { writeQuery } from './update.ts';
import { current, targets, updateDocument, upsertDocument } from './writes.ts';

const KNOWN = [
  'query',
  'sort',
  'remove',
  'update',
  'new',
  'fields',
  'upsert',
  'bypassDocumentValidation',
  'arrayFilters',
  'hint',
  'collation',
];

export const findAndModify: Command = {
  writes: true,
  *run(call) {
    accept(call, KNOWN);
    refuseCollation(call.body);
    const { body, engine } = call;
    const ns = namespace(call);
    const collection = engine.catalogue.get(ns);
    const query = modifyQuery(body, collection);
    if (!isTrue(body.remove) && body.update === undefined)
      throw failedToParse('Either an update or remove=true must be specified');
    // what is found and what is done to it lie in one step: nobody comes between
    for (;;) {
      const [found] = collection ? yield* targets(call, collection, query) : [];
      const now = found && collection && current(collection, found, query);
      if (!found || now) return modify(call, ns, query, collection, now);
    }
  },
};

function modifyQuery(body: Doc, collection: Collection | undefined): Query {
  const { fields, natural } = parseSort(body.sort);
  return { ...writeQuery(body.query, body.hint, 1, collection), sort: fields, natural };
}

function modify(
  call: Call,
  ns: string,
  query: Query,
  collection: Collection | undefined,
  doc: Doc | undefined,
): Answer {
  const { body, engine } = call;
  const shown = (value: Doc | undefined) => (value ? reduced(body, query, value) : null);
  if (isTrue(body.remove)) {
    if (doc) collection?.remove(doc);
    return { lastErrorObject: { n: doc ? 1 : 0 }, value: shown(doc), ok: 1 };
  }
  const update = parseUpdate(body.update, body.arrayFilters, engine.now());
  if (collection && doc) {
    const next = updateDocument(collection, doc, update, query) ?? doc;
    return { lastErrorObject: { n: 1, updatedExisting: true }, value: shown(isTrue(body.new) ? next : doc), ok: 1 };
  }
  if (!isTrue(body.upsert)) return { lastErrorObject: { n: 0, updatedExisting: false }, value: null, ok: 1 };
  const made = upsertDocument(engine.catalogue.need(ns), update, query);
  const value = isTrue(body.new) ? shown(made) : null;
  return { lastErrorObject: { n: 1, updatedExisting: false, upserted: made._id }, value, ok: 1 };
}

function reduced(body: Doc, query: Query, doc: Doc): Doc {
  const project = parseProjection(body.fields, query.filter);
  return project ? decode(project({ raw: encode(doc), doc })) : doc;
}
