import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, newChat, say, signUp, visit } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { connectStaff, hangUp } from '#test/sockets';
import { MESSAGE_MAX_LENGTH, type Site, type SyncAnswer } from '../../../../contract.ts';

const LONG = 'x'.repeat(MESSAGE_MAX_LENGTH);
/** Two such threads are more than one answer tells. */
const MESSAGES = 12;
/** The rows of so many chats that begin with a long message, too. */
const CHATS = 21;

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
});
afterEach(hangUp);
afterAll(() => server.stop());

async function longThread(): Promise<string> {
  const session = await visit(server.api, site);
  let chatId = '';
  for (let n = 0; n < MESSAGES; n++) chatId = await say(server.api, site, session, LONG);
  return chatId;
}

test('a sync of many long threads returns some, each once, and says which have more', async () => {
  const { ask } = await connectStaff(server.url, owner.token);
  const chats = [await longThread(), await longThread(), await longThread()];
  const asked = chats.flatMap((chatId) => [chatId, chatId.toUpperCase()]).map((chatId) => ({ chatId, afterSeq: 0 }));
  const answer: SyncAnswer = await ask('sync', { chats: asked });
  expect(answer.chats.map(({ chatId, messages, more }) => [chatId, messages.length, more])).toEqual([
    [chats[0], MESSAGES, false],
    [chats[1], MESSAGES, false],
    [chats[2], 0, true],
  ]);
});

test('a sync with too many changes tells the dashboard to reload its lists', async () => {
  const { ask } = await connectStaff(server.url, owner.token);
  const { cursor }: SyncAnswer = await ask('sync', { chats: [] });
  await newChat(server.api, site, owner.token, LONG);
  const little: SyncAnswer = await ask('sync', { cursor, chats: [] });
  expect([little.reset, little.changed.length > 0]).toEqual([false, true]);
  for (let n = 1; n < CHATS; n++) await newChat(server.api, site, owner.token, LONG);
  expect(await ask('sync', { cursor, chats: [] })).toMatchObject({ reset: true, changed: [] });
});
