import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Env } from '#platform/env';
import { readSchema, requireReadable } from '#platform/migrations';
import { backUpStore, compactStore, runningStore, startStore } from '#store';
import { checkDatabase } from './check.ts';
import { type OpenDatabase, openAt, openConfiguredDatabase } from './database.ts';
import { readDump, writeDump } from './dump.ts';
import { explainDiskError, MaintenanceError } from './errors.ts';
import { collectionsOf, requireReadableSources } from './source.ts';
import { writeCollections } from './writeCollections.ts';

/** The arguments of a command. */
export interface CommandArguments {
  env: Env;
  workerUrl: URL;
  folder: string;
  to?: string | undefined;
  from?: string | undefined;
  dropExisting: boolean;
}

/**
 * Runs one command.
 * @returns the text to print
 * @throws MaintenanceError or StoreError with a sentence for the operator
 */
type Command = (args: CommandArguments) => Promise<string>;

const MIB = 2 ** 20;

/** All commands by name. Those in `FOLDER_COMMANDS` take a folder as their argument. */
export const COMMANDS: Record<string, Command> = {
  backup,
  check,
  compact,
  export: exportAll,
  import: importAll,
  copy,
  uri,
  serve,
};
export const FOLDER_COMMANDS = ['backup', 'export', 'import'];

async function backup({ env, folder }: CommandArguments): Promise<string> {
  requireEmbedded(env, 'Use mongodump, or npm run db:export.');
  await whole(folder, async (half) => {
    await backUpStore(env.dataDir, half);
    const files = (await readdir(env.dataDir, { withFileTypes: true })).filter((entry) => entry.isFile());
    for (const { name } of files) await copyFile(path.join(env.dataDir, name), path.join(half, name));
  });
  return `The data was copied, with its secrets. To restore it, stop Parley and start it with DATA_DIR=${folder}.`;
}

async function check({ env, workerUrl }: CommandArguments): Promise<string> {
  const { collections, documents, chats, problems } = await using(
    openConfiguredDatabase(env, workerUrl),
    async ({ db }) => {
      const schema = await readSchema(db);
      if (schema) requireReadable(schema);
      return checkDatabase(db);
    },
  );
  const extent = `${collections} collections, ${documents} documents, ${chats} chats`;
  if (problems.length === 0) return `No errors found: ${extent}.`;
  throw new MaintenanceError(
    `${problems.map((problem) => `- ${problem}`).join('\n')}\nErrors found. Checked: ${extent}.`,
  );
}

async function compact({ env }: CommandArguments): Promise<string> {
  requireEmbedded(env, 'Use the tools of that database.');
  const { before, after } = await compactStore(env.dataDir);
  return `The data file had ${mib(before)} and now has ${mib(after)}.`;
}

async function exportAll({ env, workerUrl, folder }: CommandArguments): Promise<string> {
  return using(openConfiguredDatabase(env, workerUrl), async ({ db }) => {
    const sources = await collectionsOf(db);
    const count = await whole(folder, (half) => writeDump(path.join(half, db.databaseName), sources));
    return `${sources.length} collections with ${count} documents were written. Read them with npm run db:import or mongorestore ${folder}.`;
  });
}

async function importAll({ env, workerUrl, folder, dropExisting }: CommandArguments): Promise<string> {
  const sources = await readDump(folder).catch((error) => {
    throw explainDiskError(error, `Cannot read ${folder}`);
  });
  await requireReadableSources(sources);
  return using(openConfiguredDatabase(env, workerUrl, { make: true }), async (opened) => {
    requireAlone(opened);
    return summary(await writeCollections(opened.db, sources, dropExisting));
  });
}

async function copy({ env, workerUrl, to, from, dropExisting }: CommandArguments): Promise<string> {
  return using(openConfiguredDatabase(env, workerUrl, { make: from !== undefined }), async (opened) => {
    if (from !== undefined) requireAlone(opened);
    return using(openAt(to ?? from ?? ''), async (other) => {
      const [source, target] = to === undefined ? [other, opened] : [opened, other];
      const sources = await collectionsOf(source.db);
      await requireReadableSources(sources);
      return summary(await writeCollections(target.db, sources, dropExisting));
    });
  });
}

async function uri({ env }: CommandArguments): Promise<string> {
  requireEmbedded(env, 'That is the address of the data.');
  const address = await runningStore(env.dataDir);
  if (address === null)
    throw new MaintenanceError(
      `No Parley is running on ${env.dataDir}. Start it first, or set DATA_DIR to the data folder of a running one.`,
    );
  return address;
}

/** Runs the embedded store alone until a signal, so that several servers of this machine can share it. */
async function serve({ env, workerUrl }: CommandArguments): Promise<string> {
  requireEmbedded(env, 'There is no embedded store to run.');
  const store = await startStore({ dataDir: env.dataDir, workerUrl });
  console.log(store.uri);
  const stopping = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort());
  const failure = await Promise.race([once(stopping.signal, 'abort').then(() => null), store.failed]);
  await store.stop();
  if (failure) throw new MaintenanceError(`The store has stopped: ${failure.message}`);
  return 'The store is closed.';
}

function requireEmbedded({ mongodbUri }: Env, instead: string): void {
  if (mongodbUri !== null)
    throw new MaintenanceError(`MONGODB_URI is set, so the data is in that database. ${instead}`);
}

/**
 * Refuses to replace data while a server runs on it: that server would go on with what it has cached.
 * @throws MaintenanceError
 */
function requireAlone({ shared }: OpenDatabase): void {
  if (shared) throw new MaintenanceError('Parley is running on this data. Stop it first.');
}

async function using<T>(opening: Promise<OpenDatabase>, work: (database: OpenDatabase) => Promise<T>): Promise<T> {
  const database = await opening;
  return work(database).finally(database.close);
}

/**
 * Fills a new folder atomically: it is written as `.part` and renamed when it is complete, so a half-written folder never
 * has the final name.
 */
async function whole<T>(folder: string, work: (half: string) => Promise<T>): Promise<T> {
  if (existsSync(folder))
    throw new MaintenanceError(`${folder} already exists. Choose a folder that does not exist yet.`);
  const half = `${folder}.part`;
  try {
    await rm(half, { recursive: true, force: true });
    await mkdir(half, { recursive: true, mode: 0o700 });
    const result = await work(half);
    await rename(half, folder);
    return result;
  } catch (error) {
    await rm(half, { recursive: true, force: true }).catch(() => {});
    throw explainDiskError(error, `Cannot write to ${folder}`);
  }
}

const summary = ({ collections, documents }: { collections: number; documents: number }) =>
  `${collections} collections with ${documents} documents were written, read back and compared: they are the same.`;

const mib = (bytes: number) => `${(bytes / MIB).toFixed(1)} MiB`;
