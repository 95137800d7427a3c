import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AppError, badRequest, invalid, sentence } from '#platform/http';
import { FILE_MAX_BYTES } from './contract.ts';

const OWNER_ONLY = 0o600;
const PIECE_BYTES = 256 * 1024;

/** A file that has been received completely. */
export interface ReceivedFile {
  size: number;
  /** The SHA-256 of the bytes as received: distinguishes a retry from another file. */
  digest: string;
  /** Streams its bytes from the start; may be called several times. */
  pieces(): AsyncGenerator<Uint8Array>;
  /** @throws AppError 400 when the sender has hung up meanwhile: nobody would get the answer, or the sender cancelled */
  refuseCutOff(): void;
}

/**
 * Receives an upload into a temporary file, so that slow senders cost no memory, and passes it to `use`. The file is already
 * unlinked, so that nothing remains even if the process crashes.
 * @throws AppError 413 when it is too large, 422 when it is empty or a form, 400 when the upload breaks off
 */
export async function receiveUpload<Result>(
  req: IncomingMessage,
  use: (received: ReceivedFile) => Promise<Result>,
  maxBytes = FILE_MAX_BYTES,
): Promise<Result> {
  if (/^multipart\//i.test(req.headers['content-type'] ?? ''))
    throw invalid([{ msg: sentence('Send the file itself as the request body, not as a form.'), path: 'file' }]);
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const handle = await openNameless();
  try {
    const { size, digest } = await spool(req, handle, maxBytes);
    if (size === 0) throw invalid([{ msg: sentence('This file is empty.'), path: 'file' }]);
    return await use({
      size,
      digest,
      pieces: () => readPieces(handle, size),
      refuseCutOff() {
        if (!req.socket.writable) throw cutOff();
      },
    });
  } finally {
    await handle.close();
  }
}

/** Opens a temporary file that is already unlinked, so that nothing remains even if the process crashes. */
export async function openNameless(): Promise<FileHandle> {
  const name = path.join(tmpdir(), `parley-${randomUUID()}`);
  const handle = await open(name, 'wx+', OWNER_ONLY);
  await unlink(name);
  return handle;
}

async function spool(
  req: IncomingMessage,
  handle: FileHandle,
  maxBytes: number,
): Promise<Pick<ReceivedFile, 'size' | 'digest'>> {
  const hash = createHash('sha256');
  let size = 0;
  try {
    // The connection stays open, because the answer is sent on it.
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      hash.update(chunk);
      await handle.appendFile(chunk);
    }
  } catch (error) {
    // The rest of the body has to be read before the connection can carry anything else.
    req.resume();
    if (!req.socket.writable) throw cutOff();
    throw error;
  }
  return { size, digest: hash.digest('hex') };
}

/**
 * Streams the first `size` bytes of a file. A read may return fewer bytes than asked for, and none only at the end of the
 * file.
 * @throws Error when the file is shorter
 */
export async function* readPieces(handle: Pick<FileHandle, 'read'>, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, size - at));
    const { bytesRead } = await handle.read(piece, 0, piece.length, at);
    if (bytesRead === 0) throw new Error('the stored file is shorter than what was received');
    at += bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}

function cutOff(): AppError {
  return badRequest('UPLOAD_CUT_OFF', sentence('The upload was interrupted. Please try again.'));
}

function tooLarge(maxBytes: number): AppError {
  return new AppError(413, 'TOO_LARGE', sentence('A file can have at most {max} MB.', { max: maxBytes / 1024 / 1024 }));
}
