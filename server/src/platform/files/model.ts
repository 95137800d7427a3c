import { type QueryFilter, Schema, Types } from 'mongoose';
import { defineModel } from '#platform/database';
import { HOUR_MS } from '#platform/time';

/** The row of a stored file. It is written before the bytes, so that every stored byte can be found by its row. */
export interface FileDoc {
  /** The id of the file's message; pictures have an id of their own. */
  _id: Types.ObjectId;
  /** 256 random bits, a capability: its holder may read the file. */
  key: string;
  /** The message's site; a picture has an owner instead. */
  site?: Types.ObjectId;
  owner?: Types.ObjectId;
  name: string;
  mime: string;
  /** The size in bytes, as served. */
  size: number;
  createdAt: Date;
  /** Set until what has the file is committed: after a while, a cleanup job checks whether it exists. */
  uncertain?: boolean;
}

const fileSchema = new Schema<FileDoc>(
  {
    key: { type: String, required: true, unique: true },
    site: { type: Schema.Types.ObjectId },
    owner: { type: Schema.Types.ObjectId },
    name: { type: String, required: true },
    mime: { type: String, required: true },
    size: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    uncertain: { type: Boolean },
  },
  { versionKey: false },
);
fileSchema.index({ site: 1 }, { partialFilterExpression: { site: { $exists: true } } });
fileSchema.index({ _id: 1, owner: 1 }, { name: 'pictures', partialFilterExpression: { owner: { $exists: true } } });
fileSchema.index({ uncertain: 1, _id: 1 }, { partialFilterExpression: { uncertain: true } });
export const FileModel = defineModel<FileDoc>('File', fileSchema, 'files');

const BATCH = 100;

/** Visits the files that have been unconfirmed for an hour, in batches, until the signal aborts. */
export function eachUncertain(now: number, signal: AbortSignal, visit: (file: FileDoc) => Promise<void>) {
  return eachOld({ uncertain: true }, now, signal, async (files) => {
    for (const file of files) await visit(file);
  });
}

/** Visits all people's pictures except those of the last hour, in batches, until the signal aborts. */
export function eachPicture(now: number, signal: AbortSignal, visit: (files: FileDoc[]) => Promise<void>) {
  return eachOld({ owner: { $exists: true } }, now, signal, visit);
}

async function eachOld(
  filter: QueryFilter<FileDoc>,
  now: number,
  signal: AbortSignal,
  visit: (files: FileDoc[]) => Promise<void>,
): Promise<void> {
  let after = new Types.ObjectId('0'.repeat(24));
  while (!signal.aborted) {
    const files = await FileModel.find({ ...filter, _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(BATCH)
      .lean<FileDoc[]>();
    await visit(files.filter(({ createdAt }) => createdAt.getTime() < now - HOUR_MS));
    const last = files.at(-1);
    if (!last || files.length < BATCH) return;
    after = last._id;
  }
}
