import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Decimal128, Double, deserialize, EJSON, Long } from 'bson';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, createSite, say, signUp, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type BuiltCommand, buildCommand, builtWorker } from '#test/workers';
import { MessageModel } from './features/chats/messageModel.ts';
import { ChatModel } from './features/chats/model.ts';
import { connection } from './platform/database/connection.ts';
import { DATA_VERSION } from './platform/migrations/steps.ts';
import { startStore } from './store/index.ts';

let built: BuiltCommand;
let server: TestServer;
let folder: string;
let dataDir: string;
let ana: Account;

const within = (name: string) => path.join(folder, name);

beforeAll(async () => {
  built = await buildCommand('maintenance');
  folder = await mkdtemp(path.join(tmpdir(), 'parley-maintenance-'));
  dataDir = within('data');
  server = await startServer({ dataDir, mongodbUri: null });
  ana = await signUp(server.api);
  const site = await createSite(server.api, ana.token);
  const vera = await visit(server.api, site);
  for (const text of ['Hello', 'Is anybody there?']) await say(server.api, site, vera, text);
  const odd = new Map<string, unknown>([
    ['_id', 1],
    ['later', new Double(1)],
    ['10', { nested: new Map([['2', [1n]]]), 1: Decimal128.fromString('1.50') }],
    ['2', /a/i],
    ['huge', Long.MAX_VALUE],
    ['__proto__', new Date(0)],
  ]);
  await collection('odd').insertOne(odd as never);
});
afterAll(async () => {
  await server.stop();
  await Promise.all([built.remove(), rm(folder, { recursive: true, force: true })]);
});

function collection(name: string) {
  const { db } = connection;
  if (!db) throw new Error('not connected');
  return db.collection(name);
}

/** Gives a command in a process of its own, as `npm run db:… --` does. */
function command(args: string, env: Record<string, string> = {}) {
  const options = { env: { PATH: process.env.PATH, DATA_DIR: dataDir, INIT_CWD: folder, ...env } };
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [built.file, ...args.split(' ').filter(Boolean)], options, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out: out.trim(), err: err.trim() }),
    );
  });
}

/** What a folder's own server holds of the odd document, byte for byte. */
async function oddIn(dump: string): Promise<string> {
  return (await readFile(within(`${dump}/parley/odd.bson`))).toString('hex');
}

describe('while the server runs', () => {
  test('store:uri prints the address of its store', async () => {
    const { out, err } = await command('uri');
    expect(err).toBe('');
    const client = await new mongoose.mongo.MongoClient(out).connect();
    expect(await client.db().collection('messages').countDocuments()).toBe(2);
    await client.close();
  });

  test('db:check finds no errors', async () => {
    expect(await command('check')).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^No errors found: \d+ collections, \d+ documents, 1 chats\.$/),
    });
  });

  test('db:backup makes a data folder with which a server starts, sessions included', async () => {
    const { out, err } = await command('backup saved');
    expect(err).toBe('');
    expect(out).toContain(`DATA_DIR=${within('saved')}.`);
    expect((await readdir(within('saved'))).sort()).toEqual(
      expect.arrayContaining(['data-key', 'jwt-secret', 'store']),
    );
    expect(await command('check', { DATA_DIR: within('saved') })).toMatchObject({ code: 0 });
    expect(await command('backup saved')).toMatchObject({ code: 1, err: expect.stringContaining('already exists') });
  });

  test('db:export has the layout of mongodump', async () => {
    expect(await command('export dump')).toMatchObject({ code: 0, err: '' });
    const files = await readdir(within('dump/parley'));
    expect(files).toEqual(expect.arrayContaining(['messages.bson', 'messages.metadata.json', 'users.bson']));
    const metadata = EJSON.parse(await readFile(within('dump/parley/messages.metadata.json'), 'utf8'));
    expect(metadata).toMatchObject({
      collectionName: 'messages',
      type: 'collection',
      options: {},
      indexes: expect.arrayContaining([
        { v: 2, key: { _id: 1 }, name: '_id_' },
        { v: 2, key: { chat: 1, seq: 1 }, name: 'chat_1_seq_1', unique: true },
      ]),
    });
    const bytes = await readFile(within('dump/parley/messages.bson'));
    expect(deserialize(bytes.subarray(0, bytes.readInt32LE(0)))).toMatchObject({ content: 'Hello', seq: 1 });
  });

  test('data of a newer Parley can be exported, but neither checked nor read in again', async () => {
    const { modifiedCount: isSet } = await collection('schema').updateOne(
      {},
      { $set: { version: 99, oldestReader: 99 } },
    );
    expect(isSet).toBe(1);
    const refused = { code: 1, err: expect.stringMatching(/^The data was written by a newer Parley .*\.$/) };
    expect(await command('check')).toEqual({ ...refused, out: '' });
    expect(await command('export newer')).toMatchObject({ code: 0, err: '' });
    const [version, oldestReader] = [DATA_VERSION, DATA_VERSION];
    await collection('schema').updateOne({}, { $set: { version, oldestReader } });
    expect(await command('import newer', { DATA_DIR: within('unused') })).toEqual({ ...refused, out: '' });
    expect(await readdir(folder)).not.toContain('unused');
  });

  test('commands that replace or move its data are refused', async () => {
    const answers = await Promise.all([
      command('import dump --drop-existing'),
      command('copy --from mongodb://127.0.0.1:1/x'),
      command('compact'),
    ]);
    expect(answers.map(({ code }) => code)).toEqual([1, 1, 1]);
    expect(answers[0]?.err).toBe('Parley is running on this data. Stop it first.');
    expect(answers[2]?.err).toMatch(/^The data folder .* is in use by process \d+/);
  });
});

