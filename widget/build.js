/**
 * Builds what pages load into `dist/`, or into the folder given: `widget.js`, the loader, and beside it the chat under a
 * name that changes with its content. Prints what each weighs over the wire. The preview is for the dashboard's settings
 * only; `resume` is the page of mailed links, `test` the one on which a site's team tries its widget.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build, transform } from 'esbuild';

const source = join(import.meta.dirname, 'src');
const out = process.argv[2] ?? join(import.meta.dirname, 'dist');
const TARGET = 'es2020';

/** A style sheet becomes its minified text, for constructable style sheets. */
const cssText = {
  name: 'css-text',
  setup(on) {
    on.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), { loader: 'css', minify: true });
      return { contents: code.trim(), loader: 'text' };
    });
  },
};

const shared = {
  bundle: true,
  minify: true,
  target: TARGET,
  plugins: [cssText],
  outdir: out,
  metafile: true,
  legalComments: 'none',
};

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

const chat = await build({
  ...shared,
  entryPoints: [join(source, 'chat/chat.ts')],
  format: 'esm',
  entryNames: '[name]-[hash]',
});
const [chatFile] = Object.keys(chat.metafile.outputs).map((path) => basename(path));
await build({
  ...shared,
  entryPoints: { widget: join(source, 'loader.ts') },
  format: 'iife',
  define: { CHAT_FILE: JSON.stringify(chatFile) },
});
for (const page of ['preview', 'resume'])
  await build({
    ...shared,
    entryPoints: [join(source, page, `${page}.ts`)],
    format: 'iife',
    outdir: join(out, page),
  });
mkdirSync(join(out, 'test'));
for (const [page, ...files] of [
  ['preview', 'index.html', 'preview.css'],
  ['resume', 'index.html', 'resume.css'],
  ['test', 'index.html', 'test.css'],
])
  for (const file of files) copyFileSync(join(source, page, file), join(out, page, file));

const sizes = ['widget.js', chatFile].map((file) => [file, brotliCompressSync(readFileSync(join(out, file))).length]);
for (const [file, bytes] of sizes) console.log(`${file}  ${bytes} B brotli`);
console.log(`whole widget  ${sizes.reduce((sum, [, bytes]) => sum + bytes, 0)} B brotli`);
