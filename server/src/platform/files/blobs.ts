import { pipeline } from 'node:stream/promises';
import mongoose, { type mongo, type Types } from 'mongoose';
import { connection } from '#platform/database';
import { unavailable } from '#platform/http';

/** GridFS keeps the bytes in `blobs.files` and `blobs.chunks`. */
const BUCKET = 'blobs';
const CHUNK_BYTES = 255 * 1024;

/** A chunk of a file, as GridFS stores it. */
interface Chunk {
  _id: Types.ObjectId;
  files_id: Types.ObjectId;
  n: number;
  data: mongo.Binary;
}

function database(): mongo.Db {
  const { db } = connection;
  if (!db) throw unavailable();
  return db;
}

/** Stores bytes under an id, with at most one chunk of them in memory. */
export async function writeBlob(id: Types.ObjectId, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const bucket = new mongoose.mongo.GridFSBucket(database(), { bucketName: BUCKET, chunkSizeBytes: CHUNK_BYTES });
  // The file's name is kept in its row in `files` only, so that no copy of it remains in GridFS.
  await pipeline(pieces, bucket.openUploadStreamWithId(id, ''));
}

/**
 * Streams the bytes stored under an id. It holds one chunk in memory; the driver's own stream buffers a whole file for each
 * slow reader.
 * @throws Error when chunks are missing, because the file was removed meanwhile
 */
export async function* readBlob(id: Types.ObjectId, size: number): AsyncGenerator<Uint8Array> {
  const chunks = database().collection<Chunk>(`${BUCKET}.chunks`);
  for (let n = 0; n * CHUNK_BYTES < size; n++) {
    const chunk = await chunks.findOne({ files_id: id, n });
    if (!chunk) throw new Error('the file was deleted while it was being read');
    yield chunk.data.value();
  }
}

/** Removes the bytes stored under these ids. Idempotent. */
export async function removeBlobs(ids: Types.ObjectId[]): Promise<void> {
  await database()
    .collection<Chunk>(`${BUCKET}.chunks`)
    .deleteMany({ files_id: { $in: ids } });
  await database()
    .collection(`${BUCKET}.files`)
    .deleteMany({ _id: { $in: ids } });
}
