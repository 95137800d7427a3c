import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import mongoose from 'mongoose';
import { storeSocket } from './parley.js';

const OP_MSG = 2013;
const HEAD_BYTES = 21;
const RANDOM_BYTES_MAX = 4_000;
const COMMANDS = [
  { insert: 'malformed', documents: [{ a: 1, b: { c: [1, 'x', null] } }] },
  { find: 'malformed', filter: { a: { $in: [1, 2] }, $or: [{ b: 1 }, { c: { $gt: 2 } }] }, sort: { a: 1 }, limit: 5 },
  { update: 'malformed', updates: [{ q: { a: 1 }, u: { $set: { 'b.c.0': 2 } }, upsert: true }] },
  { aggregate: 'malformed', pipeline: [{ $match: { a: 1 } }, { $group: { _id: '$a', n: { $sum: 1 } } }], cursor: {} },
  { createIndexes: 'malformed', indexes: [{ key: { a: 1 }, name: 'a_1' }] },
  { getMore: 1, collection: 'malformed' },
];

/** Sends malformed messages to the store of a data folder, each on a connection of its own. @returns how many */
export async function sendMalformedMessages(dataDir, forMs) {
  const path = storeSocket(dataDir);
  const until = performance.now() + forMs;
  let sent = 0;
  for (; performance.now() < until; sent++) {
    const socket = connect(path);
    socket.on('error', () => {});
    const closed = once(socket, 'close');
    socket.resume().end(broken());
    await closed;
  }
  return sent;
}

function broken() {
  const whole = message(COMMANDS[randomInt(COMMANDS.length)]);
  switch (randomInt(4)) {
    case 0:
      return randomBytes(randomInt(RANDOM_BYTES_MAX));
    case 1:
      return whole.subarray(0, randomInt(whole.length));
    case 2:
      return Buffer.concat([whole.subarray(0, HEAD_BYTES), randomBytes(whole.length - HEAD_BYTES)]);
    default:
      for (let i = randomInt(1, 4); i > 0; i--) whole[randomInt(HEAD_BYTES, whole.length)] = randomInt(256);
      return whole;
  }
}

function message(command) {
  const body = mongoose.mongo.BSON.serialize({ ...command, $db: 'parley' });
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeInt32LE(HEAD_BYTES + body.length, 0);
  head.writeInt32LE(OP_MSG, 12);
  return Buffer.concat([head, body]);
}
