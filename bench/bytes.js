// What the widget weighs over the wire (brotli, every file by itself) against socket.io-client alone, and the script of the
// dashboard (gzip) against its libraries bundled bare: both references are bundled in the same run.
import { build } from 'esbuild';
import { brotliBytes } from '../scripts/build/compress.js';
import { bareLibraries } from '../scripts/check/bare.js';
import { dashboardSize, firstLoad, firstMessage, widgetSizes } from '../scripts/check/bytes.js';
import { ROOT } from '../scripts/ready.js';

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
    ['until one can type', firstLoad(sizes)],
    ['until the first message is there, headers included', firstMessage(sizes)],
    ['socket.io-client alone', referenceBytes],
  ],
  referenceBytes,
);

for (const screen of ['home', 'inbox']) {
  const bareBytes = await bareLibraries(screen);
  print(
    [
      [`dashboard, ${screen}`, await dashboardSize(screen)],
      ['its libraries, bare', bareBytes],
    ],
    bareBytes,
  );
}

function print(rows, reference) {
  for (const [what, size] of rows)
    console.log(`${what.padEnd(51)}${String(size).padStart(7)} B${(size / reference).toFixed(2).padStart(7)} ×`);
}
