import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The scripts of the pages: the code of widget and dashboard, without their screens. */
export interface Bundles {
  visitor: string;
  agent: string;
}

/** Builds them from the sources. @param folder with those of another release */
export async function buildBundles(folder = ROOT): Promise<Bundles> {
  const entries = ['widget/test/headless.ts', 'client/test/headless.tsx'];
  const [visitor, agent] = await Promise.all(entries.map((entry) => bundle(folder, entry)));
  return { visitor: visitor ?? '', agent: agent ?? '' };
}

async function bundle(folder: string, entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, entry)],
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
    alias: { 'react-hot-toast': join(folder, 'client/test/silence.ts') },
  });
  return outputFiles[0]?.text ?? '';
}
