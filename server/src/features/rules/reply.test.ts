import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { uploadToReply } from '#test/uploads';
import type { Message, RuleRun, Site } from '../../../contract.ts';

const PICTURE = { create: { width: 40, height: 30, channels: 3, background: '#2563eb' } } as const;

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await startServer({ rateLimits: true, limits: { ruleFilesPerSite: 3 } });
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
});
afterAll(() => server.stop());

const ask = async (call: string, body?: object) =>
  (await server.api(call, { token: owner.token, ...(body && { body }) })).body.data;

/** What the rules of the site have done, once each chat has been answered. */
const outcomesOf = (chats: number): Promise<string[]> =>
  until(async () => {
    const { runs } = await ask(`GET /sites/${site._id}/rules/runs`);
    return runs.length === chats && runs.map(({ actions }: RuleRun) => actions[0]?.outcome);
  });

/** A canned reply with a text and a picture, and a rule that sends it when a chat begins. */
async function prepare(): Promise<string> {
  const { reply } = await ask('POST /canned-replies', { siteId: site._id, shortcut: 'prices', content: 'Our prices:' });
  const picture = new Uint8Array(await sharp(PICTURE).png().toBuffer());
  for (const [name, bytes] of [['prices.txt', 'all prices'] as const, ['shop.png', picture] as const])
    expect((await uploadToReply(server, owner.token, reply._id, bytes, { name })).status).toBe(201);
  await ask(`POST /sites/${site._id}/rules`, {
    name: 'Prices',
    event: 'opened',
    actions: [{ do: 'reply', reply: reply._id }],
  });
  return reply._id;
}

test('a canned reply is sent with its files, so many an hour, and the chat keeps them when the reply is deleted', async () => {
  const reply = await prepare();
  const session = await visit(server.api, site);
  const chat = await say(server.api, site, session, 'What does it cost?');
  expect(await outcomesOf(1)).toEqual(['done']);
  // Visitors decide how many chats begin: the files of a second one would be too many.
  const second = await say(server.api, site, await visit(server.api, site), 'And you?');
  expect(await outcomesOf(2)).toEqual(['refused', 'done']);
  expect((await ask(`GET /chats/${second}/messages`)).messages).toHaveLength(2);
  await ask(`DELETE /canned-replies/${reply}`);

  const { messages } = await ask(`GET /chats/${chat}/messages`);
  const [, text, prices, shop] = messages as Message[];
  expect(text).toMatchObject({ content: 'Our prices:', file: null });
  expect(prices).toMatchObject({ senderName: site.name, file: { name: 'prices.txt', size: 10 } });
  expect(shop).toMatchObject({ senderName: site.name, file: { width: 40, height: 30 } });
  expect(messages).toHaveLength(4);
  expect(await (await fetch(server.url + prices?.file?.url)).text()).toBe('all prices');
  const kept = await fetch(server.url + shop?.file?.url);
  expect((await sharp(await kept.arrayBuffer()).metadata()).width).toBe(40);
});
