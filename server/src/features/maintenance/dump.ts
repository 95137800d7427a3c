import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { EJSON } from 'bson';
import { MaintenanceError } from './errors.ts';
import type { SourceCollection } from './source.ts';

const DATA = '.bson';
const METADATA = '.metadata.json';
const LENGTH_BYTES = 4;
const SMALLEST_DOCUMENT = 5;

/**
 * Writes collections in the layout of mongodump, so that mongorestore can read them: for each collection a file of BSON and
 * one of metadata.
 * @returns how many documents were written
 * @see https://www.mongodb.com/docs/database-tools/mongodump/
 */
export async function writeDump(folder: string, sources: SourceCollection[]): Promise<number> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  let count = 0;
  const counted = async function* (documents: AsyncIterable<Uint8Array>) {
    for await (const raw of documents) {
      count++;
      yield raw;
    }
  };
  for (const { name, options, indexes, documents } of sources) {
    const file = path.join(folder, encodeURIComponent(name));
    const metadata = { options, indexes, collectionName: name, type: 'collection' };
    await writeFile(`${file}${METADATA}`, EJSON.stringify(metadata, { relaxed: false }), { mode: 0o600, flush: true });
    await pipeline(counted(documents()), createWriteStream(`${file}${DATA}`, { mode: 0o600, flush: true }));
  }
  return count;
}

/**
 * Finds the collections of a dump, in its folder or in the only folder inside it, and checks that each file is complete.
 * @throws MaintenanceError if there are none, or more than one database, or a file is cut short
 */
export async function readDump(folder: string): Promise<SourceCollection[]> {
  const home = await homeOf(folder);
  const files = (await readdir(home)).filter((name) => name.endsWith(DATA)).sort();
  const sources = await Promise.all(files.map((file) => readCollection(home, file.slice(0, -DATA.length))));
  for (const { documents } of sources) for await (const _ of documents());
  return sources;
}

async function homeOf(folder: string): Promise<string> {
  const isHome = async (one: string) => (await readdir(one)).some((name) => name.endsWith(DATA));
  if (await isHome(folder)) return folder;
  const inside = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const homes: string[] = [];
  for (const { name } of inside) if (await isHome(path.join(folder, name))) homes.push(name);
  const [home, second] = homes;
  if (home === undefined) throw new MaintenanceError(`There is no dump in ${folder}: no file in it ends with ${DATA}.`);
  if (second !== undefined)
    throw new MaintenanceError(`There are several databases in ${folder}. Choose the folder of one, such as ${home}.`);
  return path.join(folder, home);
}

async function readCollection(home: string, stem: string): Promise<SourceCollection> {
  const file = path.join(home, `${stem}${DATA}`);
  const { options = {}, indexes = [] } = await readMetadata(path.join(home, `${stem}${METADATA}`));
  return { name: decodeURIComponent(stem), options, indexes, documents: () => documentsIn(file) };
}

async function readMetadata(file: string): Promise<Partial<SourceCollection>> {
  try {
    return EJSON.parse(await readFile(file, 'utf8'), { relaxed: false });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new MaintenanceError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

async function* documentsIn(file: string): AsyncGenerator<Uint8Array> {
  const { size } = await stat(file);
  let buffered = Buffer.alloc(0);
  let at = 0;
  for await (const chunk of createReadStream(file)) {
    buffered = Buffer.concat([buffered, chunk]);
    for (;;) {
      const length = buffered.length < LENGTH_BYTES ? undefined : buffered.readInt32LE(0);
      if (length !== undefined && (length < SMALLEST_DOCUMENT || at + length > size)) throw brokenOff(file, at);
      if (length === undefined || buffered.length < length) break;
      yield buffered.subarray(0, length);
      buffered = buffered.subarray(length);
      at += length;
    }
  }
  if (buffered.length > 0) throw brokenOff(file, at);
}

function brokenOff(file: string, at: number): MaintenanceError {
  return new MaintenanceError(`${file} is damaged: the data after ${at} bytes is not a valid document.`);
}
