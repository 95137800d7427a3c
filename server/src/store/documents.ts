import { ObjectId } from 'bson';
import { joinFields, objectIdField, rawFields } from './bson/raw.ts';
import { type Doc, isDoc, typeName } from './bson/values.ts';
import { CommandError } from './errors.ts';

/** The largest document that may be stored. */
export const MAX_DOCUMENT_BYTES = 16 * 2 ** 20;

/** The maximum nesting of documents and arrays: each level costs stack wherever a document is walked. */
const MAX_DEPTH = 200;

/** The offset of the first field's name: after the length of the document and the field's type. */
const FIRST_NAME_AT = 5;
const ID_NAME = '_id\0';

/** The document with its `_id` as the first field, which is created if there is none. All other bytes stay as they are. */
export function withId(raw: Buffer): Buffer {
  if (raw.toString('latin1', FIRST_NAME_AT, FIRST_NAME_AT + ID_NAME.length) === ID_NAME) return raw;
  const fields = rawFields(raw);
  const id = fields.find(({ name }) => name === '_id');
  const first = id ? raw.subarray(id.start, id.end) : objectIdField('_id', new ObjectId().id);
  return joinFields([
    first,
    ...fields.filter((field) => field !== id).map(({ start, end }) => raw.subarray(start, end)),
  ]);
}

/** Refuses documents that must not be stored: too large, an `_id` of a wrong type, a field name that begins with `$`. */
export function checkStorable(doc: Doc, raw: Buffer): void {
  if (raw.length > MAX_DOCUMENT_BYTES) {
    throw new CommandError(
      10334,
      `BSONObj size: ${raw.length} is invalid. Size must be between 0 and ${MAX_DOCUMENT_BYTES}`,
    );
  }
  if (isDeeper(doc, MAX_DEPTH))
    throw new CommandError(15, `Document exceeds maximum nested object depth: ${MAX_DEPTH}`);
  const type = typeName(doc._id);
  if (type === 'array' || type === 'regex' || type === 'missing') {
    throw new CommandError(2, `The '_id' value cannot be of type ${type}`);
  }
  const inId = isDoc(doc._id) ? dollarField(doc._id) : undefined;
  if (inId)
    throw new CommandError(52, `_id fields may not contain '$'-prefixed fields: ${inId} is not valid for storage.`);
  const dollar = Object.keys(doc).find((name) => name.startsWith('$'));
  if (dollar)
    throw new CommandError(52, `The dollar ($) prefixed field '${dollar}' in '${dollar}' is not valid for storage.`);
}

/** The name of a field, at any depth, that begins with `$`. */
function dollarField(doc: Doc): string | undefined {
  for (const [name, value] of Object.entries(doc)) {
    const found = name.startsWith('$') ? name : isDoc(value) ? dollarField(value) : undefined;
    if (found) return found;
  }
  return undefined;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (!Array.isArray(value) && !isDoc(value)) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
