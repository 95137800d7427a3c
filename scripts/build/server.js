import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../setup.js';

const FOLDER = join(ROOT, 'server/dist');
/** esbuild's helper of `keepNames`, which is called for each function that is created. */
const NAMES_ALL = 'var __name = (target, value) => __defProp(';
const NAMES_RENAMED = 'var __name = (target, value) => target.name === value ? target : __defProp(';

/**
 * How esbuild builds server/dist. Each worker thread or process is an entry with a name of its own, because in a bundle
 * `import.meta.url` is the address of the bundle.
 */
export const serverBuild = {
  absWorkingDir: ROOT,
  entryPoints: {
    main: './server/src/main.ts',
    cli: './server/src/cli.ts',
    maintenance: './server/src/maintenance.ts',
    'store-worker': './server/src/store/worker.ts',
    'hash-worker': './server/src/features/auth/hash-worker.ts',
    'picture-worker': './server/src/platform/files/picture-worker.ts',
    'pdf-worker': './server/src/features/exports/pdf/worker.ts',
    'import-worker': './server/src/features/imports/worker.ts',
    'mail-worker': './server/src/features/mailin/reading/worker.ts',
  },
  outdir: FOLDER,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // Packages are in the bundle, because a thousand small files take longer to load than all their code. Not those that
  // are compiled for the machine, or read files of their own.
  external: ['lmdb', 'sharp', 'pdfkit'],
  // Under a name of its own: packages import it, too.
  banner: {
    js: "import { createRequire as ofModule } from 'node:module';\nconst require = ofModule(import.meta.url);",
  },
  // The pages of the documentation, and the style sheet of help centres.
  loader: { '.md': 'text', '.css': 'text' },
  // Code of several entries, and what is imported on demand, is in files of its own; all of them stay in one folder,
  // because the code finds its files by `import.meta.url`.
  splitting: true,
  chunkNames: '[name]-[hash]',
  // Mongoose tells some classes by their names.
  keepNames: true,
  plugins: [{ name: 'name-renamed-only', setup: (build) => void build.onEnd(nameRenamedOnly) }],
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
};

/**
 * Lets the helper leave functions alone that have their name already: a name that is set makes a dictionary of 250 bytes of a
 * function, and the packages create some for each connection and each request.
 */
function nameRenamedOnly({ errors }) {
  if (errors.length > 0) return;
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.js'));
  const code = new Map(files.map((file) => [join(FOLDER, file), readFileSync(join(FOLDER, file), 'utf8')]));
  const found = [...code].find(([, text]) => text.includes(NAMES_ALL));
  if (!found) throw new Error("esbuild's helper for names has another form than scripts/build/server.js expects.");
  writeFileSync(found[0], found[1].replace(NAMES_ALL, NAMES_RENAMED));
}
