import { type Doc, decode, encode, isTrue } from '../bson/values.ts';
import type { Collection } from '../collection.ts';
import { failedToParse } from '../errors.ts';
import type { Query } from '../query/find.ts';
import { parseProjection } from '../query/projection.ts';
import { parseSort } from '../query/sort.ts';
import { parseUpdate, type Update } from '../update/update.ts';
import {
  type Answer,
  type Call,
  type Command,
  checkArguments,
  namespace,
  refuseCollation,
  refuseOptions,
} from './call.ts';
import { writeQuery } from './update.ts';
import { changeFirst, type Stored, updated, upserted, upserting } from './writes.ts';

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
    checkArguments(call, KNOWN);
    refuseCollation(call.body);
    refuseOptions(call.body, ['arrayFilters']);
    const { body, engine } = call;
    const ns = namespace(call);
    const query = modifyQuery(body, engine.catalogue.get(ns));
    const projected = shownBy(body);
    if (isTrue(body.remove)) return yield* changeFirst(call, ns, query, removing(projected), () => removal(null));
    if (body.update === undefined) throw failedToParse('Either an update or remove=true must be specified');
    const update = parseUpdate(body.update, engine.now());
    const none = () => (isTrue(body.upsert) ? upsert(call, ns, query, update, projected) : UNCHANGED);
    return yield* upserting(query.filter, () =>
      changeFirst(call, ns, query, updating(body, query, update, projected), none),
    );
  },
};

function modifyQuery(body: Doc, collection: Collection | undefined): Query {
  const { fields, natural } = parseSort(body.sort);
  return { ...writeQuery(body.query, body.hint, collection), sort: fields, natural };
}

/** Makes the answer from a document. It is built before anything is written, so that a refusal changes nothing. */
type Projected = (doc: Doc) => Doc;

function shownBy(body: Doc): Projected {
  const project = parseProjection(body.fields);
  return project ? (doc) => decode(project({ raw: encode(doc), doc })) : (doc) => doc;
}

const UNCHANGED: Answer = { lastErrorObject: { n: 0, updatedExisting: false }, value: null, ok: 1 };

function removal(value: Doc | null): Answer {
  return { lastErrorObject: { n: value ? 1 : 0 }, value, ok: 1 };
}

function removing(projected: Projected) {
  return (collection: Collection, { doc }: Stored): Answer => {
    const answer = removal(projected(doc));
    collection.remove(doc);
    return answer;
  };
}

function updating(body: Doc, query: Query, update: Update, projected: Projected) {
  return (collection: Collection, found: Stored): Answer => {
    const next = updated(found, update, query);
    const value = projected(isTrue(body.new) && next ? next.doc : found.doc);
    if (next) collection.replace(found.doc, next.doc, next.raw);
    return { lastErrorObject: { n: 1, updatedExisting: true }, value, ok: 1 };
  };
}

function upsert({ engine, body }: Call, ns: string, query: Query, update: Update, projected: Projected): Answer {
  const { doc, raw } = upserted(update, query);
  const value = isTrue(body.new) ? projected(doc) : null;
  engine.catalogue.need(ns).insert(raw, doc);
  return { lastErrorObject: { n: 1, updatedExisting: false, upserted: doc._id }, value, ok: 1 };
}
