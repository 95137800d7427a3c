import { type Doc, decode, encode, isDoc } from '../bson/values.ts';
import type { Answer, Call, Command } from '../commands/call.ts';
import { commandOf } from '../commands/registry.ts';
import type { Engine } from '../engine.ts';
import { CommandError, failedToParse } from '../errors.ts';
import { ProtocolError, type Request } from './protocol.ts';

/**
 * The command that a request names, and its arguments.
 * @throws CommandError for what is unknown or malformed
 */
export function callOf(engine: Engine, { body, sequences, legacy }: Request): { command: Command; call: Call } {
  const doc = decodeBody(body);
  const [name] = Object.keys(doc);
  if (name === undefined) throw failedToParse('empty command');
  const db = typeof doc.$db === 'string' ? doc.$db : 'admin';
  if (!legacy && typeof doc.$db !== 'string') throw new CommandError(40414, 'OP_MSG requests require a $db argument');
  const call: Call = { engine, db, name, body: doc, documents: undefined };
  for (const { field, documents } of sequences) {
    if (name === 'insert' && field === 'documents') call.documents = documents;
    else doc[field] = documents.map((raw) => decode(raw));
  }
  if (name === 'insert' && Array.isArray(doc.documents)) {
    call.documents = doc.documents.map((raw: Buffer) => Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength));
  }
  return { command: commandOf(name), call };
}

function decodeBody(body: Buffer): Doc {
  try {
    // only an insert needs its documents as the bytes received
    const isInsert = body.toString('latin1', 5, 12) === 'insert\0';
    const doc = isInsert ? decode(body, 'documents') : decode(body);
    if (isDoc(doc)) return doc;
  } catch {
    // malformed BSON: the error below reports it
  }
  throw new ProtocolError('a body that is not BSON');
}

/** The bytes of an answer. */
export function answerBytes(answer: Answer): Buffer {
  return Buffer.isBuffer(answer) ? answer : encode(answer);
}

/** The answer of a failed command. An error that is not MongoDB's is reported without its internal details. */
export function errorAnswer(error: unknown): Buffer {
  if (error instanceof CommandError) {
    return encode({ ok: 0, errmsg: error.message, code: error.code, codeName: error.codeName, ...error.details });
  }
  const message = error instanceof Error ? error.message : String(error);
  return encode({ ok: 0, errmsg: `The store failed: ${message}`, code: 1, codeName: 'InternalError' });
}
