import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, join, newChat, PASSWORD, signUp, until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Mailbox, mailingInto, startMailbox } from '#test/mailbox';
import { MailModel } from '../../platform/mail/model.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
let box: Mailbox;
let server: TestServer;

beforeAll(async () => {
  box = await startMailbox();
  server = await startServer({ ...mailingInto(box), rateLimits: true });
});
afterAll(async () => {
  await server.stop();
  await box.stop();
});

let people = 0;

/** Signs somebody up who does not follow the link yet. */
async function newcomer(email = `newcomer${++people}@example.com`): Promise<Account> {
  const form = { name: 'Nora Quist', email, password: PASSWORD, confirmPassword: PASSWORD };
  const headers = { 'X-Forwarded-For': `198.51.100.${++people}` };
  const { body } = await server.api('POST /auth/register', { body: form, headers });
  return { ...body.data, password: PASSWORD };
}

const linksTo = (email: string) => box.links.filter(({ to }) => to?.[0]?.address === email);
const mailsTo = (email: string) => box.mails.filter(({ to }) => to?.[0]?.address === email);
const tokenIn = (text = '') => /\/confirm#([\w.-]+)/.exec(text)?.[1];
const profileOf = async ({ token }: Account) => (await server.api('GET /auth/profile', { token })).body.data.user;
const confirm = (token?: string) => server.api('POST /auth/email/confirm', { body: { token } });
/** Until everything that was queued is sent. */
const quiet = () => until(async () => (await MailModel.countDocuments({ dueAt: { $exists: true } })) === 0);

/** Makes a mail about the account's security, and waits until it would have come. */
async function changePassword({ token }: Account): Promise<void> {
  const body = { currentPassword: PASSWORD, newPassword: PASSWORD };
  expect((await server.api('PUT /auth/password', { token, body })).status).toBe(200);
  await quiet();
}

test('a new address gets no mails about the account before its owner has followed the link', async () => {
  const nora = await newcomer();
  const { email } = nora.user;
  expect(nora.user).toMatchObject({ unprovedEmail: true });
  const link = await until(async () => linksTo(email)[0]);
  expect([link.subject, link.text]).toEqual(['Confirm your email address', expect.stringContaining(email)]);
  await changePassword(nora);
  expect(mailsTo(email)).toEqual([]);
  const done = await confirm(tokenIn(link.text));
  expect([done.status, done.body.data]).toEqual([200, { email }]);
  expect(await profileOf(nora)).not.toHaveProperty('unprovedEmail');
  expect((await confirm(tokenIn(link.text))).status).toBe(200);
  await changePassword(nora);
  expect(mailsTo(email).map(({ subject }) => subject)).toEqual(['Your password was changed']);
});

test('a team is mailed of a waiting chat at proved addresses only', async () => {
  const [ana, nora] = [await signUp(server.api), await newcomer()];
  const site = await createSite(server.api, ana.token);
  await join(site, nora, 'agent');
  await newChat(server.api, site, ana.token, 'Anybody there?');
  server.advance(MINUTE_MS);
  await until(async () => mailsTo(ana.user.email)[0]);
  await quiet();
  expect(mailsTo(nora.user.email)).toEqual([]);
});

test('invites of a person whose address is not proved are not mailed; their links work', async () => {
  const nora = await newcomer();
  const site = await createSite(server.api, nora.token);
  const body = { siteId: site._id, email: 'stranger@example.com' };
  const made = (await server.api('POST /team/invites', { token: nora.token, body })).body;
  expect(made.data.mailed).toBe(false);
  expect(made.message).toMatch(/not confirmed yet/);
  expect((await server.api(`GET /invites/${made.data.invite._id}`)).status).toBe(200);
  await quiet();
  expect(mailsTo('stranger@example.com')).toEqual([]);
});

