import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Types } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, createSite, join, newChat, PASSWORD, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Mailbox, mailingInto, startMailbox } from '#test/mailbox';
import { connectStaff, type Ear, hangUp } from '#test/sockets';
import { CheckpointModel } from '../../platform/work/checkpoints.ts';
import type { Chat } from '../chats/contract.ts';
import { ChatModel } from '../chats/model.ts';
import type { Site } from '../sites/contract.ts';
import { VisitorModel } from '../visitors/model.ts';
import { NoticeModel } from './model.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

let dataDir: string;
let box: Mailbox;
let server: TestServer;
let owner: Account;
let dashboard: Ear;
let site: Site;
let count = 0;
/** How far the server's clock is ahead, in milliseconds. */
let ahead = 0;

const start = () => startServer({ ...mailingInto(box), dataDir, sitesPerAccount: 1000 });

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'parley-notify-'));
  box = await startMailbox();
  server = await start();
  owner = await signUp(server.api, 'Olga');
});
afterAll(async () => {
  hangUp();
  await server.stop();
  await box.stop();
  await rm(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  box.mails.length = 0;
  dashboard = await connectStaff(server.url, owner.token);
  site = await siteWithoutAssigning(`Shop ${++count}`);
});

async function siteWithoutAssigning(name: string): Promise<Site> {
  const made = await createSite(server.api, owner.token, name);
  await patch(made, { settings: { autoAssign: false } });
  return made;
}

const patch = ({ _id }: Site, body: object) => server.api(`PATCH /sites/${_id}`, { token: owner.token, body });
const chatOn = (where: Site, content?: string) => newChat(server.api, where, owner.token, content);
const ask = (call: string, body?: object, token = owner.token) =>
  server.api(call, { token, ...(body ? { body } : {}) });
const about = ({ name }: Site) => box.mails.filter(({ subject }) => subject?.endsWith(name));
const noticed = (chat: Pick<Chat, '_id'>) => NoticeModel.findOne({ chat: chat._id, dueAt: { $exists: true } }).lean();

/** Lets time pass, and waits until a chat of another site is over that is due then: sites take turns, so others may still follow. */
async function pass(ms: number): Promise<void> {
  const control = await siteWithoutAssigning(`Control ${++count}`);
  const last = await chatOn(control);
  await until(async () => noticed(last));
  const before = about(control).length;
  advance(ms);
  await NoticeModel.updateOne({ chat: last._id }, { $set: { dueAt: new Date(Date.now() + ahead) } });
  await until(async () => about(control).length > before);
}

function advance(ms: number): void {
  ahead += ms;
  server.advance(ms);
}

/** A second member of the site's team. */
async function member(role: 'agent' | 'viewer', emailNotifications = true): Promise<Account> {
  const account = await signUp(server.api, role);
  await join(site, account, role);
  await ask('PATCH /settings', { section: 'notifications', data: { emailNotifications } }, account.token);
  return account;
}

test('a chat that waits three minutes is mailed once to everybody who can answer and wants mails', async () => {
  const [agent] = [await member('agent'), await member('agent', false), await member('viewer')];
  const chat = await chatOn(site, 'Is the blue one back?');
  await until(async () => noticed(chat));
  // The clock goes on by itself, too: a busy machine may take most of the third minute until here.
  await pass(2 * MINUTE_MS);
  expect(about(site)).toEqual([]);
  await pass(MINUTE_MS);
  await pass(10 * MINUTE_MS);
  // Two mails of a site are sent at a time, so they come in either order.
  const readers = [owner, agent].map(({ user }) => user.email);
  await until(async () => about(site).length === readers.length);
  expect(
    about(site)
      .map(({ to }) => to?.[0]?.address)
      .sort(),
  ).toEqual(readers.sort());
  const [mail] = about(site);
  expect(mail?.subject).toBe(`Vera is waiting on ${site.name}`);
  expect(mail?.text).toContain('Vera:\n> Is the blue one back?');
  expect(mail?.text).toContain(`https://chat.example.com/dashboard/inbox?chat=${chat._id}`);
  expect(mail?.text).toContain('You can turn these mails off in your settings under Notifications');
});

test('a mail about a chat has links to open and to claim it, and to answer it with the quick reply of its reader', async () => {
  const agent = await member('agent');
  const form = {
    siteId: site._id,
    shortcut: 'soon',
    content: 'Hi {{visitor.name}},\none moment, please.',
    personal: true,
  };
  const { reply } = (await ask('POST /canned-replies', form, agent.token)).body.data;
  const data = { bySite: { [site._id]: reply._id } };
  await ask('PATCH /settings', { section: 'quickReplies', data }, agent.token);
  const chat = await chatOn(site);
  await until(async () => noticed(chat));
  await pass(4 * MINUTE_MS);
  const mailTo = ({ user }: Account) =>
    until(async () => about(site).find(({ to }) => to?.[0]?.address === user.email));
  const [toOwner, toAgent] = [await mailTo(owner), await mailTo(agent)];
  const page = `https://chat.example.com/dashboard/inbox?chat=${chat._id}`;
  const links = `Open the chat:\n${page}&do=write\n\nClaim:\n${page}&do=claim\n\n`;
  const answer = `Reply “Hi Vera, one moment, pl…”:\n${page}&reply=${reply._id}\n\n`;
  expect(toOwner.text).toContain(`${links}-- `);
  expect(toAgent.text).toContain(`${links}${answer}-- `);
  expect(toAgent.html).toContain(`href="${page}&amp;reply=${reply._id}"`);
});

test('no mail is sent once somebody claims, answers or closes', async () => {
  const chats = [await chatOn(site), await chatOn(site), await chatOn(site)];
  const [claimed, answered, closed] = chats.map(({ _id }) => _id);
  for (const chat of chats) await until(async () => noticed(chat));
  await ask(`POST /chats/${claimed}/claim`);
  await ask(`POST /chats/${answered}/messages`, { content: 'Yes' });
  await ask(`POST /chats/${closed}/close`);
  await until(async () => (await NoticeModel.countDocuments({ site: site._id })) === 0);
  await pass(5 * MINUTE_MS);
  expect(about(site)).toEqual([]);
});

test('an automatic assignment does not stop the mail', async () => {
  await patch(site, { settings: { autoAssign: true } });
  const chat = await chatOn(site);
  await until(async () => (await ask(`GET /chats/${chat._id}`)).body.data.chat.assignedAt);
  await pass(4 * MINUTE_MS);
  await until(async () => about(site).length === 1);
});

test('a chat that is handed back starts waiting again', async () => {
  const chat = await chatOn(site);
  await ask(`POST /chats/${chat._id}/claim`);
  await until(async () => (await noticed(chat)) === null);
  await ask(`POST /chats/${chat._id}/transfer`, { userId: null });
  await until(async () => noticed(chat));
  await pass(4 * MINUTE_MS);
  await until(async () => about(site).length === 1);
});

test('a site with notifications off sends no mails', async () => {
  await patch(site, { settings: { notifications: false } });
  await until(async () => noticed(await chatOn(site)));
  await pass(5 * MINUTE_MS);
  expect(about(site)).toEqual([]);
});

test('chats of bots and blocked visitors send no mails', async () => {
  const body = { clientId: crypto.randomUUID(), content: 'Buy' };
  const headers = { 'User-Agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' };
  const bot = (await server.api(`POST /widget/${site.widgetCode}/session`, { body: {}, headers })).body.data;
  await server.api(`POST /widget/${site.widgetCode}/messages`, { token: bot.visitorToken, body });
  const chat = await chatOn(site);
  await until(async () => noticed(chat));
  await ask(`POST /visitors/${chat.visitorId}/block`);
  await pass(5 * MINUTE_MS);
  expect(about(site)).toEqual([]);
  expect(await VisitorModel.countDocuments({ site: site._id, bot: true })).toBe(1);
});

test("while nobody is online, the team is mailed at once, with the visitor's address, and once until somebody reacts", async () => {
  hangUp();
  await patch(site, { settings: { offlineMode: true } });
  const vera = await visit(server.api, site);
  const body = { name: 'Vera', email: 'vera@example.com', content: 'Call me', clientId: crypto.randomUUID() };
  const token = vera.visitorToken;
  const { chat } = (await server.api(`POST /widget/${site.widgetCode}/offline`, { token, body })).body.data;
  await until(async () => (await noticed(chat))?.isOffline);
  advance(11 * SECOND_MS);
  const mail = await until(async () => about(site)[0]);
  expect(mail.subject).toBe(`New message from Vera on ${site.name}`);
  expect(mail.text).toContain('Email: vera@example.com');
  await say(server.api, site, vera, 'Please');
  await pass(5 * MINUTE_MS);
  expect(about(site)).toHaveLength(1);

  await ask(`POST /chats/${chat._id}/messages`, { content: 'Hello' });
  await until(async () => (await NoticeModel.exists({ _id: `${chat._id}:team` })) === null);
  await say(server.api, site, vera, 'Still there?');
  await until(async () => NoticeModel.exists({ _id: `${chat._id}:team`, isOffline: true }));
  advance(11 * SECOND_MS);
  const second = await until(async () => about(site)[1]);
  expect(second.text).toContain('> Still there?');
  expect(second.text).not.toContain('> Call me');
});

test('outside office hours the team counts as offline; inside they have three minutes', async () => {
  await patch(site, { settings: { hours: { timeZone: 'UTC', days: [] } } });
  const chat = await chatOn(site);
  await until(async () => (await noticed(chat))?.isOffline);
  await patch(site, { settings: { hours: null } });
  advance(11 * SECOND_MS);
  await until(async () => (await noticed(chat))?.isOffline === false);
  expect(about(site)).toEqual([]);
  advance(3 * MINUTE_MS);
  const mail = await until(async () => about(site)[0]);
  expect(mail.subject).toContain('is waiting');
});

test('after a restart, waiting chats are mailed once, also those that a crash left without a notice', async () => {
  const [known, lost] = [await chatOn(site), await chatOn(site)];
  for (const chat of [known, lost]) await until(async () => noticed(chat));
  await NoticeModel.deleteOne({ chat: lost._id });
  await CheckpointModel.deleteOne({ _id: 'notices' });
  dashboard.socket.disconnect();
  await server.stop();
  server = await start();
  await until(async () => noticed(lost));
  // Of the two chats one had lost its notice.
  const metrics = async () => (await fetch(`${server.url}/metrics`)).text();
  await until(async () => /^parley_reconciler_finds_total\{projection="notices"\} 1$/m.test(await metrics()));
  server.advance(ahead);
  advance(4 * MINUTE_MS);
  const mail = await until(async () => about(site)[0]);
  expect(mail.subject).toBe(`2 chats are waiting on ${site.name}`);
  await until(async () => (await NoticeModel.countDocuments({ site: site._id, doneAt: { $exists: true } })) === 2);

  // As if the process had died between writing the mails and noting it down.
  await NoticeModel.updateMany({ site: site._id }, { $set: { dueAt: new Date() }, $unset: { doneAt: 1 } });
  await until(async () => (await NoticeModel.countDocuments({ site: site._id, doneAt: { $exists: true } })) === 2);
  expect(about(site)).toHaveLength(1);
});

test('a notice that the store refuses is tried again', async () => {
  const known = await chatOn(site);
  await until(async () => noticed(known));
  // From here on the store refuses a second notice of this site.
  const only = { partialFilterExpression: { site: new Types.ObjectId(site._id) } };
  await NoticeModel.collection.createIndex({ site: 1 }, { unique: true, name: 'refusing', ...only });
  const refused = await chatOn(site);
  await until(async () => (await ChatModel.findById(refused._id))?.lastSeq === 1);
  expect(await noticed(refused)).toBeNull();
  await NoticeModel.collection.dropIndex('refusing');
  await until(async () => noticed(refused));
});

test('a team gets one mail in five minutes for any number of chats; the next one lists the others', async () => {
  await member('agent');
  hangUp();
  await patch(site, { settings: { offlineMode: true } });
  const first = await chatOn(site, 'The first');
  await until(async () => (await noticed(first))?.isOffline);
  advance(11 * SECOND_MS);
  await until(async () => about(site).length === 2);
  const later: Chat[] = [];
  for (let number = 1; number <= 12; number++) later.push(await chatOn(site, `Number ${number}`));
  for (const chat of later) await until(async () => (await noticed(chat))?.isOffline);
  await pass(3 * MINUTE_MS);
  expect(about(site)).toHaveLength(2);
  await ask(`POST /chats/${later[0]?._id}/messages`, { content: 'Hello' });
  await until(async () => (await NoticeModel.exists({ _id: `${later[0]?._id}:team` })) === null);
  await pass(2 * MINUTE_MS);
  await until(async () => about(site).length === 4);
  const [, , mail] = about(site);
  expect(mail?.subject).toBe(`11 chats are waiting on ${site.name}`);
  expect(mail?.text).toContain('> Number 2');
  expect(mail?.text).not.toContain('> Number 1\n');
  expect(mail?.text).toContain('And 1 more.');
  const page = `https://chat.example.com/dashboard/inbox?chat=${later[1]?._id}`;
  expect(mail?.text).toContain(`> Number 2\n\nClaim:\n${page}&do=claim\nOpen:\n${page}&do=write\n\n`);
  await pass(10 * MINUTE_MS);
  expect(about(site)).toHaveLength(4);
});

test('a deleted site leaves no notices, and due notices are found by index', async () => {
  const chat = await chatOn(site);
  await until(async () => noticed(chat));
  const due = { dueAt: { $lte: new Date() } };
  expect(JSON.stringify(await NoticeModel.find(due).sort({ dueAt: 1 }).explain())).toContain('IXSCAN');
  await ask(`DELETE /sites/${site._id}`, { currentPassword: PASSWORD });
  await until(async () => (await NoticeModel.countDocuments({ site: site._id })) === 0);
});
