import { Schema, type Types } from 'mongoose';
import { deleteInBatches } from '../bulk.ts';
import { defineModel } from '../connection.ts';
import { removeBlobs } from '../files/blobs.ts';
import { DAY_S } from '../time.ts';
import type { ImportColumn, ImportCounts, ImportFailure, ImportPlan, ImportStatus } from './contract.ts';

/** How long the record of an import is kept; what it has stored stays. */
const KEPT_S = 90 * DAY_S;

/** A file with the history of another chat, and what became of it. Its bytes are kept under its id until it is over. */
export interface ImportDoc {
  _id: Types.ObjectId;
  site: Types.ObjectId;
  by: Types.ObjectId;
  fileName: string;
  /** Of the file, in bytes; removed with the bytes. */
  size?: number;
  status: ImportStatus;
  /** While it is checked or imported. A unique index on it allows each site one at a time. */
  active?: boolean;
  source: string | null;
  rows: number;
  columns: ImportColumn[];
  plan: ImportPlan;
  /** The clock of the run, in milliseconds: a run that is continued reads the file as it did at first. */
  startedAt?: number;
  done: number;
  total: number | null;
  counts: ImportCounts;
  /** Tries that ended with an error of the server's own. */
  failures: number;
  failure: ImportFailure | null;
  createdAt: Date;
  finishedAt: Date | null;
}

/** What is counted before anything is read. */
export const NO_COUNTS: ImportCounts = {
  chats: 0,
  messages: 0,
  people: 0,
  knownChats: 0,
  knownMessages: 0,
  skipped: [],
};

const importSchema = new Schema<ImportDoc>(
  {
    site: { type: Schema.Types.ObjectId, required: true },
    by: { type: Schema.Types.ObjectId, required: true },
    fileName: { type: String, required: true },
    size: { type: Number },
    status: { type: String, required: true },
    active: { type: Boolean },
    source: { type: String, default: null },
    rows: { type: Number, required: true },
    columns: { type: [{ _id: false, name: String, samples: [String] }], required: true },
    plan: { type: Object, required: true },
    startedAt: { type: Number },
    done: { type: Number, default: 0 },
    total: { type: Number, default: null },
    counts: { type: Object, required: true },
    failures: { type: Number, default: 0 },
    failure: { type: String, default: null },
    createdAt: { type: Date, required: true },
    finishedAt: { type: Date, default: null },
  },
  { versionKey: false, minimize: false },
);
importSchema.index({ site: 1, _id: -1 });
importSchema.index({ site: 1 }, { name: 'one_active', unique: true, partialFilterExpression: { active: true } });
importSchema.index({ active: 1, _id: 1 }, { partialFilterExpression: { active: true } });
importSchema.index({ size: 1 }, { name: 'with_file', partialFilterExpression: { size: { $exists: true } } });
importSchema.index({ createdAt: 1 }, { expireAfterSeconds: KEPT_S });
export const ImportModel = defineModel<ImportDoc>('Import', importSchema, 'imports');

/** Removes the bytes of files, then the sizes, by which what a crash leaves is found. Idempotent. */
export async function removeImportFiles(ids: Types.ObjectId[]): Promise<void> {
  await removeBlobs(ids);
  await ImportModel.updateMany({ _id: { $in: ids } }, { $unset: { size: 1 } });
}

/** Removes the imports of a deleted site, with their files. */
export async function purgeImports(site: Types.ObjectId, signal?: AbortSignal): Promise<void> {
  const left = await ImportModel.find({ site, size: { $exists: true } }, { _id: 1 }).lean<ImportDoc[]>();
  await removeImportFiles(left.map(({ _id }) => _id));
  await deleteInBatches(ImportModel, { site }, signal);
}
