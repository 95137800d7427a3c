import { Int32 } from 'bson';
import { type Doc, decode, encode, getOwn, isDoc, isNumber, isTrue, setOwn } from '../bson/values.ts';
import { CommandError, failedToParse, unsupported } from '../errors.ts';
import { filterDoc, parseFilter } from '../query/filter.ts';
import { matches } from '../query/match.ts';
import { parseProjection } from '../query/projection.ts';
import { parseSort, sortDocs } from '../query/sort.ts';
import { parseExpression } from './expressions.ts';
import { parseGroup } from './group.ts';
import { countField, type Stage, wholeNumber } from './stage.ts';

/** Turns the documents of one stage into those of the next. */
export type Transform = (docs: Doc[]) => Doc[];

/** The work of a stage that needs no other collection. Throws for stages that are unknown or not done here. */
export function parseStage(stage: Stage): Transform {
  const { name, operand } = stage;
  switch (name) {
    case '$match': {
      const filter = parseFilter(filterDoc(operand, '$match'));
      return (docs) => docs.filter((doc) => matches(filter, doc));
    }
    case '$sort': {
      const { fields } = parseSort(operand);
      return (docs) => sortDocs(docs, fields);
    }
    case '$skip': {
      const skipped = wholeNumber(stage, 0);
      return (docs) => docs.slice(skipped);
    }
    case '$limit': {
      const limit = wholeNumber(stage, 1);
      return (docs) => docs.slice(0, limit);
    }
    case '$count':
      return counted(operand);
    case '$group':
      return parseGroup(operand);
    case '$sortByCount': {
      const group = parseGroup({ _id: operand, count: { $sum: new Int32(1) } });
      return (docs) => sortDocs(group(docs), parseSort({ count: new Int32(-1) }).fields);
    }
    case '$project':
      return projected(operand);
    case '$addFields':
    case '$set':
      return withFields(operand);
    case '$unset':
      return unset(operand);
    case '$unwind':
      return unwound(operand);
    case '$replaceRoot':
      return replaced(isDoc(operand) ? operand.newRoot : undefined);
    case '$replaceWith':
      return replaced(operand);
  }
  throw new CommandError(
    40324,
    `Unrecognized pipeline stage name: '${name}', or one that the embedded store does not do`,
  );
}

function counted(operand: unknown): Transform {
  const field = countField(operand);
  return (docs) => (docs.length > 0 ? [{ [field]: new Int32(docs.length) }] : []);
}

const isSwitch = (value: unknown) => isNumber(value) || typeof value === 'boolean';

/** Plain fields are kept or dropped as in a find; those with an expression are computed from the document as it was. */
function projected(operand: unknown): Transform {
  if (!isDoc(operand) || Object.keys(operand).length === 0)
    throw failedToParse('$project specification must be a non-empty object');
  const entries = Object.entries(operand);
  const computed = entries.filter(([, value]) => !isSwitch(value));
  const plain = entries.filter(([, value]) => isSwitch(value));
  if (computed.length === 0) return plainly(operand);
  if (plain.some(([path, value]) => path !== '_id' && !isTrue(value))) {
    throw new CommandError(2, 'Cannot do exclusion in an inclusion projection');
  }
  const keepsId = operand._id === undefined || isTrue(operand._id);
  const kept = plain.filter(([path]) => path !== '_id');
  const base = plainly(kept.length > 0 ? Object.fromEntries(kept) : { _id: 1 });
  const values = computed.map(([path, expression]) => ({ parts: path.split('.'), value: parseExpression(expression) }));
  return (docs) => {
    const bases = base(docs);
    return docs.map((doc, i) => {
      const result = { ...bases[i] };
      if (!keepsId) delete result._id;
      for (const { parts, value } of values) setAt(result, parts, value(doc));
      return result;
    });
  };
}

function plainly(projection: Doc): Transform {
  const project = parseProjection(projection, parseFilter({}));
  if (!project) return (docs) => docs;
  return (docs) => docs.map((doc) => decode(project({ raw: encode(doc), doc })));
}

function withFields(operand: unknown): Transform {
  if (!isDoc(operand)) throw failedToParse('$addFields specification stage must be an object');
  const values = Object.entries(operand).map(([path, expression]) => ({
    parts: path.split('.'),
    value: parseExpression(expression),
  }));
  return (docs) =>
    docs.map((doc) => {
      const result = { ...doc };
      for (const { parts, value } of values) setAt(result, parts, value(doc));
      return result;
    });
}

/** Sets a computed value; documents on the way are copied, not changed. A missing value leaves the field out. */
function setAt(doc: Doc, parts: string[], value: unknown): void {
  const [name, ...rest] = parts as [string, ...string[]];
  if (rest.length === 0) {
    if (value === undefined) delete doc[name];
    else setOwn(doc, name, value);
    return;
  }
  const old = getOwn(doc, name);
  if (Array.isArray(old)) throw unsupported('Computing a field inside the documents of an array');
  const inner = isDoc(old) ? { ...old } : {};
  setOwn(doc, name, inner);
  setAt(inner, rest, value);
}

function unset(operand: unknown): Transform {
  const paths = Array.isArray(operand) ? operand : [operand];
  if (!paths.every((path) => typeof path === 'string' && path !== ''))
    throw failedToParse('$unset needs names of fields');
  return plainly(Object.fromEntries(paths.map((path) => [path, new Int32(0)])));
}

function replaced(expression: unknown): Transform {
  const root = parseExpression(expression);
  return (docs) =>
    docs.map((doc) => {
      const next = root(doc);
      if (isDoc(next)) return next;
      throw new CommandError(40228, "'newRoot' expression must evaluate to an object");
    });
}

function unwound(operand: unknown): Transform {
  const spec: Doc = isDoc(operand) ? operand : { path: operand };
  const { path, includeArrayIndex, preserveNullAndEmptyArrays } = spec;
  if (typeof path !== 'string' || !path.startsWith('$')) throw failedToParse('the path of $unwind must begin with $');
  const parts = path.slice(1).split('.');
  const keeps = isTrue(preserveNullAndEmptyArrays);
  return (docs) =>
    docs.flatMap((doc) => {
      const value = parts.reduce<unknown>((inner, part) => (isDoc(inner) ? getOwn(inner, part) : undefined), doc);
      if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) {
        return keeps
          ? [indexed(Array.isArray(value) ? placed(doc, parts, undefined) : doc, includeArrayIndex, null)]
          : [];
      }
      if (!Array.isArray(value)) return [indexed(doc, includeArrayIndex, null)];
      return value.map((item, i) => indexed(placed(doc, parts, item), includeArrayIndex, new Int32(i)));
    });
}

function placed(doc: Doc, parts: string[], value: unknown): Doc {
  const result = { ...doc };
  setAt(result, parts, value);
  return result;
}

function indexed(doc: Doc, field: unknown, index: unknown): Doc {
  return typeof field === 'string' ? placed(doc, field.split('.'), index) : doc;
}
