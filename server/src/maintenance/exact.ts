import { deserialize, onDemand, serialize } from 'bson';
import { MaintenanceError } from './errors.ts';

const BSON_OBJECT = 3;
const BSON_ARRAY = 4;
/** Options that keep the BSON type of every value, so that writing a document back gives the same bytes. */
const AS_IT_IS = { promoteValues: false, bsonRegExp: true, validation: { utf8: false } } as const;

/**
 * Decodes a document so that the driver sends exactly these bytes again. A JavaScript object puts fields named by whole
 * numbers first; where that would change the order, a Map is used.
 * @throws MaintenanceError for bytes that cannot be sent unchanged
 */
export function decodeExactly(raw: Uint8Array): Record<string, unknown> {
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
