// npm run bench -- bytes: the size of the widget (brotli, each file) against socket.io-client alone, which is bundled in the same
// run, and of the dashboard's scripts (gzip).
import { build } from 'esbuild';
import { brotliBytes } from '../scripts/build/compress.js';
import { dashboardSize, firstLoad, firstMessage, widgetSizes } from '../scripts/check/bytes.js';
import { ROOT } from '../scripts/setup.js';

const reference = await build({
  stdin: { contents: "import { io } from 'socket.io-client'; globalThis.io = io;", resolveDir: ROOT },
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2020',
  legalComments: 'none',
  write: false,
});
const [bundle] = reference.outputFiles;
const referenceBytes = await brotliBytes(bundle.contents);
const sizes = await widgetSizes();

const rows = [
  ...sizes,
  ['until the visitor can type', firstLoad(sizes)],
  ['until the first message is stored, headers included', firstMessage(sizes)],
  ['socket.io-client alone', referenceBytes],
];
for (const [what, size] of rows)
  console.log(`${what.padEnd(51)}${String(size).padStart(7)} B${(size / referenceBytes).toFixed(2).padStart(7)} ×`);
for (const screen of ['home', 'inbox'])
  console.log(`${`dashboard, ${screen}`.padEnd(51)}${String(await dashboardSize(screen)).padStart(7)} B`);
