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
  packages: 'external',
  sourcemap: true,
  logLevel: 'warning',
};
