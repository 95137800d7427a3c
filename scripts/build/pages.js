import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The server replaces this by its public address, because previews of shared links need absolute addresses. */
const ORIGIN_MARK = '__PUBLIC_URL__';
const SPECIAL = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * Writes every public page as `pages/PATH/index.html`: the built index.html with the page's own head and its rendered HTML in the
 * root element. `data-pre` tells the client to hydrate it.
 * @param dist the folder of the built client, with `prerender.js` in `.ssr`, which is deleted
 */
export async function writePages(dist) {
  const folder = join(dist, '.ssr');
  const { default: renderAll } = await import(pathToFileURL(join(folder, 'prerender.js')).href);
  const shell = await readFile(join(dist, 'index.html'), 'utf8');
  const pages = await renderAll();
  await Promise.all(pages.map((page) => write(join(dist, 'pages', page.path), documentOf(shell, page))));
  await rm(folder, { recursive: true });
}

/** The document of one page. Scripts load with low priority, because the page can be read without them. */
export function documentOf(shell, { path, title, description, html }) {
  const patient = shell.replaceAll(/ (type="module"|rel="modulepreload")/g, (kind) => `${kind} fetchpriority="low"`);
  const head = put(patient, /<title>.*?<\/title>/, headOf(path, title, description));
  return put(head, /<div id="root">.*?<\/div>/s, `<div id="root" data-pre>${html}</div>`);
}

function headOf(path, title, description) {
  const social = {
    'og:type': 'website',
    'og:site_name': 'Parley',
    'og:title': title,
    'og:description': description,
    'og:url': ORIGIN_MARK + path,
    'og:image': `${ORIGIN_MARK}/icons/social.png`,
  };
  return [
    `<title>${escaped(title)}</title>`,
    `<meta name="description" content="${escaped(description)}" />`,
    ...Object.entries(social).map(([name, content]) => `<meta property="${name}" content="${escaped(content)}" />`),
    '<meta name="twitter:card" content="summary_large_image" />',
  ].join('\n    ');
}

function put(text, where, what) {
  if (!where.test(text)) throw new Error(`index.html has no ${where}`);
  // A function, because `$&` in a page would be replaced in a string.
  return text.replace(where, () => what);
}

function escaped(text) {
  return text.replace(/[&<>"]/g, (char) => SPECIAL[char]);
}

async function write(folder, content) {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'index.html'), content);
}
