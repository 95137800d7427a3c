/**
 * Builds the widget into `dist/`, or into the folder given as an argument: the loader (`widget.js`), the chat, and a folder with the
 * parts of the chat; chat and folder have a hash of their content in their name. Prints the brotli size of each script. Beside them:
 * `shims`, which answer to the APIs of other chats, `preview` for the dashboard's settings, `resume` for the links in mails, `test` for a site's team, and `parley.d.ts`, the types of
 * the page's API.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { minify } from 'vite';
import { PARTS, SHIMS } from './parts.js';

const source = join(import.meta.dirname, 'src');
const out = process.argv[2] ?? join(import.meta.dirname, 'dist');
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'));
const TARGET = 'es2022';
const HASH_LENGTH = 8;

/** Imports a style sheet, with those that it imports, as its minified text, for constructable style sheets. */
const cssText = {
  name: 'css-text',
  setup(on) {
    on.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { outputFiles } = await build({ entryPoints: [path], bundle: true, minify: true, write: false });
      // esbuild leaves the space after the name of a custom property.
      const text = outputFiles[0].text.replace(/(--[a-z]+): /g, '$1:');
      return { contents: text.trim(), loader: 'text' };
    });
  },
};

const shared = {
  bundle: true,
  minify: true,
  target: TARGET,
  plugins: [cssText],
  outdir: out,
  legalComments: 'none',
};

/**
 * Builds a script that imports nothing at run time. @returns its text. Vite's minifier runs after esbuild's: it also inlines functions
 * that are called once, which saves a further 2 to 4 %.
 */
async function buildScript(contents, { format = 'esm', define = {} } = {}) {
  const stdin = { contents, resolveDir: source, loader: 'ts' };
  const { outputFiles } = await build({ ...shared, stdin, format, define, write: false });
  const options = { module: format === 'esm', compress: { target: TARGET }, mangle: true };
  const { code, errors } = await minify('script.js', outputFiles[0].text, options);
  if (errors.length > 0) throw new Error(errors[0].message);
  return code;
}

/** A short name that changes with the content. */
function hashOf(content) {
  return createHash('sha256').update(content).digest('hex').slice(0, HASH_LENGTH);
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

// One hash for the folder of all parts takes fewer bytes in the chat than a hash for each part.
const parts = await Promise.all(Object.entries(PARTS).map(async ([name, entry]) => [name, await buildScript(entry)]));
const partsFolder = hashOf(JSON.stringify(parts));
mkdirSync(join(out, partsFolder));
for (const [name, text] of parts) writeFileSync(join(out, partsFolder, `${name}.js`), text);

const chat = await buildScript("export * from './chat/entry.ts'", {
  define: { PARTS_FOLDER: JSON.stringify(partsFolder) },
});
const chatFile = `chat-${hashOf(chat)}.js`;
writeFileSync(join(out, chatFile), chat);
const loader = await buildScript("import './loader.ts'", {
  format: 'iife',
  define: { CHAT_FILE: JSON.stringify(chatFile), VERSION: JSON.stringify(version) },
});
writeFileSync(join(out, 'widget.js'), loader);
mkdirSync(join(out, 'shims'));
for (const name of SHIMS) {
  const shim = await buildScript(`import './shims/${name}.ts'`, { format: 'iife' });
  writeFileSync(join(out, 'shims', `${name}.js`), shim);
}
for (const page of ['preview', 'resume'])
  await build({
    ...shared,
    entryPoints: [join(source, page, `${page}.ts`)],
    format: 'iife',
    outdir: join(out, page),
  });
copyFileSync(join(source, 'parley.d.ts'), join(out, 'parley.d.ts'));
for (const page of ['preview', 'resume', 'test']) {
  const styles = [join(source, page, `${page}.css`)];
  await build({ entryPoints: styles, bundle: true, minify: true, outdir: join(out, page) });
  copyFileSync(join(source, page, 'index.html'), join(out, page, 'index.html'));
}

const loaded = [
  'widget.js',
  chatFile,
  ...parts.map(([name]) => `${partsFolder}/${name}.js`),
  ...SHIMS.map((name) => `shims/${name}.js`),
];
for (const file of loaded) console.log(`${file}  ${brotliCompressSync(readFileSync(join(out, file))).length} B brotli`);
