import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The scripts of the pages: the widget's and the dashboard's own code, without their screens. */
export interface Scripts {
  visitor: string;
  agent: string;
}

/** Builds them from the sources. */
export async function buildScripts(): Promise<Scripts> {
  const [visitor, agent] = await Promise.all(['widget/test/headless.ts', 'client/test/headless.tsx'].map(bundle));
  return { visitor: visitor ?? '', agent: agent ?? '' };
}

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [ROOT + entry],
    ...{ bundle: true, write: false, format: 'iife', globalName: 'Headless', platform: 'browser', target: 'es2022' },
    ...{ jsx: 'automatic', logLevel: 'warning', loader: { '.css': 'empty' } },
    define: { 'process.env.NODE_ENV': '"production"', 'import.meta.env': '{}' },
    // Notices are drawn; nothing is drawn here.
    alias: { 'react-hot-toast': `${ROOT}client/test/silence.ts` },
  });
  return outputFiles[0]?.text ?? '';
}
