import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { DAY_MS } from '../time/time.ts';
import type { Builds } from './builds.ts';
import { KEPT_DAYS, KEPT_MAX_BYTES, ReleaseFileModel, ReleaseModel, removeOldReleases } from './model.ts';

const LONG = 'x'.repeat(500);
const OLD = 'aaaaaaaa';
const NEW = 'bbbbbbbb';
/** As the bundler names what many screens share. */
const SHARED = `assets/icons~${'Page~'.repeat(16)}a1b2c3d4`;
const ENCODINGS = ['br, gzip', 'gzip', 'identity'];
const HEADERS = ['content-type', 'cache-control', 'content-encoding', 'vary', 'access-control-allow-origin'];

let folder: string;
let server: TestServer;
/** What the old release answered when it ran. */
let before: Awaited<ReturnType<typeof askAll>>;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-releases-'));
  server = await start(OLD);
  before = await askAll(OLD);
  await server.stop();
  server = await start(NEW);
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

/** Writes a build whose files have this hash in their names; what has none is the same in all. */
async function build(hash: string): Promise<Builds> {
  const at = path.join(folder, hash);
  const files = {
    'widget/widget.js': hash,
    'widget/secret.txt': 'secret',
    'widget/shims/crisp.js': 'shim',
    [`widget/chat-${hash}.js`]: LONG + hash,
    [`widget/${hash}/emoji.js`]: `few ${hash}`,
    'client/index.html': '<script src="/boot.js"></script>',
    'client/boot.js': 'boot',
    [`client/assets/Page-${hash}.js`]: LONG + hash,
    [`client/${SHARED}-${hash}.js`]: LONG + hash,
    'client/assets/letters-SAMESAME.woff2': 'letters',
  };
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(at, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    if (!text.startsWith(LONG)) continue;
    await writeFile(`${file}.br`, brotliCompressSync(text));
    await writeFile(`${file}.gz`, gzipSync(text));
  }
  return { client: path.join(at, 'client'), widget: path.join(at, 'widget') };
}

/** Starts a server of a build on the data of those before, and waits until its files are kept. */
async function start(hash: string): Promise<TestServer> {
  const started = await startServer(
    { mongodbUri: null, dataDir: path.join(folder, 'data') },
    { builds: await build(hash), releaseKeptAfterMs: 0 },
  );
  await until(async () => (await kept()).includes(`widget/chat-${hash}.js`));
  return started;
}

const kept = async () => (await ReleaseFileModel.find({}, { _id: 1 })).map(({ _id }) => _id).sort();

const namesOf = (hash: string) => [
  `assets/Page-${hash}.js`,
  `${SHARED}-${hash}.js`,
  `widget/${hash}/emoji.js`,
  `widget/chat-${hash}.js`,
];

/** Asks for a path exactly as it is written. */
async function ask(asked: string, encoding = 'identity') {
  const options = { port: new URL(server.url).port, path: asked, headers: { 'Accept-Encoding': encoding } };
  const answer = await new Promise<IncomingMessage>((done, failed) => get(options, done).on('error', failed));
  const headers = HEADERS.map((name) => answer.headers[name]);
  return { status: answer.statusCode, headers, bytes: await buffer(answer) };
}

async function askAll(hash: string) {
  const asks = namesOf(hash).flatMap((name) => ENCODINGS.map((encoding) => ask(`/${name}`, encoding)));
  return Promise.all(asks);
}

test('pages of an earlier release go on loading its files, with the same headers and encodings', async () => {
  expect(before.map(({ status }) => status)).toEqual(Array(12).fill(200));
  expect(await askAll(OLD)).toEqual(before);
  expect((await askAll(NEW)).map(({ headers }) => headers)).toEqual(before.map(({ headers }) => headers));
});

test('no other file is kept, and no other name is answered', async () => {
  expect(await kept()).toEqual([...namesOf(OLD), ...namesOf(NEW), 'assets/letters-SAMESAME.woff2'].sort());
  const wrong = [
    '/widget/chat-cccccccc.js',
    `/widget/../${OLD}/widget/secret.txt`,
    `/widget/..%2fchat-${OLD}.js`,
    `/widget/%2e%2e/%2e%2e/${OLD}/widget/secret.txt`,
    `/widget/%2e%2e/widget/chat-${OLD}.js`,
    '/assets/..%2f..%2fdata.js',
    `/assets/%00Page-${OLD}.js`,
    `/assets/Page-${OLD}.js%00.js`,
    `/widget/${OLD}/__proto__.js`,
    `/widget/${OLD}/emoji.js.gz`,
  ];
  for (const name of wrong) expect((await ask(name)).status, name).toBe(404);
});

test('releases are removed when they stopped running long ago, and the oldest when all are too large', async () => {
  const now = Date.now();
  const ago = (days: number) => new Date(now - days * DAY_MS);
  const own = await kept();
  const add = async (name: string, days: number, bytes: number) => {
    const file = `assets/${name}.js`;
    await ReleaseFileModel.create({ _id: file, plain: Buffer.from(name) });
    const files = [
      { name: file, bytes },
      { name: 'assets/shared.js', bytes: 1 },
    ];
    await ReleaseModel.create({ _id: name, runsAt: ago(days), files });
  };
  await add('shared', 1, 1);
  await add('newer', 2, KEPT_MAX_BYTES / 4);
  await add('older', 3, KEPT_MAX_BYTES / 2);
  await add('stopped', KEPT_DAYS + 1, 1);
  const removed = async () => {
    const all = await kept();
    await removeOldReleases(now);
    const left = await kept();
    return all.filter((name) => !left.includes(name));
  };
  expect(await removed()).toEqual(['assets/stopped.js']);
  await ReleaseModel.updateOne({ _id: 'newer' }, { $set: { 'files.0.bytes': KEPT_MAX_BYTES / 2 } });
  expect(await removed()).toEqual(['assets/older.js']);
  const all = { $set: { runsAt: ago(KEPT_DAYS + 1) } };
  await ReleaseModel.updateMany({ _id: { $in: ['newer', 'shared'] } }, all);
  expect(await removed()).toEqual(['assets/newer.js', 'assets/shared.js']);
  expect(await kept()).toEqual(own);
});
