import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Below it, the copied server finds the packages. */
const CACHE = join(ROOT, 'node_modules/.cache');
/** The hashes in the names of the chat, of the folder of its parts, and of the dashboard's files. */
const HASHES = /(?<=chat-)[\da-f]{8}(?=\.js)|(?<=^|\/)[\da-f]{8}(?=\/)|(?<=-)[\w-]{8}(?=\.(?:js|css|json|woff2)$)/g;

/** A release whose hashed files all have other names than those of the build. */
export interface FormerRelease {
  /** What starts its server. */
  main: string;
  /** The paths of its hashed files, as pages ask for them. */
  paths: string[];
  remove(): void;
}

/**
 * Makes a former release of the build: a copy with every hash reversed, in names and contents. That is all by which a page tells
 * releases apart, and a second build would take far longer.
 */
export function makeFormerRelease(): FormerRelease {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'former-release-'));
  cpSync(join(ROOT, 'server/dist'), join(folder, 'server/dist'), { recursive: true });
  cpSync(join(ROOT, 'server/package.json'), join(folder, 'server/package.json'));
  symlinkSync(join(ROOT, 'server/node_modules'), join(folder, 'server/node_modules'));
  const hashes = new Set<string>();
  for (const dist of ['client/dist', 'widget/dist']) {
    cpSync(join(ROOT, dist), join(folder, dist), { recursive: true });
    for (const name of namesIn(join(folder, dist))) for (const [hash] of name.matchAll(HASHES)) hashes.add(hash);
  }
  const pattern = new RegExp([...hashes].map((hash) => hash.replaceAll('-', '\\-')).join('|'), 'g');
  const former = (text: string) => text.replace(pattern, (hash) => [...hash].reverse().join(''));
  for (const dist of ['client/dist', 'widget/dist']) rename(join(folder, dist), former);
  const renamed = [...hashes].map(former);
  const served = [
    ...namesIn(join(folder, 'client/dist')).map((name) => `/${name}`),
    ...namesIn(join(folder, 'widget/dist')).map((name) => `/widget/${name}`),
  ];
  return {
    main: join(folder, 'server/dist/main.js'),
    paths: served.filter((path) => /\.(js|css)$/.test(path) && renamed.some((name) => path.includes(name))),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function rename(folder: string, former: (text: string) => string): void {
  for (const name of namesIn(folder)) {
    const file = join(folder, name);
    // They are of the contents before.
    if (/\.(br|gz)$/.test(name)) rmSync(file);
    else if (/\.(js|css|html|json)$/.test(name)) writeFileSync(file, former(readFileSync(file, 'utf8')));
  }
  // Files before the folders that they are in.
  const left = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort(
    (one, other) => other.length - one.length,
  );
  for (const name of left) {
    const [, at = '', last = ''] = /^(.*\/)?([^/]+)$/.exec(name) ?? [];
    if (former(last) !== last) renameSync(join(folder, name), join(folder, at, former(last)));
  }
}

function namesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
