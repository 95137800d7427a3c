import { type QueryFilter, Schema, Types } from 'mongoose';
import { defineModel } from '../connection.ts';
import { HOUR_MS } from '../time.ts';

/** A file as stored, beside its bytes. Written before them, so that nothing can be left that nobody knows of. */
export interface FileDoc {
  /** The id of the message that it comes with; a picture's own. */
  _id: Types.ObjectId;
  /** 256 random bits: the permission to read it. */
  key: string;
  /** Where the message belongs; a picture has an owner instead. */
  site?: Types.ObjectId;
  owner?: Types.ObjectId;
  name: string;
  mime: string;
  /** Bytes, as they are handed out. */
  size: number;
  createdAt: Date;
  /** Set until its message stands: a file that is still uncertain after a while is looked into. */
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

/** Visits the files that have been uncertain for an hour, in batches, until the signal says stop. */
export function eachUncertain(now: number, signal: AbortSignal, visit: (file: FileDoc) => Promise<void>) {
  return eachOld({ uncertain: true }, now, signal, async (files) => {
    for (const file of files) await visit(file);
  });
}

/** Visits the pictures of all people, batch by batch, save those of the last hour, until the signal says stop. */
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
