import type { Socket } from 'node:net';
import mongoose from 'mongoose';

const { BSON } = mongoose.mongo;
export type Document = mongoose.mongo.BSON.Document;

/** Length, id, the id answered to, and the kind of message: each four bytes. Then flags and the kind of section. */
const HEADER = 21;
/** The first answer on a connection is still of this kind: then flags, a cursor, and two numbers. */
const REPLY_HEADER = 36;
const OP_REPLY = 1;
const OP_MSG = 2013;

const headerOf = (bytes: Buffer) => (bytes.readInt32LE(12) === OP_REPLY ? REPLY_HEADER : HEADER);

/** Hears whole messages of MongoDB's wire protocol. */
export function eachMessage(socket: Socket, heard: (bytes: Buffer) => void): void {
  let bytes = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    while (bytes.length >= 4 && bytes.length >= bytes.readInt32LE(0)) {
      const length = bytes.readInt32LE(0);
      heard(bytes.subarray(0, length));
      bytes = bytes.subarray(length);
    }
  });
}

/** The command; the documents of some follow it in a section of their own, which is not looked at. */
export function documentOf(bytes: Buffer): Document {
  if (![OP_MSG, OP_REPLY].includes(bytes.readInt32LE(12))) return {};
  return BSON.deserialize(bytes.subarray(headerOf(bytes)), {
    promoteValues: false,
    allowObjectSmallerThanBufferSize: true,
  });
}

/** Another document under the header of a message, before what follows in sections of their own. */
export function messageOf(bytes: Buffer, document: Document): Buffer {
  const start = headerOf(bytes);
  const header = Buffer.from(bytes.subarray(0, start));
  const sections = bytes.length > start ? bytes.subarray(start + bytes.readInt32LE(start)) : Buffer.alloc(0);
  const body = BSON.serialize(document);
  header.writeInt32LE(header.length + body.length + sections.length, 0);
  return Buffer.concat([header, body, sections]);
}

/** An answer, to another message than the one that it was given to. */
export function answerAgain(bytes: Buffer, id: number): Buffer {
  const answer = Buffer.from(bytes);
  answer.writeInt32LE(id, 8);
  return answer;
}

/** The answer to the message with this id. */
export function answerTo(id: number, document: Document): Buffer {
  const header = Buffer.alloc(HEADER);
  header.writeInt32LE(id, 8);
  header.writeInt32LE(OP_MSG, 12);
  return messageOf(header, document);
}
