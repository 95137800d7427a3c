import { Schema, type Types } from 'mongoose';
import { defineModel, deleteInBatches } from '#platform/database';
import { events } from '#platform/events';
import { removeBlobs } from '#platform/files';
import { DAY_S } from '#platform/time';
import { type WorkDoc, workFields } from '#platform/work';
import type { ImportColumn, ImportCounts, ImportFailure, ImportPlan, ImportStatus } from './contract.ts';

/** How long the record of an import is kept; what it has stored stays. */
const KEPT_S = 90 * DAY_S;

/** A file with the history of another chat, and what became of it. Its bytes are kept under its id until it is over. */
export interface ImportDoc extends WorkDoc {
  _id: Types.ObjectId;
  site: Types.ObjectId;
  /** Who uploaded it, or started it last; those who import take turns. */
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
  /** How many messages of the next conversation are stored already. */
  said?: number;
  total: number | null;
  counts: ImportCounts;
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
    said: { type: Number },
    total: { type: Number, default: null },
    counts: { type: Object, required: true },
    failure: { type: String, default: null },
    createdAt: { type: Date, required: true },
    finishedAt: { type: Date, default: null },
    ...workFields,
  },
  { versionKey: false, minimize: false },
);
importSchema.index({ site: 1, _id: -1 });
importSchema.index({ site: 1 }, { name: 'one_active', unique: true, partialFilterExpression: { active: true } });
importSchema.index({ active: 1, _id: 1 }, { partialFilterExpression: { active: true } });
importSchema.index({ by: 1, dueAt: 1 });
importSchema.index({ size: 1 }, { name: 'with_file', partialFilterExpression: { size: { $exists: true } } });
importSchema.index({ createdAt: 1 }, { expireAfterSeconds: KEPT_S });
export const ImportModel = defineModel<ImportDoc>('Import', importSchema, 'imports');

/** Counts the file of an import as storage of its site, or no longer. */
export function countImportFile(site: Types.ObjectId, bytes: number): Promise<void> {
  return events.emit('storageGrew', { siteId: site.toHexString(), text: 0, files: bytes });
}

/** The bytes of a site's kept files, of those that are older than a given time. */
export async function importFileBytes(site: Types.ObjectId, before: Date): Promise<number> {
  const kept = await ImportModel.find({ site, size: { $exists: true } }, { size: 1, createdAt: 1 }).lean<ImportDoc[]>();
  return kept.reduce((sum, { size = 0, createdAt }) => (createdAt < before ? sum + size : sum), 0);
}

/** Removes the bytes of files, then the sizes, by which what a crash leaves is found. Idempotent. */
export async function removeImportFiles(ids: Types.ObjectId[]): Promise<void> {
  await removeBlobs(ids);
  for (const _id of ids) {
    const kept = await ImportModel.findOneAndUpdate({ _id, size: { $exists: true } }, { $unset: { size: 1 } })
      .lean<ImportDoc>()
      .exec();
    if (kept?.size) await countImportFile(kept.site, -kept.size);
  }
}

/** Removes the imports of a deleted site, with their files. */
export async function purgeImports(site: Types.ObjectId, signal?: AbortSignal): Promise<void> {
  const left = await ImportModel.find({ site, size: { $exists: true } }, { _id: 1 }).lean<ImportDoc[]>();
  await removeImportFiles(left.map(({ _id }) => _id));
  await deleteInBatches(ImportModel, { site }, signal);
}
