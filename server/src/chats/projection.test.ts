import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Site } from '../../contract.ts';
import { type Account, createSite, signUp, until, visit } from '../../test/factories.ts';
import { startServer, type TestServer } from '../../test/harness.ts';
import { connectStaff, connectVisitor, type Ear, hangUp } from '../../test/sockets.ts';

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await startServer();
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
});
afterEach(hangUp);
afterAll(() => server.stop());

const send = (ear: Ear, content: string) => ear.ask('send_message', { clientId: randomUUID(), content });

test('of a visitor who writes on, dashboards hear each message at once, and the row with several of them', async () => {
  const agent = await connectStaff(server.url, owner.token);
  const { visitorToken } = await visit(server.api, site);
  const vera = await connectVisitor(server.url, visitorToken);
  const { chat } = await send(vera, 'The first');
  const more = Array.from({ length: 60 }, (_, at) => `Line ${at}`);
  await Promise.all(more.map((content) => send(vera, content)));
  const rows = () => agent.heard('chat_updated').map(({ chat: row }) => row);
  const last = await until(async () => rows().find(({ lastSeq }) => lastSeq === 61));
  expect(last).toMatchObject({ _id: chat._id, unread: 61, waitingSince: chat.waitingSince ?? expect.any(String) });
  expect(agent.heard('new_message').map(({ message }) => message.seq)).toEqual(
    [...Array(61).keys()].map((at) => at + 1),
  );
  expect(rows().length).toBeLessThan(30);

  // An answer, and whatever else is done with the chat, waits for nothing.
  await send(vera, 'Still there?');
  await send(vera, 'Hello?');
  await agent.ask('read', { chatId: chat._id, seq: 63 });
  await until(async () => rows().find(({ lastSeq, unread }) => lastSeq === 63 && unread === 0));
});
