import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Types } from 'mongoose';
import { expect, test } from 'vitest';
import { createSite, say, signUp, until, visit } from '#test/factories';
import { startServer } from '#test/harness';
import { mailingInto, startMailbox } from '#test/mailbox';
import { type MessageDoc, MessageModel } from '../chats/messageModel.ts';
import { ChatModel } from '../chats/model.ts';
import { NoticeModel } from './model.ts';

/** An id of this second; ids of one second are in the order of their numbers. */
const idOf = (second: number, number: number) =>
  new Types.ObjectId(`${second.toString(16)}${number.toString(16).padStart(16, '0')}`);

test('an answer that a crash left without a notice is mailed, however many messages came before the next start', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-notify-'));
  const box = await startMailbox();
  const before = await startServer({ ...mailingInto(box), dataDir });
  const { token } = await signUp(before.api, 'Olga');
  const site = await createSite(before.api, token);
  const vera = await visit(before.api, site, { visitor: { name: 'Vera', email: 'vera@example.com' } });
  const chat = await say(before.api, site, vera, 'Is it back?');
  const hello = await until(async () => MessageModel.findOne({ chat }).lean<MessageDoc>());

  // As crashes leave them, with their row but without a notice: two answers of one second, whose ids are in no order.
  const second = Math.floor(Date.now() / 1000);
  const answer = { ...hello, sender: 'agent' as const, createdAt: new Date() };
  await MessageModel.collection.insertMany([
    { ...answer, _id: idOf(second, 2), seq: 2, clientId: 'second' },
    { ...answer, _id: idOf(second, 1), seq: 3, clientId: 'third' },
  ]);
  await ChatModel.updateOne({ _id: chat }, { lastSeq: 3 });
  // And then a burst.
  const elsewhere = { ...hello, chat: new Types.ObjectId() };
  const burst = Array.from({ length: 300 }, (_, at) => ({
    ...elsewhere,
    _id: idOf(second + 2, at),
    seq: at + 1,
    clientId: `burst ${at}`,
  }));
  await MessageModel.collection.insertMany(burst);
  await before.stop();

  const after = await startServer({ ...mailingInto(box), dataDir });
  expect(await until(async () => NoticeModel.findById(`${chat}:answer`).lean())).toMatchObject({ wantedSeq: 3 });
  await after.stop();
  await box.stop();
  await rm(dataDir, { recursive: true, force: true });
});
