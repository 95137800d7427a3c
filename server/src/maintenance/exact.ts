import { deserialize, onDemand, serialize } from 'bson';
import { MaintenanceError } from './faults.ts';

const BSON_OBJECT = 3;
const BSON_ARRAY = 4;
/** Nothing is made easier to use: each value keeps its type. */
const AS_IT_IS = { promoteValues: false, bsonRegExp: true, validation: { utf8: false } } as const;

/**
 * A document that the driver will send as exactly these bytes. JavaScript puts fields named by whole numbers first:
 * where that matters, a Map keeps their order.
 * @throws UpkeepError for bytes that cannot be sent unchanged
 */
export function exactly(raw: Uint8Array): Record<string, unknown> {
  try {
    for (const read of [() => deserialize(raw, AS_IT_IS), () => ordered(raw)]) {
      const doc = read();
      if (Buffer.from(serialize(doc)).equals(raw)) return doc as Record<string, unknown>;
    }
  } catch {
    // said below
  }
  throw new MaintenanceError(
    `A document of ${raw.length} bytes cannot be carried over unchanged: ${Buffer.from(raw).toString('hex', 0, 40)}….`,
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

/** A document of one field, given as its bytes. */
function alone(field: Uint8Array): Record<string, unknown> {
  const bytes = Buffer.alloc(field.length + 5);
  bytes.writeInt32LE(bytes.length, 0);
  bytes.set(field, 4);
  return deserialize(bytes, AS_IT_IS);
}
