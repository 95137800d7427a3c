import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, newChat, signUp, until, visit } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { connectStaff, connectVisitor, type Ear, hangUp } from '#test/sockets';
import { MESSAGE_PAGE, type Message, type Site } from '../../../../contract.ts';

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

async function visitor(): Promise<Ear> {
  return connectVisitor(server.url, (await visit(server.api, site)).visitorToken);
}
const say = async (ear: Ear, content: string): Promise<Message> =>
  (await ear.ask('send_message', { clientId: randomUUID(), content })).message;

test('a returning visitor can page back through all earlier chats', async () => {
  const vera = await visitor();
  const said: Message[] = [];
  for (let i = 0; i < MESSAGE_PAGE + 20; i++) said.push(await say(vera, `m${i}`));
  await vera.ask('close_chat', { chatId: said[0]?.chatId });
  for (const content of ['Me again', 'Still there?']) said.push(await say(vera, content));

  const newest = await vera.ask('sync', {});
  expect(newest.messages.map(({ content }: Message) => content)).toEqual(['Me again', 'Still there?']);
  const read: Message[] = [...newest.messages];
  const pages: number[] = [];
  for (let more = true; more; ) {
    const [first] = read;
    const page = await vera.ask('sync', { chatId: first?.chatId, beforeSeq: first?.seq });
    pages.push(page.messages.length);
    read.unshift(...page.messages);
    more = page.more;
  }
  expect(read.filter(({ sender }) => sender === 'visitor').map(({ content }) => content)).toEqual(
    said.map(({ content }) => content),
  );
  // The closing message is a message, too.
  expect(pages).toEqual([MESSAGE_PAGE, 21]);
});

test("paging back from the first message returns nothing, and nothing of another visitor's chat", async () => {
  const vera = await visitor();
  const { chatId } = await say(vera, 'First');
  expect(await vera.ask('sync', { chatId, beforeSeq: 1 })).toMatchObject({ ok: true, messages: [], more: false });
  const foreign = await newChat(server.api, site, owner.token);
  const ask = { chatId: foreign._id, beforeSeq: 5 };
  expect(await vera.ask('sync', ask)).toMatchObject({ ok: true, chat: { _id: chatId }, messages: [], more: false });
});

test('a returning visitor gets the receipts of earlier chats', async () => {
  const vera = await visitor();
  const { chatId } = await say(vera, 'First');
  const staff = await connectStaff(server.url, owner.token);
  await staff.ask('send_message', { chatId, clientId: randomUUID(), content: 'Hello' });
  await vera.ask('close_chat', { chatId });
  const { chatId: newest } = await say(vera, 'Second');

  // Whoever answers has read what was said; that is written down after the answer.
  await until(async () => (await vera.ask('sync', { chatId, afterSeq: 0 })).receipts?.[0]?.read === 2);
  const read = { chatId, delivered: 2, read: 2 };
  const unread = { chatId: newest, delivered: 0, read: 0 };
  expect((await vera.ask('sync', { chatId, afterSeq: 0 })).receipts).toEqual([read, unread]);
  expect((await vera.ask('sync', { chatId: newest, beforeSeq: 1 })).receipts).toEqual([unread, read]);
});
