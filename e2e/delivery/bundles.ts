import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The scripts of the pages: the code of widget and dashboard, without their screens. */
export interface Bundles {
  visitor: string;
  agent: string;
}

/** Builds them from the sources. */
export async function buildBundles(): Promise<Bundles> {
  const [visitor, agent] = await Promise.all(['widget/test/headless.ts', 'client/test/headless.tsx'].map(bundle));
  return { visitor: visitor ?? '', agent: agent ?? '' };
}

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [ROOT + entry],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'Headless',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    logLevel: 'warning',
    loader: { '.css': 'empty' },
    define: { 'process.env.NODE_ENV': '"production"', 'import.meta.env': '{}' },
    // Toasts need a screen.
    alias: { 'react-hot-toast': `${ROOT}client/test/silence.ts` },
  });
  return outputFiles[0]?.text ?? '';
}
