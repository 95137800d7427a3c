// Some package registries have builds only for their own platform. npm then leaves the other platforms out of package-lock.json,
// and `npm ci` fails there. This adds the missing entries, and the hashes by which npm knows that a package is the one that was
// locked. Run it after every `npm install`; `--check` changes nothing.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const ROOT = new URL('..', import.meta.url);
const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
const EXACT_VERSION = /^\d+\.\d+\.\d+(-[\w.]+)?$/;
const PLATFORM = /-(android|darwin|freebsd|linux|openharmony|win32)-(arm64|arm|ia32|ppc64|riscv64|s390x|x64)(-\w+)?$/;

/** The platform of a package, read from its name. */
function platformOf(name) {
  if (name.includes('wasm32')) return { cpu: ['wasm32'] };
  const [, os, cpu, abi = ''] = PLATFORM.exec(name) ?? [];
  if (!os) return {};
  const libc = abi.includes('musl') ? 'musl' : abi.includes('gnu') ? 'glibc' : undefined;
  return { os: [os], cpu: [cpu], ...(os === 'linux' && libc && { libc: [libc] }) };
}

/** The entries that a lock file lacks, by their place in `packages`. */
export function missingEntries({ packages }) {
  const missing = new Map();
  for (const entry of Object.values(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const present = Object.keys(packages).some((place) => place.endsWith(`node_modules/${name}`));
      if (present || !EXACT_VERSION.test(version)) continue;
      const { os, cpu, libc } = platformOf(name);
      // In npm's own order, so that npm changes nothing when it writes the file.
      const written = { version, cpu, dev: entry.dev, libc, optional: true, os };
      missing.set(`node_modules/${name}`, JSON.parse(JSON.stringify(written)));
    }
  }
  return missing;
}

/** Packages whose version in a manifest is not the one in the lock file. `npm ci` refuses them. */
export function unlockedAsks({ packages }, manifests) {
  return Object.entries(manifests).flatMap(([place, manifest]) =>
    KINDS.flatMap((kind) => {
      const [asked, locked] = [manifest[kind] ?? {}, packages[place]?.[kind] ?? {}];
      const names = new Set([...Object.keys(asked), ...Object.keys(locked)]);
      return [...names].filter((name) => asked[name] !== locked[name]).map((name) => `${place || 'root'}: ${name}`);
    }),
  );
}

/** Places of a lock file that name a registry's host. */
export const hostedEntries = ({ packages }) =>
  Object.keys(packages).filter((place) => packages[place].resolved?.startsWith('http'));

/** Places of packages without the hash of their content: whatever a registry sends would be installed. */
export const unverifiedEntries = ({ packages }) =>
  Object.keys(packages).filter(
    (place) => place.includes('node_modules/') && !packages[place].link && !packages[place].integrity,
  );

/** An entry with the hash that the registry has for it, in npm's own order. */
function verified(place, { version, resolved, ...rest }) {
  const name = rest.name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const integrity = execFileSync('npm', ['view', `${name}@${version}`, 'dist.integrity'], { encoding: 'utf8' }).trim();
  return JSON.parse(JSON.stringify({ version, resolved, integrity: integrity || undefined, ...rest }));
}

const readJson = (path) => JSON.parse(readFileSync(new URL(path, ROOT), 'utf8'));

export const readLock = () => readJson('package-lock.json');

/** The package.json of the root and of each workspace, by its place in the lock file. */
export function readManifests() {
  const root = readJson('package.json');
  return {
    '': root,
    ...Object.fromEntries(root.workspaces.map((place) => [place, readJson(`${place}/package.json`)])),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const lock = readLock();
  const missing = missingEntries(lock);
  if (process.argv.includes('--check')) {
    const unverified = unverifiedEntries(lock);
    for (const place of missing.keys()) console.error(`package-lock.json lacks ${place}`);
    for (const place of unverified) console.error(`package-lock.json has no hash of ${place}`);
    process.exitCode = missing.size + unverified.length > 0 ? 1 : 0;
  } else {
    const { '': root, ...rest } = lock.packages;
    const sorted = Object.entries({ ...rest, ...Object.fromEntries(missing) }).sort(([a], [b]) => (a < b ? -1 : 1));
    lock.packages = { '': root, ...Object.fromEntries(sorted) };
    for (const place of unverifiedEntries(lock)) lock.packages[place] = verified(place, lock.packages[place]);
    writeFileSync(new URL('package-lock.json', ROOT), `${JSON.stringify(lock, null, 2)}\n`);
    console.log(`package-lock.json: ${missing.size} entries added`);
  }
}
