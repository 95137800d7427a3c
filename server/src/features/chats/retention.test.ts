import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, createSite, newChat, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectStaff, connectVisitor, hangUp } from '#test/sockets';
import type { Chat, Site } from '../../../contract.ts';
import { events } from '../../platform/events/index.ts';
import { DAY_MS } from '../../platform/time/time.ts';
import { VisitorModel } from '../visitors/model.ts';
import { removeOldVisitors } from '../visitors/people/people.ts';
import { removeOldChats } from './maintenance.ts';
import { MessageModel } from './messageModel.ts';
import { ChatModel } from './model.ts';
import { NoteModel } from './notes/noteModel.ts';

const { signal } = new AbortController();

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
});
afterEach(hangUp);
afterAll(() => server.stop());

const as = (call: string, body?: object) => server.api(call, { token: owner.token, body });
const settings = (part: object) => as(`PATCH /sites/${site._id}`, { settings: part });
const chatNow = async ({ _id }: Chat): Promise<Chat> => (await as(`GET /chats/${_id}`)).body.data.chat;
const waiting = () => newChat(server.api, site, owner.token);
const closed = async () => {
  const chat = await waiting();
  await as(`POST /chats/${chat._id}/close`);
  return chat;
};
const leftOf = async ({ _id }: Pick<Chat, '_id'>) => ({
  chat: await ChatModel.countDocuments({ _id }),
  messages: await MessageModel.countDocuments({ chat: _id }),
  notes: await NoteModel.countDocuments({ chat: _id }),
});
/** The closing message stays for an hour. */
const onlyTheMark = { chat: 0, messages: 1, notes: 0 };

describe('retention', () => {
  test("deletes closed chats after the site's days, and no snoozed ones", async () => {
    await settings({ retentionDays: 10, autoCloseHours: 0 });
    const [old, snoozed] = [await closed(), await waiting()];
    await as(`PUT /chats/${snoozed._id}/snooze`, { until: new Date(Date.now() + 20 * DAY_MS).toISOString() });
    await as(`POST /chats/${old._id}/notes`, { content: 'Old' });
    await removeOldChats(Date.now() + 9 * DAY_MS, signal);
    expect((await chatNow(old)).status).toBe('closed');
    const ear = await connectStaff(server.url, owner.token);
    await removeOldChats(Date.now() + 11 * DAY_MS, signal);
    expect(await leftOf(old)).toEqual(onlyTheMark);
    expect((await as(`GET /chats/${old._id}`)).status).toBe(404);
    expect((await chatNow(snoozed)).status).toBe('waiting');
    await until(async () => ear.heard('chat_deleted').length > 0);
    expect(ear.heard('chat_deleted')).toEqual([{ chatId: old._id }]);
    await settings({ retentionDays: 0 });
    const kept = await closed();
    await removeOldChats(Date.now() + 5000 * DAY_MS, signal);
    expect((await chatNow(kept)).status).toBe('closed');
  });

  test('deletes open chats in which nobody has written for so long, whatever their rows say', async () => {
    await settings({ retentionDays: 10, autoCloseHours: 0 });
    const session = await visit(server.api, site);
    const [chatId, late, halfClosed] = [
      await say(server.api, site, session, 'Hello'),
      await waiting(),
      await waiting(),
    ];
    await until(async () => ChatModel.exists({ _id: chatId, lastSeq: 1 }));
    const widget = await connectVisitor(server.url, session.visitorToken);
    const before = new Date(Date.now() - 11 * DAY_MS);
    const ofOld = { _id: { $in: [chatId, late._id, halfClosed._id] } };
    await MessageModel.updateOne({ chat: chatId }, { createdAt: before });
    // Killed before the rows were written: of a message, and of the close.
    await ChatModel.updateMany(ofOld, { lastActivity: before });
    const closing = { chat: halfClosed._id, site: site._id, seq: 2, senderKey: `s:${halfClosed._id}`, clientId: 'c' };
    await MessageModel.create({
      ...closing,
      sender: 'system',
      event: 'closed',
      content: 'Chat closed',
      createdAt: new Date(),
    });
    await removeOldChats(Date.now(), signal);
    expect(await leftOf({ _id: chatId })).toEqual(onlyTheMark);
    await until(async () => widget.heard('chat_closed').length > 0);
    expect((await chatNow(late)).status).toBe('waiting');
    expect((await chatNow(halfClosed)).status).toBe('closed');
  });

  test('ends between two chats when another node has got the work', async () => {
    await settings({ retentionDays: 10 });
    const [old, open] = [await Promise.all([closed(), closed()]), await Promise.all([waiting(), waiting()])];
    const ids = [...old, ...open].map(({ _id }) => _id);
    await MessageModel.updateMany({ chat: { $in: ids } }, { createdAt: new Date(0) });
    await ChatModel.updateMany({ _id: { $in: ids } }, { lastActivity: new Date(0) });
    for (const left of [3, 2, 1, 0]) {
      const losing = new AbortController();
      const stopListening = events.on('chatRemoved', ({ chat }) => {
        if (ids.includes(chat._id.toHexString())) losing.abort();
      });
      await removeOldChats(Date.now() + 11 * DAY_MS, losing.signal);
      stopListening();
      expect(await ChatModel.countDocuments({ _id: { $in: ids } })).toBe(left);
    }
  });

  test('deletes visitors without chats', async () => {
    await settings({ retentionDays: 10 });
    const idle = await visit(server.api, site, { visitor: { name: 'Idle' } });
    const chat = await waiting();
    await removeOldVisitors(Date.now() + 9 * DAY_MS, signal);
    expect(await VisitorModel.countDocuments({ site: site._id })).toBe(2);
    await removeOldVisitors(Date.now() + 11 * DAY_MS, signal);
    expect(await VisitorModel.exists({ _id: idle.visitor._id })).toBeNull();
    expect(await VisitorModel.exists({ _id: chat.visitorId })).not.toBeNull();
  });
});
