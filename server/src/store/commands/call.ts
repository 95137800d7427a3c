import { type Doc, isDoc, isTrue, toNumber } from '../bson/values.ts';
import type { Engine } from '../engine.ts';
import { badValue, CommandError, failedToParse, typeMismatch, unsupported } from '../errors.ts';

/** One command as it was received. */
export interface Call {
  engine: Engine;
  db: string;
  name: string;
  body: Doc;
  /** The documents of an insert, update or delete; as the bytes received if the command asks for that. */
  documents: Buffer[] | undefined;
}

/** The fields of the answer, or a complete answer that is BSON already. */
export type Answer = Doc | Buffer;

/** A command in steps (cooperative scheduling): at each `yield` other commands may run first. */
export type Steps<T = Answer> = Generator<undefined, T>;

export interface Command {
  /** It may change data, so it runs inside a transaction. */
  writes: boolean;
  run(call: Call): Steps;
}

/** Arguments that every command accepts. A write is always majority and journaled, and a read always sees earlier writes. */
const GENERIC = new Set([
  '$db',
  '$readPreference',
  '$clusterTime',
  'lsid',
  'readConcern',
  'writeConcern',
  'maxTimeMS',
  'comment',
  'apiVersion',
  'apiDeprecationErrors',
]);

/** Refuses unknown arguments, those of transactions, and guarantees that a single server cannot give. */
export function checkArguments({ name, body }: Call, allowed: string[]): void {
  checkConcerns(body);
  for (const key of Object.keys(body)) {
    if (key === name || GENERIC.has(key) || allowed.includes(key)) continue;
    if ('autocommit' in body || 'startTransaction' in body) {
      throw new CommandError(263, 'Transactions are not supported by the embedded store');
    }
    if (key === 'txnNumber') {
      throw new CommandError(20, 'Transaction numbers are only allowed on a replica set member or mongos');
    }
    throw new CommandError(40415, `BSON field '${name}.${key}' is an unknown field.`);
  }
}

/**
 * Reads see only stored data, and there is one member, so every weaker level is fulfilled as well; other levels are refused.
 */
const READ_LEVELS = new Set(['local', 'available', 'majority']);

function checkConcerns({ readConcern, writeConcern, apiStrict }: Doc): void {
  const level = isDoc(readConcern) ? readConcern.level : undefined;
  if (level !== undefined && !READ_LEVELS.has(String(level)))
    throw new CommandError(123, `A single server has no read concern '${String(level)}'`);
  const members = isDoc(writeConcern) ? writeConcern.w : undefined;
  const number = toNumber(members);
  if (number !== undefined ? number > 1 : members !== undefined && members !== 'majority')
    throw badValue("cannot use 'w' > 1 when a host is not replicated");
  if (isTrue(apiStrict)) throw unsupported('apiStrict');
}

/** Refuses unknown fields in one part of a command. */
export function checkFields(name: string, part: Doc, allowed: string[]): void {
  const unknown = Object.keys(part).find((key) => !allowed.includes(key));
  if (unknown !== undefined) throw new CommandError(40415, `BSON field '${name}.${unknown}' is an unknown field.`);
}

/** Refuses options that would change the result and that this store does not support. */
export function refuseOptions(body: Doc, names: string[]): void {
  for (const name of names) if (isTrue(body[name])) throw unsupported(`The option ${name}`);
}

/** Refuses every collation except the simple one. */
export function refuseCollation(body: Doc): void {
  const { collation } = body;
  if (isDoc(collation) && Object.keys(collation).length > 0 && collation.locale !== 'simple') {
    throw unsupported('Collation');
  }
}

/** The full name (`database.collection`) of a command's collection. */
export function namespace(call: Call): string {
  const name = call.body[call.name];
  if (typeof name !== 'string') throw new CommandError(73, `collection name has invalid type for ${call.name}`);
  if (name === '') throw new CommandError(73, `Invalid namespace specified '${call.db}.'`);
  return `${call.db}.${name}`;
}

/** A whole number of at least zero, or the default. */
export function count(body: Doc, field: string, missing: number): number {
  const value = body[field];
  if (value === undefined || value === null) return missing;
  const number = toNumber(value);
  if (number === undefined) throw typeMismatch(`Expected field ${field} to be a number`);
  if (number < 0) throw new CommandError(2, `BSON field '${field}' value must be >= 0, actual value '${number}'`);
  return Math.trunc(number);
}

/** The documents of an array argument. */
export function docs(body: Doc, field: string): Doc[] {
  const value = body[field];
  if (!Array.isArray(value) || !value.every(isDoc)) throw failedToParse(`${field} must be an array of objects`);
  return value;
}

/** A command that runs in one step. */
export function inOneStep(writes: boolean, run: (call: Call) => Answer): Command {
  return {
    writes,
    // biome-ignore lint/correctness/useYield: a command without steps is a generator that only returns
    *run(call) {
      return run(call);
    },
  };
}
