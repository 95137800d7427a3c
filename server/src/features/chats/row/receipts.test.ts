import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, join, newChat, signUp, until, visit } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { connectStaff, connectVisitor, type Ear, hangUp } from '#test/sockets';
import type { Site } from '../../../../contract.ts';
import { type SiteDoc, SiteModel } from '../../sites/model.ts';
import { ChatModel } from '../model.ts';
import { catchUp, moveReceipt } from './projection.ts';

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

const staff = (account = owner) => connectStaff(server.url, account.token);
const once = (ear: Ear, event: string, count = 1) =>
  until(async () => ear.heard(event).length >= count && ear.heard(event));

async function visitor(): Promise<{ ear: Ear; visitorToken: string }> {
  const { visitorToken } = await visit(server.api, site, { visitor: { name: 'Vera' } });
  return { ear: await connectVisitor(server.url, visitorToken), visitorToken };
}
const send = (ear: Ear, content: string, more: object = {}) =>
  ear.ask('send_message', { clientId: randomUUID(), content, ...more });

test('receipts are correct and never decrease', async () => {
  const agent = await staff();
  const { ear: vera } = await visitor();
  const { chat } = await send(vera, 'One');
  await send(vera, 'Two');
  const chatId = chat._id;
  await once(agent, 'new_message', 2);
  const opened = await agent.ask('open_chat', { chatId });
  expect(opened.receipts).toEqual({ visitor: { delivered: 0, read: 0 }, staff: { delivered: 0, read: 0 } });
  expect(opened.visitor).toMatchObject({ online: true });

  await agent.ask('received', { chatId, seq: 2 });
  await agent.ask('read', { chatId, seq: 1 });
  await agent.ask('read', { chatId, seq: 99 });
  await agent.ask('received', { chatId, seq: 1 });
  // What one socket was answered, another may hear later.
  await once(vera, 'receipts', 3);
  expect(vera.heard('receipts')).toEqual([
    { chatId, delivered: 2, read: 0 },
    { chatId, delivered: 2, read: 1 },
    { chatId, delivered: 2, read: 2 },
  ]);
  const row = await until(async () => agent.heard('chat_updated').find(({ chat: row }) => row.unread === 0));
  expect(row.chat._id).toBe(chatId);

  await send(agent, 'Three', { chatId });
  await once(vera, 'new_message');
  await vera.ask('read', { chatId, seq: 3 });
  const hers = () => agent.heard('receipts').filter(({ party }) => party === 'visitor');
  expect(await until(async () => hers().at(-1))).toEqual({ chatId, party: 'visitor', delivered: 3, read: 3 });
});

test('a receipt counts for messages that the chat document does not count yet', async () => {
  const agent = await staff();
  const { ear: vera } = await visitor();
  const { chat } = await send(vera, 'One');
  await send(vera, 'Two');
  const now = () => ChatModel.findById(chat._id).orFail().lean();
  await until(async () => (await now()).lastSeq === 2);
  // As long as the row of the second message is still to be written.
  await ChatModel.updateOne({ _id: chat._id }, { $set: { lastSeq: 1 } });
  await agent.ask('read', { chatId: chat._id, seq: 2 });
  await until(async () => (await now()).receipts.staff.read === 2);
  await agent.ask('read', { chatId: chat._id, seq: 99 });
  expect((await now()).receipts.staff).toEqual({ delivered: 2, read: 2 });
  const row = { chat: await now(), site: await SiteModel.findById(site._id).orFail().lean<SiteDoc>() };
  await catchUp(row, 2);
  expect(await now()).toMatchObject({ lastSeq: 2, unread: 0 });
});

test('receipts of the same moment are stored and sent together', async () => {
  const agent = await staff();
  const { ear: vera } = await visitor();
  const { chat } = await send(vera, 'One');
  await send(vera, 'Two');
  const chatId = chat._id;
  const now = () => ChatModel.findById(chatId).orFail().lean();
  await until(async () => (await now()).lastSeq === 2);
  const of = { chat: await now(), site: await SiteModel.findById(site._id).orFail().lean<SiteDoc>() };
  await Promise.all([
    moveReceipt(of, 'staff', 'delivered', 1),
    moveReceipt(of, 'staff', 'delivered', 2),
    moveReceipt(of, 'staff', 'read', 2),
    moveReceipt(of, 'visitor', 'delivered', 2),
  ]);
  expect(await now()).toMatchObject({
    unread: 0,
    receipts: { staff: { delivered: 2, read: 2 }, visitor: { delivered: 2, read: 0 } },
  });
  expect(await agent.ask('read', { chatId, seq: 2 })).toEqual({ ok: true });
  await once(vera, 'receipts');
  expect(vera.heard('receipts')).toEqual([{ chatId, delivered: 2, read: 2 }]);
});

test("reading by a viewer does not change the team's receipts, and a viewer cannot write", async () => {
  const viewer = await signUp(server.api);
  await join(site, viewer, 'viewer');
  const chat = await newChat(server.api, site, owner.token);
  const ear = await staff(viewer);
  expect(await ear.ask('read', { chatId: chat._id, seq: 1 })).toEqual({ ok: true });
  for (const event of ['claim_chat', 'close_chat'])
    expect((await ear.ask(event, { chatId: chat._id })).code).toBe('FORBIDDEN');
  expect((await send(ear, 'No', { chatId: chat._id })).code).toBe('FORBIDDEN');
  const row = await server.api(`GET /chats/${chat._id}`, { token: owner.token });
  expect(row.body.data.chat).toMatchObject({ unread: 1, lastSeq: 1, status: 'waiting' });
});