test('a changed address has to be proved, and the former one is told, if it was', async () => {
  const ana = await signUp(server.api);
  const change = (email: string) =>
    server.api('PUT /auth/profile', { token: ana.token, body: { email, currentPassword: PASSWORD } });
  const old = await until(async () => linksTo(ana.user.email)[0]);
  expect((await change('moved@example.com')).body.data.user).toMatchObject({ unprovedEmail: true });
  const told = await until(async () => mailsTo(ana.user.email)[0]);
  expect([told.subject, told.text]).toEqual([
    'The email address of your account was changed',
    expect.stringContaining('moved@example.com'),
  ]);
  const first = await until(async () => linksTo('moved@example.com')[0]);
  await change('again@example.com');
  for (const link of [old, first]) expect((await confirm(tokenIn(link.text))).body.code).toBe('EMAIL_LINK_SPENT');
  await quiet();
  expect(mailsTo('moved@example.com')).toEqual([]);
  const last = await until(async () => linksTo('again@example.com')[0]);
  expect((await confirm(tokenIn(last.text))).status).toBe(200);
  expect(await profileOf(ana)).not.toHaveProperty('unprovedEmail');
});

test('an account that changes things in turn causes ten mails an hour at most, and delays nobody else', async () => {
  const [eve, nora] = [await newcomer(), await newcomer()];
  const noras = await until(async () => linksTo(nora.user.email)[0]);
  const used = [eve.user.email];
  const mails = () => used.flatMap((email) => [...linksTo(email), ...mailsTo(email)]).length;
  const step = async (count: number, what: () => Promise<unknown>) => {
    await what();
    await until(async () => mails() === count || (await waiting()) > 0);
  };
  const waiting = () =>
    MailModel.countDocuments({ account: eve.user._id, dueAt: { $gt: new Date(Date.now() + HOUR_MS / 2) } });
  const password = () =>
    server.api('PUT /auth/password', { token: eve.token, body: { currentPassword: PASSWORD, newPassword: PASSWORD } });
  for (let round = 0; round < 3; round++) {
    const email = used.at(-1) ?? '';
    await confirm(tokenIn((await until(async () => linksTo(email)[0])).text));
    for (const more of [2, 3]) await step(4 * round + more, password);
    const next = `eve${round}@example.com`;
    used.push(next);
    const body = { email: next, currentPassword: PASSWORD };
    await step(4 * round + 5, () => server.api('PUT /auth/profile', { token: eve.token, body }));
  }
  expect(mails()).toBe(10);
  await confirm(tokenIn(noras.text));
  await server.api('PUT /auth/password', {
    token: nora.token,
    body: { currentPassword: PASSWORD, newPassword: PASSWORD },
  });
  await until(async () => mailsTo(nora.user.email)[0]);
  expect(mails()).toBe(10);
});

test('the link can be sent again, five times a day; forged and old ones are refused', async () => {
  const nora = await newcomer();
  const again = () => server.api('POST /auth/email/link', { token: nora.token });
  const answers = [await again(), await again(), await again(), await again(), await again()];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]);
  await until(async () => linksTo(nora.user.email).length === 5);
  const token = tokenIn(linksTo(nora.user.email)[4]?.text) ?? '';
  for (const odd of [`${token}x`, nora.token, 'x']) expect((await confirm(odd)).status).toBe(409);
  for (const odd of ['', undefined]) expect((await confirm(odd)).status).toBe(422);
  server.advance(4 * DAY_MS);
  expect((await confirm(token)).status).toBe(409);
});

test('a new password by a mailed link proves the address, too', async () => {
  const nora = await newcomer();
  const { email } = nora.user;
  await server.api('POST /auth/forgot', { body: { email } });
  const mail = await until(async () => mailsTo(email)[0]);
  const token = /\/reset#([\w-]+)/.exec(mail.text ?? '')?.[1];
  await server.api('POST /auth/reset', { body: { token, newPassword: 'another-calm-river' } });
  const { body } = await server.api('POST /auth/login', { body: { email, password: 'another-calm-river' } });
  expect(body.data.user).not.toHaveProperty('unprovedEmail');
});
