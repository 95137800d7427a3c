import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, say, signUp, visit } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import type { Chat, Site } from '../../../../contract.ts';

let server: TestServer;
let owner: Account;
let site: Site;
beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
});
afterAll(() => server.stop());

const ask = async (call: string) => (await server.api(call, { token: owner.token })).body.data;
const listed = async (query = ''): Promise<Chat[]> => (await ask(`GET /chats?${query}`)).chats;

test('whoever knows that a message is stored finds it in the next list, chat and search', async () => {
  for (const [at, first] of ['Marmalade', 'Nutcracker', 'Oboe', 'Piccolo'].entries()) {
    const session = await visit(server.api, site, { visitor: { name: first } });
    const id = await say(server.api, site, session, first);
    expect((await listed())[0]).toMatchObject({ _id: id, lastMessage: first, unread: 1, lastSeq: 1 });

    await say(server.api, site, session, `${first} again`);
    const [row] = await listed('sort=waiting&status=waiting&unread=yes').then((rows) => rows.slice(-1));
    expect(row).toMatchObject({ _id: id, lastMessage: `${first} again`, unread: 2 });

    await say(server.api, site, session, `${first} for the third time`);
    expect((await ask(`GET /chats/${id}`)).chat).toMatchObject({ lastSeq: 3, unread: 3 });

    await say(server.api, site, session, `Zither ${at}`);
    expect((await listed('search=zither')).map(({ _id }) => _id)).toContain(id);
  }
});

test('messages of many chats at once are all in the next list, each with its newest text', async () => {
  const sessions = await Promise.all(Array.from({ length: 8 }, () => visit(server.api, site)));
  const ids = await Promise.all(
    sessions.map(async (session, at) => {
      await say(server.api, site, session, `Begin ${at}`);
      return say(server.api, site, session, `End ${at}`);
    }),
  );
  const rows = new Map((await listed()).map(({ _id, lastMessage }) => [_id, lastMessage]));
  expect(ids.map((id) => rows.get(id))).toEqual(ids.map((_, at) => `End ${at}`));
});
