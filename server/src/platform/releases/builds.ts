import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { ENCODINGS } from '#platform/http';
import type { ReleaseFileDoc } from './model.ts';

/** The folders of the built dashboard and widget. */
export interface Builds {
  client: string;
  widget: string;
}

/** Paths of files whose names change with their content; no other file is kept. */
export const HASHED =
  /^(widget\/(chat-[\da-f]{8}|[\da-f]{8}\/[a-z-]{1,30})\.js|assets\/[\w.~-]{1,120}-[\w-]{8}\.(js|css|json|woff2))$/;

/** A hashed file of this server's own build. */
export interface OwnFile {
  /** Its path below the server's root. */
  name: string;
  file: string;
  /** In the forms in which it is kept. */
  bytes: number;
}

/** The hashed files of a build, in the order of their names. */
export async function hashedFiles({ client, widget }: Builds): Promise<OwnFile[]> {
  const both = await Promise.all([filesIn(widget, 'widget'), filesIn(path.join(client, 'assets'), 'assets')]);
  const files = both.flat().filter(({ name }) => HASHED.test(name));
  const sized = files.map(async (one) => ({ ...one, bytes: sizeOf(await readDocument(one)) }));
  return (await Promise.all(sized)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Reads a file in the forms in which it is kept: compressed, or else as it is. */
export async function readDocument({ name, file }: Pick<OwnFile, 'name' | 'file'>): Promise<ReleaseFileDoc> {
  const read = (ending: string) => readFile(file + ending).catch(() => undefined);
  const [br, gzip] = await Promise.all([read(ENCODINGS.br), read(ENCODINGS.gzip)]);
  return gzip ? { _id: name, br, gzip } : { _id: name, plain: await readFile(file) };
}

function sizeOf({ plain, br, gzip }: ReleaseFileDoc): number {
  return [plain, br, gzip].reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0);
}

async function filesIn(folder: string, at: string): Promise<Pick<OwnFile, 'name' | 'file'>[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.map((name) => ({ name: `${at}/${name.split(path.sep).join('/')}`, file: path.join(folder, name) }));
}