describe('db:import', () => {
  test('restores an export byte for byte, into an empty database or with --drop-existing', async () => {
    const other = { DATA_DIR: within('other') };
    const first = await command('import dump', other);
    expect(first.err).toBe('');
    expect(first.out).toMatch(
      /^\d+ collections with \d+ documents were written, read back and compared: they are the same\.$/,
    );
    expect(await command('import dump', other)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^The database parley is not empty\. Add --drop-existing/),
    });
    expect(await command('import dump/parley --drop-existing', other)).toEqual({ ...first, err: '' });
    await command('export again', other);
    expect(await oddIn('again')).toBe(await oddIn('dump'));
    expect((await command('check', other)).code).toBe(0);
  });

  test('refuses a damaged export before anything is written', async () => {
    await command('export torn');
    await appendFile(within('torn/parley/messages.bson'), 'xx');
    const empty = { DATA_DIR: within('empty') };
    const [torn, none] = await Promise.all([command('import torn', empty), command('import nothing', empty)]);
    expect(torn.err).toMatch(/messages\.bson is damaged: the data after \d+ bytes is not a valid document\.$/);
    expect(none.err).toMatch(/^Cannot read .*nothing: there is no such folder\.$/);
    await expect(readdir(within('empty'))).rejects.toThrow();
  });
});

test('db:copy to another database and back keeps every byte', async () => {
  const target = await startStore({ dataDir: within('target'), workerUrl: await builtWorker('store/worker') });
  const there = await command(`copy --to ${target.uri}`);
  expect(there).toMatchObject({ code: 0, err: '', out: expect.stringContaining('compared: they are the same.') });
  const [full, back] = await Promise.all([
    command(`copy --to ${target.uri}`),
    command(`copy --from ${target.uri}`, { DATA_DIR: within('back') }),
  ]);
  expect(full).toMatchObject({ code: 1, err: expect.stringContaining('is not empty') });
  expect(back).toEqual({ ...there, code: 0 });
  await target.stop();
  await Promise.all([command('export round', { DATA_DIR: within('back') }), command('export straight')]);
  expect(await oddIn('round')).toBe(await oddIn('straight'));
});

describe('db:check', () => {
  test('reports a missing message, a wrong count and messages without a chat', async () => {
    const chat = await ChatModel.findOne().orFail().lean();
    const first = await MessageModel.findOneAndDelete({ seq: 1 }).lean();
    expect((await command('check')).err).toContain(`- chat ${chat._id}: message 1 is missing`);
    await MessageModel.insertOne(first as never);
    const second = await MessageModel.findOneAndDelete({ seq: 2 }).lean();
    expect((await command('check')).err).toContain(`- chat ${chat._id}: the chat counts 2 messages, but has 1`);
    await MessageModel.insertOne(second as never);
    await ChatModel.deleteOne({ _id: chat._id });
    const { code, err } = await command('check');
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`chat ${chat._id}: the chat does not exist, but 2 messages of it do`),
    ]);
    await ChatModel.collection.insertOne(chat as never);
    expect((await command('check')).code).toBe(0);
  });
});

test('a command that cannot be carried out fails with a clear message', async () => {
  const usage = ['nothing', 'export a b', 'check --to x', 'copy --to a --from b'];
  const nowhere = { DATA_DIR: within('nowhere') };
  const [[noData, notRunning, elsewhere, away, nonsense], ...answers] = await Promise.all([
    Promise.all([
      command('check', nowhere),
      command('uri', nowhere),
      command('backup b', { MONGODB_URI: 'mongodb://127.0.0.1:1/x' }),
      command('copy --to mongodb://127.0.0.1:1/x?serverSelectionTimeoutMS=100'),
      command('copy --to nonsense'),
    ]),
    ...usage.map((args) => command(args)),
  ]);
  for (const { code, out, err } of answers)
    expect([code, out, err]).toEqual([1, '', expect.stringMatching(/^Usage:\n {2}npm run db:backup -- FOLDER/)]);
  expect([noData, notRunning, elsewhere, away, nonsense].map(({ err }) => err)).toEqual([
    expect.stringMatching(/^There is no data in .*nowhere\. Set DATA_DIR/),
    expect.stringMatching(/^No Parley is running on .*nowhere\./),
    'MONGODB_URI is set, so the data is in that database. Use mongodump, or npm run db:export.',
    'The database does not answer. Check that it runs and that its address is correct.',
    'The address must begin with mongodb:// or mongodb+srv://.',
  ]);
});
