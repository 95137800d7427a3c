// What all processes of a cluster on this machine need.
import { createECDH, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

const SECRET_BYTES = 32;
const KEY_BYTES = 32;

/** A port that nobody listens on. @returns {Promise<number>} */
export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
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
