import { Types } from 'mongoose';
import type { Caller } from '#features/auth';
import type { SiteDoc } from '#features/sites';
import { siteFull, type Usage } from '#features/usage';
import { removeOne } from '#platform/database';
import { events } from '#platform/events';
import { type ReceivedFile, sanitizeFileName, writeBlob } from '#platform/files';
import { conflict, duplicateKey, invalid, notFound, sentence, unavailable } from '#platform/http';
import { HOUR_MS } from '#platform/time';
import {
  HISTORY_IMPORTS_LISTED,
  type HistoryImport,
  type ImportPlan,
  type ImportRunBody,
  REQUIRED_IMPORT_FIELDS,
} from './contract.ts';
import { countImportFile, type ImportDoc, ImportModel, NO_COUNTS, removeImportFiles } from './model.ts';
import { ReadFailure, startReader } from './reader.ts';

declare module '#platform/events' {
  interface Events {
    /** An import waits to be run. */
    importAwaited: { importId: string };
    /** A member has started to import the history of another chat. */
    historyImported: { site: SiteDoc; by: Types.ObjectId };
  }
}
// Whichever node has a place for it runs it.
events.crossesNodes('importAwaited', { encode: (awaited) => awaited, decode: async (awaited) => awaited });

/** A file that nobody imports is kept this long. */
const FILE_KEPT_MS = 24 * HOUR_MS;
const BATCH = 100;
/** Statuses in which the import has stored nothing yet. */
const WAITING = ['uploaded', 'checked'] as const;

export interface UploadDeps {
  usage: Usage;
  /** The built `import-worker`. */
  importReader: URL;
}

/** A site and one of its imports. */
export interface ImportAccess {
  site: SiteDoc;
  doc: ImportDoc;
}

/** The newest imports of a site. */
export function importsOf(site: Types.ObjectId): Promise<ImportDoc[]> {
  return ImportModel.find({ site }).sort({ _id: -1 }).limit(HISTORY_IMPORTS_LISTED).lean<ImportDoc[]>().exec();
}

/** Loads an import of a site. @throws AppError 404 */
export async function importOf(site: SiteDoc, id: string): Promise<ImportAccess> {
  const doc = await ImportModel.findOne({ _id: new Types.ObjectId(id), site: site._id }).lean<ImportDoc>();
  if (!doc) throw notFound('import');
  return { site, doc };
}

/**
 * Keeps an uploaded file until it is imported, and reads its columns. It takes the place of an earlier one, and counts as
 * storage of the site.
 * @throws AppError 409 while another import of the site runs, 413 `SITE_FULL`, 422 for a file that cannot be read
 */
export async function addImport(
  site: SiteDoc,
  { user }: Caller,
  { received, name }: { received: ReceivedFile; name: string },
  { usage, importReader }: UploadDeps,
): Promise<ImportDoc> {
  if (await ImportModel.exists({ site: site._id, active: true })) throw running();
  if (!usage.fits(site._id.toHexString(), { files: received.size })) throw siteFull(false);
  const reader = startReader(importReader);
  try {
    const { rows, source, columns, guess } = await reader.open(received.pieces());
    const doc: ImportDoc = {
      _id: new Types.ObjectId(),
      site: site._id,
      by: user._id,
      fileName: sanitizeFileName(name),
      size: received.size,
      status: 'uploaded',
      source,
      rows,
      columns,
      plan: { columns: guess, timeZone: 'UTC', dayFirst: true },
      done: 0,
      total: null,
      counts: NO_COUNTS,
      failure: null,
      createdAt: new Date(),
      finishedAt: null,
    };
    await ImportModel.create(doc);
    await countImportFile(site._id, received.size);
    await keepFile(doc._id, received);
    await dropOlderFiles(site._id);
    return doc;
  } catch (error) {
    throw error instanceof ReadFailure ? unreadable(error) : error;
  } finally {
    reader.close();
  }
}

/** A file that could not be stored, on a full disk for example, is not offered for import. */
async function keepFile(_id: Types.ObjectId, received: ReceivedFile): Promise<void> {
  try {
    await writeBlob(_id, received.pieces());
  } catch (error) {
    await removeImportFiles([_id]);
    await removeOne(ImportModel, { _id });
    throw error;
  }
}

/** Removes all files of a site but the newest one, whichever of them was stored last. */
async function dropOlderFiles(site: Types.ObjectId): Promise<void> {
  const [, ...older] = await ImportModel.find({ site, size: { $exists: true } }, { active: 1 })
    .sort({ _id: -1 })
    .lean<ImportDoc[]>();
  await dropFiles(older.filter(({ active }) => !active).map(({ _id }) => _id));
}

