import { extractText } from 'unpdf';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectStaff, connectVisitor, hangUp } from '#test/sockets';
import type { Chat, Site, StaffMessage, VisitorSession } from '../../../../contract.ts';

const SOURCE = 'Hello **Vera**:\n- see [our guide](https://shop.example/guide)\n- run `npm i`';
const PLAIN = 'Hello Vera:\n\n• see our guide\n• run npm i';
const WITH_ADDRESSES = PLAIN.replace('our guide', 'our guide (https://shop.example/guide)');

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await startServer();
  owner = await signUp(server.api, 'Olga Owner');
  site = await createSite(server.api, owner.token);
});
afterEach(hangUp);
afterAll(() => server.stop());

const call = (name: string, body?: object) => server.api(name, { token: owner.token, body });
const rowOf = async (chatId: string): Promise<Chat> => (await call(`GET /chats/${chatId}`)).body.data.chat;
const answer = async (chatId: string, body: object): Promise<StaffMessage> =>
  (await call(`POST /chats/${chatId}/messages`, body)).body.data.message;
const edit = async ({ chatId, _id }: StaffMessage, body: object): Promise<StaffMessage> =>
  (await call(`PATCH /chats/${chatId}/messages/${_id}`, body)).body.data.message;

async function talk(): Promise<{ session: VisitorSession; chatId: string }> {
  const session = await visit(server.api, site, { visitor: { name: 'Vera' } });
  return { session, chatId: await say(server.api, site, session, 'Hello') };
}

function exported(chatId: string, format: string): Promise<Response> {
  const headers = { Authorization: `Bearer ${owner.token}` };
  return fetch(`${server.url}/api/chats/${chatId}/export?format=${format}`, { headers });
}

test('a formatted answer keeps its source, and both sides get it with the flag and as plain text', async () => {
  const { session, chatId } = await talk();
  const vera = await connectVisitor(server.url, session.visitorToken);
  const sent = await answer(chatId, { content: SOURCE, formatted: true });
  expect(sent).toMatchObject({ content: SOURCE, text: PLAIN, formatted: true });
  // The visitor's own message may come, too.
  const heard = () => vera.heard('new_message').find(({ message }) => message.sender === 'agent');
  await until(async () => heard() !== undefined);
  expect(heard()).toMatchObject({ message: { content: SOURCE, text: PLAIN, formatted: true } });
  await until(async () => (await rowOf(chatId)).lastMessage === PLAIN);
  expect(await (await exported(chatId, 'txt')).text()).toContain(WITH_ADDRESSES.replaceAll('\n', '\n    '));
  const { text } = await extractText(new Uint8Array(await (await exported(chatId, 'pdf')).arrayBuffer()));
  expect(text.join(' ').replaceAll(/\s+/g, ' ')).toContain(
    'Hello Vera: • see our guide (https://shop.example/guide) • run npm i',
  );
});

test('the socket and both calls take the flag; without it, or without formatting, a message stays plain', async () => {
  const { chatId } = await talk();
  const olga = await connectStaff(server.url, owner.token);
  const ask = { chatId, clientId: crypto.randomUUID(), content: '*a*', formatted: true };
  expect(await olga.ask('send_message', ask)).toMatchObject({ message: { text: 'a', formatted: true } });
  const { body } = await call(`POST /chats/${chatId}/message`, { text: '_b_', formatted: true });
  expect(body.data.message).toMatchObject({ text: 'b', formatted: true });
  for (const plain of [
    { content: '**c**' },
    { content: '**c**', formatted: false },
    { content: 'c', formatted: true },
  ]) {
    const message = await answer(chatId, plain);
    expect(message.text).toBe(plain.content);
    expect(message).not.toHaveProperty('formatted');
  }
  const refused = await call(`POST /chats/${chatId}/messages`, { content: 'd', formatted: 'yes' });
  expect(refused.status).toBe(422);
});

test('a correction keeps the flag, sets it or takes it away, and each is heard', async () => {
  const { session, chatId } = await talk();
  const vera = await connectVisitor(server.url, session.visitorToken);
  const sent = await answer(chatId, { content: 'plain' });
  const bold = await edit(sent, { content: '**bold**', formatted: true });
  expect(bold).toMatchObject({ content: '**bold**', text: 'bold', formatted: true, edit: 1 });
  expect(await edit(sent, { content: '**bold**', formatted: true })).toMatchObject({ edit: 1 });
  const kept = await edit(sent, { content: '**bolder**' });
  expect(kept).toMatchObject({ text: 'bolder', formatted: true, edit: 2 });
  const plain = await edit(sent, { content: '**bolder**', formatted: false });
  expect(plain).toMatchObject({ text: '**bolder**', formatted: false, edit: 3 });
  await until(async () => (await rowOf(chatId)).lastMessage === '**bolder**');
  await edit(sent, { content: '- again', formatted: true });
  await call(`DELETE /chats/${chatId}/messages/${sent._id}`);
  await until(async () => vera.heard('message_changed').length === 5);
  const heard = vera.heard('message_changed') as { message: StaffMessage }[];
  expect(heard.map(({ message }) => message.formatted)).toEqual([true, true, false, true, false]);
});

test('a visitor formats nothing', async () => {
  const { session, chatId } = await talk();
  const vera = await connectVisitor(server.url, session.visitorToken);
  const ask = { clientId: crypto.randomUUID(), content: '**mine**', formatted: true };
  const { message } = (await vera.ask('send_message', ask)) as unknown as { message: StaffMessage };
  expect(message.text).toBe('**mine**');
  const change = { chatId, messageId: message._id, content: '**mine** too', formatted: true };
  expect(await vera.ask('edit_message', change)).toMatchObject({ message: { text: '**mine** too' } });
  const { messages } = (await call(`GET /chats/${chatId}/messages`)).body.data;
  for (const each of messages) expect(each).not.toHaveProperty('formatted');
});

test('search finds the words, and shows them without formatting', async () => {
  const { chatId } = await talk();
  await answer(chatId, { content: 'The **Quittung** is _here_', formatted: true });
  const search = async () => (await call('GET /search?q=quittung')).body.data.messages;
  await until(async () => (await search()).length > 0);
  expect(await search()).toMatchObject([{ excerpt: 'The Quittung is here' }]);
});
