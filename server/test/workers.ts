import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import type { Workers } from '../src/app/context.ts';

const SOURCES = fileURLToPath(new URL('../src/', import.meta.url));
/** Where the fonts are that the build copies: they keep the names of their packages. */
export const FONTS = new URL('../../node_modules/', import.meta.url);
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/parley/', import.meta.url));

const builds = new Map<string, Promise<URL>>();

/** All worker threads of the product. */
export async function builtWorkers(): Promise<Workers> {
  return {
    store: await builtWorker('store/worker'),
    hash: await builtWorker('features/auth/hash-worker'),
    picture: await builtWorker('platform/files/picture-worker'),
    pdf: await builtWorker('features/exports/pdf/worker'),
    importReader: await builtWorker('features/imports/worker'),
    mailReader: await builtWorker('features/mailin/reading/worker'),
    fonts: FONTS,
    // Tests that need it build it.
    maintenance: pathToFileURL(commandFile('maintenance')),
    client: new URL('../../client/dist/', import.meta.url),
    widget: new URL('../../widget/dist/', import.meta.url),
  };
}

/** `buildWorker`, once for all test files of a process. */
export function builtWorker(name: string): Promise<URL> {
  const made = builds.get(name) ?? buildWorker(name);
  builds.set(name, made);
  return made;
}

/**
 * A worker thread's source as a file that Node can start: worker threads do not run TypeScript. The name carries the
 * content, so that test files running side by side never meet a half-written one.
 * @param name relative to `server/src`, without ending
 */
async function buildWorker(name: string): Promise<URL> {
  const { outputFiles } = await build({ ...IN_ONE_FILE, entryPoints: [`${SOURCES}${name}.ts`], write: false });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 16);
  const file = path.join(CACHE, `${path.basename(name)}-${hash}.mjs`);
  if (!existsSync(file)) {
    await mkdir(CACHE, { recursive: true });
    const half = `${file}.${process.pid}`;
    await writeFile(half, code);
    await rename(half, file);
  }
  return pathToFileURL(file);
}

/** A command of the product as a file that Node can run, beside the store's worker, which it may start. */
export interface BuiltCommand {
  file: string;
  remove(): Promise<void>;
}

/**
 * What many processes of tests run, with its packages in one file: looking for the three hundred files of mongoose takes
 * longer than most of what such a process is started for.
 */
export const IN_ONE_FILE = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: ['lmdb'],
  loader: { '.md': 'text', '.css': 'text' },
  banner: { js: "import { createRequire as ofModule } from 'node:module'; const require = ofModule(import.meta.url);" },
} satisfies BuildOptions;

/** Builds a command's source. @param name relative to `server/src`, without ending */
export async function buildCommand(name: string): Promise<BuiltCommand> {
  const file = commandFile(name);
  const folder = path.dirname(file);
  await build({
    ...IN_ONE_FILE,
    entryPoints: { [name]: `${SOURCES}${name}.ts`, 'store-worker': `${SOURCES}store/worker.ts` },
    outdir: folder,
    logLevel: 'error',
  });
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  return { file, remove: () => rm(folder, { recursive: true, force: true }) };
}

function commandFile(name: string): string {
  return path.join(CACHE, `${name}-${process.pid}`, `${name}.js`);
}
