import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, newChat, signUp, until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import type { Site } from '../../../contract.ts';
import { ChatModel } from '../chats/model.ts';

const MINUTE_MS = 60_000;

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await startServer();
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
});
afterAll(() => server.stop());

test('the widget config has the usual response time of the week', async () => {
  const usual = async () => (await server.api(`GET /widget/${site.widgetCode}`)).body.data.usualReplyMinutes;
  expect(await usual()).toBeNull();
  for (const minutes of [2, 10, 60]) {
    const { _id } = await newChat(server.api, site, owner.token);
    await ChatModel.updateOne({ _id }, { $set: { createdAt: new Date(Date.now() - minutes * MINUTE_MS) } });
    await server.api(`POST /chats/${_id}/message`, { token: owner.token, body: { text: 'Hi' } });
    await until(async () => (await ChatModel.findById(_id))?.firstResponseAt);
  }
  const figure = await until(async () => {
    const { avgResponseMinutes } = (await server.api('GET /overview', { token: owner.token })).body.data;
    return Math.abs(avgResponseMinutes - 10) < 2 && avgResponseMinutes;
  });
  server.advance(5 * MINUTE_MS);
  await until(async () => (await usual()) === figure);
});
