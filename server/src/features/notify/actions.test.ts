import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, createSite, join, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type PushService, startPushService, type TestDevice } from '#test/pushes';
import type { CannedReply, Message, Site } from '../../../contract.ts';
import type { PushAction } from '../../platform/push/contract.ts';
import { UserModel } from '../auth/model.ts';

const HOUR_MS = 3_600_000;
const GREETING = 'Hi {{visitor.name}}, {{agent.name}} of {{site.name}} here. One moment, please.';

let dataDir: string;
let service: PushService;
let server: TestServer;
let olga: Account;
let ben: Account;
let site: Site;
let phone: TestDevice;

const start = () => startServer({ dataDir, sitesPerAccount: 1000 }, { pushAgent: service.agent });

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'parley-actions-'));
  service = await startPushService();
  server = await start();
  olga = await signUp(server.api, 'Olga');
});
beforeEach(async () => {
  ben = await signUp(server.api, 'Ben');
  site = await createSite(server.api, olga.token, 'Shop');
  await join(site, ben, 'agent');
  phone = await subscribe();
});
afterAll(async () => {
  await server.stop();
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const as = (account: Account) => (call: string, body?: object) => server.api(call, { token: account.token, body });

async function subscribe(): Promise<TestDevice> {
  const device = service.newDevice();
  await as(ben)('POST /push/subscriptions', device.device);
  return device;
}

/** Ben's choice for the notifications of the site. */
async function chooseQuickReply(content = GREETING, personal = true): Promise<CannedReply> {
  const body = { siteId: site._id, shortcut: 'moment', content, personal };
  const { reply } = (await as(personal ? ben : olga)('POST /canned-replies', body)).body.data;
  const data = { bySite: { [site._id]: reply._id } };
  expect((await as(ben)('PATCH /settings', { section: 'quickReplies', data })).status).toBe(200);
  return reply;
}

/** Vera writes. @returns her chat, and the buttons on Ben's phone */
async function ring(): Promise<{ chatId: string; buttons: PushAction[] }> {
  const vera = await visit(server.api, site, { visitor: { name: 'Vera' } });
  const chatId = await say(server.api, site, vera, 'Is it back?');
  return { chatId, buttons: await buttonsOn(phone, chatId) };
}

const buttonsOn = ({ received }: TestDevice, chatId: string) =>
  until(async () => received.find(({ payload }) => payload.chatId === chatId)?.payload.actions);
const tokenOf = (buttons: PushAction[], name: PushAction['action']) =>
  buttons.find(({ action }) => action === name)?.token ?? '';

/** Presses a button, as a service worker does: without a session token. */
async function press(token: string): Promise<[number, string]> {
  const { status, body } = await server.api('POST /notifications/actions', { body: { token } });
  return [status, body.code ?? body.message];
}
const claimerOf = async (chatId: string) => (await as(olga)(`GET /chats/${chatId}`)).body.data.chat.claimedBy?.name;
const answersIn = async (chatId: string) =>
  ((await as(olga)(`GET /chats/${chatId}/messages`)).body.data.messages as Message[])
    .filter(({ sender }) => sender === 'agent')
    .map(({ senderName, content }) => [senderName, content]);

const CLAIMED = [200, 'Claimed. Open the chat'];
const SENT = [200, 'Sent. Open the chat'];

test('a notification offers to claim and to open the chat, with a quick reply to claim and to answer', async () => {
  const plain = await ring();
  expect(plain.buttons).toMatchObject([
    { action: 'claim', title: 'Claim', path: `/dashboard/inbox?chat=${plain.chatId}&do=claim` },
    { action: 'open', title: 'Open', path: `/dashboard/inbox?chat=${plain.chatId}&do=write` },
  ]);
  expect(tokenOf(plain.buttons, 'open')).toBe('');
  const { _id } = await chooseQuickReply();
  const { buttons, chatId } = await ring();
  expect(buttons).toMatchObject([
    { action: 'claim' },
    {
      action: 'reply',
      title: 'Reply “Hi Vera, Ben of Shop he…”',
      path: `/dashboard/inbox?chat=${chatId}&reply=${_id}`,
    },
  ]);
});

test('replies with files, of colleagues, of other sites and deleted ones are not offered', async () => {
  const names = async () => (await ring()).buttons.map(({ action }) => action);
  const choose = (bySite: object) => as(ben)('PATCH /settings', { section: 'quickReplies', data: { bySite } });
  const foreign = { siteId: site._id, shortcut: 'mine', content: 'Mine', personal: true };
  const { reply } = (await as(olga)('POST /canned-replies', foreign)).body.data;
  await choose({ [site._id]: reply._id });
  expect(await names()).toEqual(['claim', 'open']);
  const own = await chooseQuickReply();
  expect(await names()).toEqual(['claim', 'reply']);
  const other = await createSite(server.api, olga.token, 'Other');
  await choose({ [site._id]: null, [other._id]: own._id });
  expect(await names()).toEqual(['claim', 'open']);
  await choose({ [site._id]: own._id });
  await fetch(`${server.url}/api/canned-replies/${own._id}/files?name=map.txt`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${ben.token}`, 'Content-Type': 'application/octet-stream' },
    body: 'Here we are',
  });
  expect(await names()).toEqual(['claim', 'open']);
  await as(ben)(`DELETE /canned-replies/${own._id}`);
  expect(await names()).toEqual(['claim', 'open']);
  for (const odd of [{ [site._id]: 'x' }, { x: own._id }, [own._id], null, 'x'])
    expect((await choose(odd as object)).status).toBe(422);
});

test('claiming answers the same when it is pressed again, and names the colleague who was faster', async () => {
  const { chatId, buttons } = await ring();
  const token = tokenOf(buttons, 'claim');
  expect([await press(token), await press(token)]).toEqual([CLAIMED, CLAIMED]);
  expect(await claimerOf(chatId)).toBe('Ben');
  const second = await ring();
  await as(olga)(`POST /chats/${second.chatId}/claim`);
  const { body } = await server.api('POST /notifications/actions', {
    body: { token: tokenOf(second.buttons, 'claim') },
  });
  expect(body).toMatchObject({
    code: 'CHAT_ALREADY_CLAIMED',
    message: 'This chat was already claimed by Olga.',
    text: 'This chat was already claimed by {name}.',
    values: { name: 'Olga' },
  });
  expect(await claimerOf(second.chatId)).toBe('Olga');
  await as(ben)(`POST /chats/${chatId}/close`);
  expect(await press(token)).toEqual([409, 'CHAT_CLOSED']);
});

test('claiming once more does nothing when the chat was given back meanwhile', async () => {
  const { chatId, buttons } = await ring();
  const token = tokenOf(buttons, 'claim');
  expect(await press(token)).toEqual(CLAIMED);
  await as(ben)(`POST /chats/${chatId}/transfer`, { userId: null });
  expect(await press(token)).toEqual([401, 'ACTION_EXPIRED']);
  expect(await claimerOf(chatId)).toBeUndefined();
});

test('a quick reply claims the chat and is sent once, however often and on whichever device it is pressed', async () => {
  await chooseQuickReply(GREETING, false);
  const tablet = await subscribe();
  const { chatId, buttons } = await ring();
  const token = tokenOf(buttons, 'reply');
  const onTablet = tokenOf(await buttonsOn(tablet, chatId), 'reply');
  expect(await Promise.all([token, token, onTablet].map(press))).toEqual([SENT, SENT, SENT]);
  expect(await answersIn(chatId)).toEqual([['Ben', 'Hi Vera, Ben of Shop here. One moment, please.']]);
  expect(await claimerOf(chatId)).toBe('Ben');
  // A chat that was handed back stays so.
  await as(ben)(`POST /chats/${chatId}/transfer`, { userId: null });
  expect(await press(token)).toEqual(SENT);
  expect(await claimerOf(chatId)).toBeUndefined();
});

test('a reply is not sent once a colleague has the chat, or when it is no longer what the button showed', async () => {
  const reply = await chooseQuickReply();
  const [taken, changed] = [await ring(), await ring()];
  await as(olga)(`POST /chats/${taken.chatId}/claim`);
  expect(await press(tokenOf(taken.buttons, 'reply'))).toEqual([409, 'CHAT_ALREADY_CLAIMED']);
  await as(ben)(`PATCH /canned-replies/${reply._id}`, { content: 'Something else' });
  expect(await press(tokenOf(changed.buttons, 'reply'))).toEqual([409, 'REPLY_CHANGED']);
  await as(ben)(`DELETE /canned-replies/${reply._id}`);
  expect(await press(tokenOf(changed.buttons, 'reply'))).toEqual([409, 'REPLY_CHANGED']);
  expect([await answersIn(taken.chatId), await answersIn(changed.chatId)]).toEqual([[], []]);
  expect(await claimerOf(changed.chatId)).toBeUndefined();
});

test('a chat that one has is not offered to be claimed', async () => {
  await chooseQuickReply();
  const { chatId, buttons } = await ring();
  await press(tokenOf(buttons, 'claim'));
  phone.received.length = 0;
  await as(ben)(`POST /chats/${chatId}/transfer`, { userId: olga.user._id });
  await as(olga)(`POST /chats/${chatId}/transfer`, { userId: ben.user._id });
  expect((await buttonsOn(phone, chatId)).map(({ action }) => action)).toEqual(['reply', 'open']);
});

test('the rights of the moment count, and only tokens of this purpose', async () => {
  const { chatId, buttons } = await ring();
  const token = tokenOf(buttons, 'claim');
  const [head, , signature] = token.split('.');
  const forged = Buffer.from(JSON.stringify({ sub: olga.user._id, chat: chatId, exp: 9_999_999_999 })).toString(
    'base64url',
  );
  const refused = [ben.token, `${head}.${forged}.${signature}`, `${head}.${forged}.`, 'x', '{}'];
  for (const odd of refused) expect(await press(odd)).toEqual([401, 'ACTION_EXPIRED']);
  for (const odd of [undefined, 5, { $ne: '' }, 'x'.repeat(5_000)])
    expect((await server.api('POST /notifications/actions', { body: { token: odd } })).status).toBe(422);
  // It is no session token.
  expect((await server.api('GET /auth/profile', { token })).status).toBe(401);
  const { _id } = ben.user;
  await as(olga)(`PATCH /team/members/${_id}`, { siteId: site._id, role: 'viewer' });
  expect(await press(token)).toEqual([403, 'FORBIDDEN']);
  await as(olga)(`DELETE /team/members/${_id}`, { siteId: site._id });
  expect(await press(token)).toEqual([404, 'CHAT_NOT_FOUND']);
  expect(await claimerOf(chatId)).toBeUndefined();
});

test.each<[string, () => Promise<unknown>]>([
  ['signed out', () => as(ben)('POST /auth/logout')],
  ['unsubscribed', () => as(ben)('DELETE /push/subscriptions', { endpoint: phone.device.endpoint })],
  ['taken over by another account', () => as(olga)('POST /push/subscriptions', phone.device)],
  ['of a suspended account', () => suspend()],
])('a button of a device that was %s has expired', async (_, lose) => {
  const { chatId, buttons } = await ring();
  await lose();
  expect(await press(tokenOf(buttons, 'claim'))).toEqual([401, 'ACTION_EXPIRED']);
  expect(await claimerOf(chatId)).toBeUndefined();
});

const suspend = async () => {
  await UserModel.updateOne({ email: olga.user.email }, { $set: { role: 'parley_admin' } });
  return as(olga)(`PATCH /admin/users/${ben.user._id}`, { suspended: true });
};

test('a button works after a restart, and expires after two hours', async () => {
  const { chatId, buttons } = await ring();
  const token = tokenOf(buttons, 'claim');
  await server.stop();
  server = await start();
  expect(await press(token)).toEqual(CLAIMED);
  expect(await claimerOf(chatId)).toBe('Ben');
  server.advance(2 * HOUR_MS);
  expect(await press(token)).toEqual([401, 'ACTION_EXPIRED']);
});
