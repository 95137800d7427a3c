import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ROOT } from '../setup.js';

const LIST = join(ROOT, 'server/src/features/exports/pdf/fonts.json');
const PACKAGES = join(ROOT, 'node_modules');
const PACKAGE_NAME = /^(@[^/]+\/)?[^/]+/;

/** Copies the fonts for PDFs into a folder, each with its licence, under the names of their packages. */
export async function copyFonts(folder) {
  const files = Object.values(JSON.parse(await readFile(LIST, 'utf8')));
  const packages = new Set(files.map((file) => file.match(PACKAGE_NAME)[0]));
  const licences = await Promise.all([...packages].map(licencesOf));
  for (const file of [...files, ...licences.flat()]) {
    await mkdir(join(folder, dirname(file)), { recursive: true });
    await cp(join(PACKAGES, file), join(folder, file));
  }
}

async function licencesOf(name) {
  const entries = await readdir(join(PACKAGES, name));
  return entries.filter((entry) => entry.startsWith('LICENSE')).map((entry) => `${name}/${entry}`);
}
