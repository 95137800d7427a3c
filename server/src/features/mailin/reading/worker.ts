import { parentPort } from 'node:worker_threads';
import PostalMime from 'postal-mime';
import { hardBounceIn } from './bounces.ts';
import { filesOf } from './files.ts';
import { headersOf } from './headers.ts';
import { machineOf } from './machines.ts';
import type { ReadMail } from './mail.ts';
import { findFlowed, textOf } from './texts.ts';

/** What the thread says: first that it runs, then one answer to each mail. `null`: it cannot be read. */
export type ReaderSays = 'ready' | { mail: ReadMail | null };

/** No mail of a person nests so deeply; the parser needs more time for each line the deeper it is. */
const NESTING_MAX = 50;
/** Of all parts together. */
const HEADERS_MAX_BYTES = 512 * 1024;
/** Lines that may begin parts: each part takes two kilobytes of memory, however small it is. */
const BOUNDARIES_MAX = 20_000;

parentPort?.on('message', async (raw: Uint8Array) => {
  const mail = await readMail(raw).catch(() => null);
  const buffers = new Set(mail?.files.map(({ content }) => content.buffer as ArrayBuffer));
  parentPort?.postMessage({ mail } satisfies ReaderSays, [...buffers]);
});
parentPort?.postMessage('ready' satisfies ReaderSays);

/**
 * Reads a mail.
 * @param raw its bytes; they are changed
 * @throws Error for what is no mail, or nests too deeply, or has too many parts or headers
 */
async function readMail(raw: Uint8Array): Promise<ReadMail> {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  if (countBoundaries(bytes) > BOUNDARIES_MAX) throw new Error('The mail has too many parts.');
  // The lines of some old programs end with CR only, which the parser does not know.
  if (!bytes.includes('\n')) for (let at = bytes.indexOf('\r'); at >= 0; at = bytes.indexOf('\r', at)) bytes[at] = 0x0a;
  const flowed = findFlowed(bytes);
  const email = await PostalMime.parse(bytes, {
    // Mails within a mail are files: what they say is not said by the sender.
    forceRfc822Attachments: true,
    maxNestingDepth: NESTING_MAX,
    maxHeadersSize: HEADERS_MAX_BYTES,
  });
  if (email.headers.length === 0) throw new Error('The mail has no headers.');
  const headers = headersOf(email);
  const bounce = hardBounceIn(email);
  return {
    ...headers,
    machine: machineOf(email, headers, bounce),
    bounce,
    text: textOf(email, flowed),
    ...filesOf(email.attachments),
  };
}

function countBoundaries(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf('\n--'); at >= 0; at = bytes.indexOf('\n--', at + 1)) count++;
  return count;
}