async function dropFiles(ids: Types.ObjectId[]): Promise<void> {
  await removeImportFiles(ids);
  await ImportModel.deleteMany({ _id: { $in: ids }, status: { $in: WAITING }, active: null });
}

/** Queues a dry run or an import. @throws AppError 409, 422 */
export async function runImport(
  { site, doc }: ImportAccess,
  { user }: Caller,
  { dryRun, ...plan }: ImportRunBody,
  now: number,
): Promise<ImportDoc> {
  refuseBadPlan(doc, plan);
  try {
    const queued = await ImportModel.findOneAndUpdate(
      { _id: doc._id, status: { $in: [...WAITING, 'failed'] }, active: null, size: { $exists: true } },
      {
        $set: {
          status: dryRun ? 'checking' : 'importing',
          active: true,
          by: user._id,
          plan,
          startedAt: now,
          done: 0,
          said: 0,
          total: null,
          counts: NO_COUNTS,
          failure: null,
          finishedAt: null,
          dueAt: new Date(now),
          attempts: 0,
        },
      },
      { returnDocument: 'after' },
    ).lean<ImportDoc>();
    if (!queued) throw over();
    if (!dryRun) await events.emit('historyImported', { site, by: user._id });
    await events.emit('importAwaited', { importId: doc._id.toHexString() });
    return queued;
  } catch (error) {
    throw duplicateKey(error) ? running() : error;
  }
}

function refuseBadPlan({ columns }: ImportDoc, plan: ImportPlan): void {
  const names = new Set(columns.map(({ name }) => name));
  const missing = REQUIRED_IMPORT_FIELDS.filter((field) => plan.columns[field] === undefined);
  const unknown = Object.entries(plan.columns).filter(([, name]) => !names.has(name));
  const problems = [
    ...missing.map((field) => ({ msg: sentence('Choose a column'), path: `columns.${field}` })),
    ...unknown.map(([field]) => ({ msg: sentence('The file has no such column'), path: `columns.${field}` })),
  ];
  if (problems.length > 0) throw invalid(problems);
}

/** Stops an import; what it has stored stays. One that has stored nothing is deleted. Idempotent. */
export async function cancelImport({ doc }: ImportAccess): Promise<ImportDoc> {
  const { _id } = doc;
  const cancelled = await ImportModel.findOneAndUpdate(
    { _id, status: { $in: ['importing', 'failed'] } },
    { $set: { status: 'cancelled', finishedAt: new Date() }, $unset: { active: 1, dueAt: 1, takes: 1 } },
    { returnDocument: 'after' },
  ).lean<ImportDoc>();
  await removeImportFiles([_id]);
  const removed = await removeOne(ImportModel, { _id, status: { $in: [...WAITING, 'checking'] } });
  if (removed) return { ...doc, status: 'cancelled', counts: NO_COUNTS };
  return cancelled ?? (await ImportModel.findById(_id).lean<ImportDoc>()) ?? doc;
}

/** Removes the files of imports that nobody goes on with. */
export async function sweepImportFiles(now: number, signal: AbortSignal): Promise<void> {
  const old = { size: { $exists: true }, active: null, createdAt: { $lt: new Date(now - FILE_KEPT_MS) } };
  while (!signal.aborted) {
    const left = await ImportModel.find(old, { _id: 1 }).limit(BATCH).lean<ImportDoc[]>();
    await dropFiles(left.map(({ _id }) => _id));
    if (left.length < BATCH) return;
  }
}

/** An import as the team sees it. */
export function importView(doc: ImportDoc): HistoryImport {
  const { _id, fileName, status, source, rows, columns, plan, done, total, counts, failure } = doc;
  return {
    _id: _id.toHexString(),
    fileName,
    status,
    source,
    rows,
    columns,
    plan,
    done,
    total,
    counts,
    failure,
    createdAt: doc.createdAt.toISOString(),
    finishedAt: doc.finishedAt?.toISOString() ?? null,
  };
}

function running() {
  return conflict('IMPORT_RUNNING', sentence('Another import of this website is running. Wait for it, or cancel it.'));
}

function over() {
  return conflict(
    'IMPORT_OVER',
    sentence('This import is running or over. Choose the file again to import it once more.'),
  );
}

function unreadable({ reason }: ReadFailure) {
  if (reason === 'UNAVAILABLE') return unavailable();
  const msg =
    reason === 'TOO_MANY'
      ? sentence('This file has too many messages. Split it into several files.')
      : sentence('This file cannot be read. Choose a CSV file whose first line names the columns, or a JSON file.');
  return invalid([{ msg, path: 'file' }]);
}
