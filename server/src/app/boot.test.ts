import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { PASSWORD, until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { MessageModel } from '../features/chats/messageModel.ts';

/** The store's file of every format there ever was, kept from Parleys of that time. */
const KEPT = fileURLToPath(new URL('../../test/folders/', import.meta.url));

let server: TestServer | undefined;
let dataDir: string | undefined;
afterEach(async () => {
  await server?.stop();
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
});

test.each(await readdir(KEPT))(
  'the data folder %s of an older version is upgraded: people, sites, chats, figures, search',
  async (file) => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'parley-older-'));
    await mkdir(path.join(dataDir, 'store'));
    await writeFile(path.join(dataDir, 'store/data.mdb'), gunzipSync(await readFile(KEPT + file)));
    server = await startServer({ dataDir, mongodbUri: null });
    const { api } = server;
    const ana = await api('POST /auth/login', { body: { email: 'ana@example.com', password: PASSWORD } });
    const { token } = ana.body.data;
    const { sites } = (await api('GET /sites', { token })).body.data;
    expect(sites.map((site: { name: string }) => site.name)).toEqual(['Oak and Line']);
    const [chat] = (await api('GET /chats/history', { token })).body.data.chats;
    expect(chat.visitorInfo.name).toBe('Mina Park');
    const { messages } = (await api(`GET /chats/${chat._id}/messages`, { token })).body.data;
    expect(messages.map((message: { content: string }) => message.content).slice(0, 2)).toEqual([
      'Is the oak desk in stock?',
      'It is, in both sizes.',
    ]);
    await until(async () => (await api('GET /overview', { token })).body.data.totalChats === 1);
    expect((await api('GET /search?q=stock', { token })).body.data.messages).toHaveLength(1);
    const indexes = await MessageModel.collection.indexes();
    expect(indexes.map(({ name }) => name)).toEqual([
      '_id_',
      'chat_1_seq_1',
      'senderKey_1_clientId_1',
      'visitor_1_edit_1',
      'unapplied_1',
    ]);
  },
);
