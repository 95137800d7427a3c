import { join } from 'node:path';
import { ROOT } from '../setup.js';

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
    'hash-worker': './server/src/auth/hash-worker.ts',
    'picture-worker': './server/src/files/picture-worker.ts',
    'pdf-worker': './server/src/exports/pdf/worker.ts',
  },
  outdir: join(ROOT, 'server/dist'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // Packages are in the bundle, because a thousand small files take longer to load than all their code. Not those that
  // are compiled for the machine, or read files of their own.
  external: ['lmdb', 'sharp', 'pdfkit'],
  banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
  // Code of several entries, and what is imported on demand, is in files of its own; all of them stay in one folder,
  // because the code finds its files by `import.meta.url`.
  splitting: true,
  chunkNames: '[name]-[hash]',
  // Mongoose tells some classes by their names.
  keepNames: true,
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
};
