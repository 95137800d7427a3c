import { Types } from 'mongoose';
import type { Caller } from '../auth/sessions.ts';
import { events } from '../events.ts';
import { writeBlob } from '../files/blobs.ts';
import { sanitizeFileName } from '../files/kind.ts';
import type { ReceivedFile } from '../files/receive.ts';
import { conflict, duplicateKey, invalid, notFound, unavailable } from '../http/errors.ts';
import { sentence } from '../http/sentence.ts';
import type { SiteDoc } from '../sites/model.ts';
import { HOUR_MS } from '../time.ts';
import {
  HISTORY_IMPORTS_LISTED,
  type HistoryImport,
  type ImportPlan,
  type ImportRunBody,
  REQUIRED_IMPORT_FIELDS,
} from './contract.ts';
import { type ImportDoc, ImportModel, NO_COUNTS, removeImportFiles } from './model.ts';
import { ReadFailure, startReader } from './reader.ts';

declare module '../events.ts' {
  interface Events {
    /** An import waits to be run. */
    importAwaited: { importId: string };
    /** A member has started to import the history of another chat. */
    historyImported: { site: SiteDoc; by: Types.ObjectId };
  }
}
// The node with the lease runs it, whichever node was asked.
events.crossesNodes('importAwaited', { encode: (awaited) => awaited, decode: async (awaited) => awaited });

/** A file that nobody imports is kept this long. */
const FILE_KEPT_MS = 24 * HOUR_MS;
const BATCH = 100;
/** What is replaced by a newer upload. */
const WAITING = ['uploaded', 'checked'] as const;

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
 * Keeps an uploaded file until it is imported, and reads its columns. It takes the place of one that waits.
 * @param workerUrl the built `import-worker`
 * @throws AppError 409 while another import of the site runs, 422 for a file that cannot be read
 */
export async function addImport(
  site: SiteDoc,
  { user }: Caller,
  { received, name }: { received: ReceivedFile; name: string },
  workerUrl: URL,
): Promise<ImportDoc> {
  if (await ImportModel.exists({ site: site._id, active: true })) throw running();
  const reader = startReader(workerUrl);
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
      failures: 0,
      failure: null,
      createdAt: new Date(),
      finishedAt: null,
    };
    await ImportModel.create(doc);
    await keepFile(doc._id, received);
    await dropWaiting(site._id, doc._id);
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
    await ImportModel.deleteOne({ _id });
    throw error;
  }
}

async function dropWaiting(site: Types.ObjectId, newer: Types.ObjectId): Promise<void> {
  const older = await ImportModel.find({ site, _id: { $lt: newer }, status: { $in: WAITING } }, { _id: 1 }).lean<
    ImportDoc[]
  >();
  const ids = older.map(({ _id }) => _id);
  await removeImportFiles(ids);
  await ImportModel.deleteMany({ _id: { $in: ids }, active: null });
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
          plan,
          startedAt: now,
          done: 0,
          total: null,
          counts: NO_COUNTS,
          failures: 0,
          failure: null,
          finishedAt: null,
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
    { $set: { status: 'cancelled', finishedAt: new Date() }, $unset: { active: 1 } },
    { returnDocument: 'after' },
  ).lean<ImportDoc>();
  await removeImportFiles([_id]);
  const { deletedCount } = await ImportModel.deleteOne({ _id, status: { $in: [...WAITING, 'checking'] } });
  if (deletedCount > 0) return { ...doc, status: 'cancelled', counts: NO_COUNTS };
  return cancelled ?? (await ImportModel.findById(_id).lean<ImportDoc>()) ?? doc;
}

/** Removes the files of imports that nobody goes on with. */
export async function sweepImportFiles(now: number, signal: AbortSignal): Promise<void> {
  const old = { size: { $exists: true }, active: null, createdAt: { $lt: new Date(now - FILE_KEPT_MS) } };
  while (!signal.aborted) {
    const left = await ImportModel.find(old, { _id: 1 }).limit(BATCH).lean<ImportDoc[]>();
    const ids = left.map(({ _id }) => _id);
    await removeImportFiles(ids);
    await ImportModel.deleteMany({ _id: { $in: ids }, status: { $in: WAITING }, active: null });
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
