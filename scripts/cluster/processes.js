// What all processes of a cluster on this machine need.
import { createECDH, randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

const SECRET_BYTES = 32;
const KEY_BYTES = 32;
const FIRST_PORT = 12_000;
const PORTS = 18_000;
/** Processes that follow each other, as those of a test run do, begin far apart. */
let nextPort = process.pid * 151;

/**
 * A port that nobody listens on. It is outside the range from which systems choose ports for connections and for listeners that name
 * none, so that nobody else takes it before it is used, or while what uses it is down.
 * @returns {Promise<number>}
 */
export async function freePort() {
  const port = FIRST_PORT + (nextPort++ % PORTS);
  return (await isFree(port)) ? port : freePort();
}

/** @param {number} port @returns {Promise<boolean>} */
function isFree(port) {
  return new Promise((tell) => {
    const probe = createServer()
      .once('error', () => tell(false))
      .listen(port, '127.0.0.1', () => probe.close(() => tell(true)));
  });
}

/** Kills a process if this one ends before it. @param {import('node:child_process').ChildProcess} child */
export function endWithParent(child) {
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
}

/**
 * Waits for a line of a process's output, and reads the rest, so that its pipe never fills up.
 * @param {import('node:child_process').ChildProcess} child @param {RegExp} pattern
 * @returns {Promise<string>} what the pattern matched
 */
export function outputMatching(child, pattern) {
  return new Promise((found, failed) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [text] = line.match(pattern) ?? [];
      if (text) found(text);
    });
    child.once('exit', () => failed(new Error(`The process ended before it said ${pattern}.`)));
  });
}

/** Secrets that all nodes of a cluster share, as settings. */
export function sharedSecrets() {
  return {
    JWT_SECRET: randomBytes(SECRET_BYTES).toString('hex'),
    DATA_KEY: randomBytes(SECRET_BYTES).toString('hex'),
    VAPID_PRIVATE_KEY: vapidKey(),
  };
}

function vapidKey() {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  // The private key is a number: leading zeros are not part of it.
  return Buffer.concat([Buffer.alloc(KEY_BYTES), ecdh.getPrivateKey()])
    .subarray(-KEY_BYTES)
    .toString('base64url');
}
