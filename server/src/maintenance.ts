import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { COMMANDS, explainDatabaseError, FOLDER_COMMANDS, MaintenanceError } from '#features/maintenance';
import { EnvError, readEnv } from '#platform/env';
import { StoreError } from '#store';

const USAGE = `Usage:
  npm run db:backup -- FOLDER     copies the data folder, also while Parley runs
  npm run db:check                checks documents, indexes, counts and messages for errors
  npm run db:compact              frees the unused space in the data file; stop Parley first
  npm run db:export -- FOLDER     writes every collection in the format of mongodump
  npm run db:import -- FOLDER     reads such a folder, or one from mongodump, into an empty database
  npm run db:copy -- --to URI     copies every collection to another database and compares them
  npm run db:copy -- --from URI   copies every collection from another database and compares them
  npm run store:uri               prints the address of the embedded store of a running Parley
  npm run store:serve             runs the embedded store alone, for several servers on this machine
Options of import and copy:
  --drop-existing                 first deletes everything in the database`;

const OPTIONS = {
  to: { type: 'string' },
  from: { type: 'string' },
  'drop-existing': { type: 'boolean', default: false },
} as const;
/** The options of each command. */
const TAKES: Record<string, string[]> = { import: ['drop-existing'], copy: ['to', 'from', 'drop-existing'] };

/** Runs one command. @returns the text to print */
async function run([name = '', ...args]: string[]): Promise<string> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const { values, positionals } = read(args);
  const { to, from, 'drop-existing': dropExisting } = values;
  const given = Object.entries(values).filter(([, value]) => value !== false);
  const isFit =
    positionals.length === (FOLDER_COMMANDS.includes(name) ? 1 : 0) &&
    given.every(([option]) => TAKES[name]?.includes(option)) &&
    (name === 'copy') === ((to === undefined) !== (from === undefined));
  if (!command || !isFit) throw new MaintenanceError(USAGE);
  // npm changes into the project's folder, but a path is relative to the folder in which the command was given.
  const folder = path.resolve(process.env.INIT_CWD ?? '.', positionals[0] ?? '.');
  const workerUrl = new URL('./store-worker.js', import.meta.url);
  return command({ env: readEnv(process.env), workerUrl, folder, to, from, dropExisting });
}

function read(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch {
    throw new MaintenanceError(USAGE);
  }
}

// A low priority, so that a Parley that runs meanwhile answers its users first.
if (process.argv[2] !== 'serve') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
try {
  console.log(await run(process.argv.slice(2)));
} catch (error) {
  const known = explainDatabaseError(error);
  const isForPeople = [MaintenanceError, EnvError, StoreError].some((kind) => known instanceof kind);
  console.error(isForPeople && known instanceof Error ? `\n${known.message}\n` : known);
  process.exitCode = 1;
}
