// npm run bench -- bytes: the size of the widget (brotli, each file) against socket.io-client alone, and of the dashboard's
// scripts (gzip) against its libraries alone. Both references are bundled in the same run.
import { build } from 'esbuild';
import { brotliBytes } from '../scripts/build/compress.js';
import { dashboardSize, firstLoad, firstMessage, widgetSizes } from '../scripts/check/bytes.js';
import { baselineBytes } from '../scripts/check/library-baseline.js';
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

print(
  [
    ...sizes,
    ['until the visitor can type', firstLoad(sizes)],
    ['until the first message is stored, headers included', firstMessage(sizes)],
    ['socket.io-client alone', referenceBytes],
  ],
  referenceBytes,
);

for (const screen of ['home', 'inbox']) {
  const libraryBytes = await baselineBytes(screen);
  print(
    [
      [`dashboard, ${screen}`, await dashboardSize(screen)],
      ['its libraries alone', libraryBytes],
    ],
    libraryBytes,
  );
}

function print(rows, reference) {
  for (const [what, size] of rows)
    console.log(`${what.padEnd(51)}${String(size).padStart(7)} B${(size / reference).toFixed(2).padStart(7)} ×`);
}
