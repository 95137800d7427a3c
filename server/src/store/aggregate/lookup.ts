import { type Doc, decode, isDoc, setOwn } from '../bson/values.ts';
import type { Collection } from '../collection.ts';
import { failedToParse, unsupported } from '../errors.ts';
import { type Filter, parseFilter } from '../query/filter.ts';
import { Finder } from '../query/find.ts';
import { someAt } from '../query/paths.ts';
import type { Storage } from '../storage/storage.ts';

interface Lookup {
  from: string;
  localField: string;
  foreignField: string;
  as: string;
}

/** Checks a `$lookup` by equality; the form with a pipeline is refused. */
export function parseLookup(operand: unknown): Lookup {
  if (!isDoc(operand)) throw failedToParse('the $lookup specification must be an object');
  const { from, localField, foreignField, as, ...others } = operand;
  if (Object.keys(others).length > 0) throw unsupported(`$lookup with ${Object.keys(others)[0]}`);
  if (
    typeof from !== 'string' ||
    typeof as !== 'string' ||
    typeof localField !== 'string' ||
    typeof foreignField !== 'string'
  ) {
    throw failedToParse('$lookup needs from, localField, foreignField and as');
  }
  if (as.includes('.')) throw unsupported('$lookup into an embedded field');
  return { from, localField, foreignField, as };
}

/** The document with the documents of another collection that it points to. Each is found as by a query of its own. */
export function lookUp(storage: Storage, foreign: Collection | undefined, lookup: Lookup, doc: Doc): Doc {
  const found: Doc[] = [];
  if (foreign) {
    const query = { sort: [], natural: undefined, skip: 0, limit: 0, hint: undefined };
    const finder = new Finder(storage, foreign, { ...query, filter: equalTo(doc, lookup) });
    for (let rows = finder.pull(); rows; rows = finder.pull()) {
      for (const row of rows) found.push(row.doc ?? decode(row.raw));
    }
  }
  const result = { ...doc };
  setOwn(result, lookup.as, found);
  return result;
}

function equalTo(doc: Doc, { localField, foreignField }: Lookup): Filter {
  const values: unknown[] = [];
  someAt(doc, localField.split('.'), false, (value) => {
    values.push(...(Array.isArray(value) ? value : [value ?? null]));
    return false;
  });
  return parseFilter({ [foreignField]: values.length === 1 ? { $eq: values[0] } : { $in: values } });
}
