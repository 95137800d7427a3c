import { pipeline } from 'node:stream/promises';
import mongoose, { type mongo, type Types } from 'mongoose';
import { connection } from '../connection.ts';
import { unavailable } from '../http/errors.ts';

/** GridFS keeps the bytes in `blobs.files` and `blobs.chunks`. */
const BUCKET = 'blobs';
const CHUNK_BYTES = 255 * 1024;

/** A piece of a file as GridFS stores it. */
interface Chunk {
  _id: Types.ObjectId;
  files_id: Types.ObjectId;
  n: number;
  data: mongo.Binary;
}

function database(): mongo.Db {
  const { db } = connection();
  if (!db) throw unavailable();
  return db;
}

/** Keeps bytes under an id, no more than a chunk of them in memory. */
export async function writeBlob(id: Types.ObjectId, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const bucket = new mongoose.mongo.GridFSBucket(database(), { bucketName: BUCKET, chunkSizeBytes: CHUNK_BYTES });
  // The name is the row's, so that no copy of it stays here.
  await pipeline(pieces, bucket.openUploadStreamWithId(id, ''));
}

/**
 * The bytes kept under an id, piece by piece. The driver's own stream takes a whole file into memory for each slow reader;
 * this one takes a chunk.
 * @throws Error when pieces are missing: the file was removed meanwhile
 */
export async function* readBlob(id: Types.ObjectId, size: number): AsyncGenerator<Uint8Array> {
  const chunks = database().collection<Chunk>(`${BUCKET}.chunks`);
  for (let n = 0; n * CHUNK_BYTES < size; n++) {
    const chunk = await chunks.findOne({ files_id: id, n });
    if (!chunk) throw new Error('a file was removed while it was read');
    yield chunk.data.value();
  }
}

/** Removes the bytes kept under some ids; repeating it is harmless. */
export async function removeBlobs(ids: Types.ObjectId[]): Promise<void> {
  await database()
    .collection<Chunk>(`${BUCKET}.chunks`)
    .deleteMany({ files_id: { $in: ids } });
  await database()
    .collection(`${BUCKET}.files`)
    .deleteMany({ _id: { $in: ids } });
}
