import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ENTRY = fileURLToPath(new URL('../src/store/worker.ts', import.meta.url));

let built: Promise<URL> | undefined;

/** The store's worker as a file that Node can start: bundled once, under a name made of its content, so that test processes share it. */
export function storeWorker(): Promise<URL> {
  built ??= bundle();
  return built;
}

async function bundle(): Promise<URL> {
  const { outputFiles } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    sourcemap: 'inline',
  });
  const [code] = outputFiles;
  if (!code) throw new Error('The store worker could not be bundled.');
  const folder = join(ROOT, 'node_modules', '.cache', 'parley');
  const file = join(
    folder,
    `store-worker-${createHash('sha256').update(code.contents).digest('hex').slice(0, 16)}.mjs`,
  );
  if (existsSync(file)) return pathToFileURL(file);
  mkdirSync(folder, { recursive: true });
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, code.contents);
  renameSync(partial, file);
  return pathToFileURL(file);
}
