import { MAX_MESSAGE_BYTES } from '../commands/admin.ts';

const HEADER_BYTES = 16;
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const FLAG = { checksum: 1, moreToCome: 2 } as const;
/** Flags that a receiver must know; it may ignore the others. */
const REQUIRED_FLAGS = 0xffff;
const CHECKSUM_BYTES = 4;

/** A request of the MongoDB wire protocol. */
export interface Request {
  id: number;
  /** The old form (OP_QUERY), in which drivers send their handshake. */
  legacy: boolean;
  /** The client wants no answer. */
  silent: boolean;
  body: Buffer;
  /** Documents sent beside the body, by the argument that they belong to. */
  sequences: { field: string; documents: Buffer[] }[];
}

/** The bytes are not valid protocol, so the connection must be closed. */
export class ProtocolError extends Error {}

/** Splits a stream of bytes into complete messages. */
export class Framer {
  private chunks: Buffer[] = [];
  /** How many bytes of incomplete messages it holds. */
  size = 0;

  push(chunk: Buffer): Buffer[] {
    this.chunks.push(chunk);
    this.size += chunk.length;
    const frames: Buffer[] = [];
    for (let frame = this.next(); frame; frame = this.next()) frames.push(frame);
    return frames;
  }

  private next(): Buffer | undefined {
    if (this.size < HEADER_BYTES) return undefined;
    const first = this.join(HEADER_BYTES);
    const length = first.readInt32LE(0);
    if (length < HEADER_BYTES || length > MAX_MESSAGE_BYTES) throw new ProtocolError(`message of ${length} bytes`);
    if (this.size < length) return undefined;
    const all = this.join(length);
    this.chunks[0] = all.subarray(length);
    this.size -= length;
    return all.subarray(0, length);
  }

  /** The first chunk. If it has fewer than `length` bytes, all chunks are joined into one before. */
  private join(length: number): Buffer {
    const [first] = this.chunks;
    if (first && first.length >= length) return first;
    const all = Buffer.concat(this.chunks);
    this.chunks = [all];
    return all;
  }
}

/**
 * Parses one message.
 * @throws ProtocolError if it is malformed or not supported
 */
export function parseRequest(frame: Buffer): Request {
  const id = frame.readInt32LE(4);
  const opCode = frame.readInt32LE(12);
  try {
    if (opCode === OP_MSG) return parseMessage(id, frame);
    if (opCode === OP_QUERY) return parseQuery(id, frame);
  } catch (error) {
    throw error instanceof ProtocolError ? error : new ProtocolError('message ends too early');
  }
  throw new ProtocolError(`operation ${opCode}`);
}

function parseMessage(id: number, frame: Buffer): Request {
  const flags = frame.readUInt32LE(HEADER_BYTES);
  if (flags & REQUIRED_FLAGS & ~(FLAG.checksum | FLAG.moreToCome)) throw new ProtocolError(`flags ${flags}`);
  const end = frame.length - (flags & FLAG.checksum ? CHECKSUM_BYTES : 0);
  const sequences: Request['sequences'] = [];
  let body: Buffer | undefined;
  let at = HEADER_BYTES + 4;
  while (at < end) {
    const kind = frame.readUInt8(at++);
    const section = sized(frame, at, end);
    at += section.length;
    if (kind === 0 && !body) body = section;
    else if (kind === 1) sequences.push(parseSequence(section));
    else throw new ProtocolError(`section of kind ${kind}`);
  }
  if (!body) throw new ProtocolError('message without a body');
  return { id, legacy: false, silent: (flags & FLAG.moreToCome) !== 0, body, sequences };
}

function parseSequence(section: Buffer): { field: string; documents: Buffer[] } {
  const nameEnd = section.indexOf(0, 4);
  if (nameEnd < 0) throw new ProtocolError('sequence without a name');
  const documents: Buffer[] = [];
  for (let at = nameEnd + 1; at < section.length; ) {
    const document = sized(section, at, section.length);
    documents.push(document);
    at += document.length;
  }
  return { field: section.toString('utf8', 4, nameEnd), documents };
}

const SMALLEST_DOCUMENT = 5;

function sized(bytes: Buffer, at: number, end: number): Buffer {
  const length = bytes.readInt32LE(at);
  if (length < SMALLEST_DOCUMENT || at + length > end) throw new ProtocolError(`part of ${length} bytes`);
  return bytes.subarray(at, at + length);
}

function parseQuery(id: number, frame: Buffer): Request {
  const nameEnd = frame.indexOf(0, HEADER_BYTES + 4);
  const name = frame.toString('utf8', HEADER_BYTES + 4, nameEnd);
  if (nameEnd < 0 || !name.endsWith('.$cmd')) throw new ProtocolError('a query in the old form');
  return { id, legacy: true, silent: false, body: sized(frame, nameEnd + 9, frame.length), sequences: [] };
}

let lastId = 0;

/** The message that answers a request. */
export function answerFrame(request: Request, body: Buffer): Buffer[] {
  const extra = request.legacy ? 20 : 5;
  const head = Buffer.alloc(HEADER_BYTES + extra);
  lastId = (lastId + 1) & 0x7fffffff;
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(lastId, 4);
  head.writeInt32LE(request.id, 8);
  head.writeInt32LE(request.legacy ? OP_REPLY : OP_MSG, 12);
  // the old form counts its documents: one
  if (request.legacy) head.writeInt32LE(1, HEADER_BYTES + 16);
  return [head, body];
}
