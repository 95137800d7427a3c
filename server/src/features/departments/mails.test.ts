import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, join, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Mailbox, mailingInto, startMailbox } from '#test/mailbox';
import type { DepartmentBody, Site } from '../../../contract.ts';
import { ChatModel } from '../chats/model.ts';
import { NoticeModel } from '../notify/model.ts';

let box: Mailbox;
let server: TestServer;
let [owner, ana, ben]: Account[] = [];

beforeAll(async () => {
  box = await startMailbox();
  server = await startServer({ ...mailingInto(box), sitesPerAccount: 100 });
  [owner, ana, ben] = [await signUp(server.api), await signUp(server.api), await signUp(server.api)];
});
afterAll(async () => {
  await server.stop();
  await box.stop();
});

/** A chat for a department of a new site, where nobody is online, and whose mails are due. */
async function write(name: string, body: Partial<DepartmentBody>): Promise<{ site: Site; chat: string }> {
  const { token, user } = owner as Account;
  const site = await createSite(server.api, token, name);
  for (const who of [ana, ben]) await join(site, who as Account, 'agent');
  expect(site.owner).toBe(user._id);
  const made = await server.api(`POST /sites/${site._id}/departments`, { token, body: { name: 'Orders', ...body } });
  const department = made.body.data.departments[0]._id;
  const { visitorToken } = await visit(server.api, site);
  const message = { clientId: crypto.randomUUID(), content: 'Hello', department };
  const sent = await server.api(`POST /widget/${site.widgetCode}/messages`, { token: visitorToken, body: message });
  const chat = sent.body.data.chat._id;
  await until(() => NoticeModel.exists({ chat, kind: 'team' }));
  await due(chat);
  return { site, chat };
}

/** The time of the chat's mails has come. */
const due = (chat: string) =>
  NoticeModel.updateMany(
    { chat: new Types.ObjectId(chat), dueAt: { $exists: true } },
    { $set: { dueAt: new Date(0) } },
  );
const readersOf = ({ name }: Site) =>
  box.mails
    .filter(({ subject }) => subject?.includes(name))
    .map(({ to }) => to?.[0]?.address)
    .sort();
const addresses = (...people: (Account | undefined)[]) => people.map((who) => who?.user.email).sort();

test('the members of its department are mailed about a chat first, and everybody when others may help', async () => {
  const { site, chat } = await write('Shop A', { members: [String(ana?.user._id)], helpAfterMinutes: 5 });
  await until(async () => readersOf(site).length >= 1);
  expect(readersOf(site)).toEqual(addresses(ana));
  await until(() => NoticeModel.exists({ _id: `${chat}:help` }));
  await ChatModel.updateOne({ _id: chat }, { $set: { createdAt: new Date(Date.now() - 6 * 60_000) } });
  await due(chat);
  await until(async () => readersOf(site).length >= 4);
  expect(readersOf(site)).toEqual(addresses(ana, ana, ben, owner));
});

test('where no member of a department wants mails, everybody gets them', async () => {
  const token = ana?.token ?? '';
  await server.api('PATCH /settings', {
    token,
    body: { section: 'notifications', data: { emailNotifications: false } },
  });
  const { site } = await write('Shop B', { members: [String(ana?.user._id)] });
  await until(async () => readersOf(site).length >= 2);
  expect(readersOf(site)).toEqual(addresses(ben, owner));
});
