import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, createSite, PASSWORD, signUp, until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Mailbox, mailingInto, startMailbox } from '#test/mailbox';
import { needPlans } from '#test/mongodb';
import type { Site } from '../../features/sites/contract.ts';
import { MailModel } from './model.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const DATA = path.join(tmpdir(), 'parley-mail-');

const log: string[] = [];
const logTo = { write: (line: string) => void log.push(line) };
let dataDir: string;
let box: Mailbox;
let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  dataDir = await mkdtemp(DATA);
  box = await startMailbox();
  server = await startServer({ ...mailingInto(box), dataDir, logLevel: 'warn' }, { logTo });
});
afterAll(async () => {
  await server.stop();
  await box.stop();
  await rm(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  box.refuse(null);
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
  // The link that proves the address.
  await until(async () => (await queued()).length === 0);
  box.mails.length = 0;
  log.length = 0;
});

/** Invites somebody: the simplest way to have a mail sent. */
const invite = (email: string) =>
  server.api('POST /team/invites', { token: owner.token, body: { siteId: site._id, email } });
/** How far the clock of the server is ahead, also of the next one with this data. */
let ahead = 0;
function advance(ms: number): void {
  ahead += ms;
  server.advance(ms);
}

const mailTo = (email: string) => box.mails.find(({ to }) => to?.[0]?.address === email);
const queued = () => MailModel.find({ dueAt: { $exists: true } }).lean();
/** Waits until so many tries have failed. */
const failures = (count: number) => until(async () => log.length >= count);

test('a mail is sent at once, as text and HTML, from the configured address', async () => {
  expect((await invite('nina@example.com')).body.data.mailed).toBe(true);
  const mail = await until(async () => mailTo('nina@example.com'));
  expect(mail.from).toEqual({ name: 'Parley', address: 'chat@example.com' });
  expect(mail.messageId).toMatch(/@chat\.example\.com>$/);
  expect(mail.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }));
  expect(mail.text).toContain('https://chat.example.com/invite/');
  expect(mail.html).toContain('href="https://chat.example.com/invite/');
  await until(async () => (await queued()).length === 0);
});

test('a mail that is temporarily refused is retried with growing delays, and sent once', async () => {
  box.refuse(451);
  await invite('later@example.com');
  await failures(1);
  advance(MINUTE_MS);
  await failures(2);
  box.refuse(null);
  advance(4 * MINUTE_MS);
  await invite('sooner@example.com');
  await until(async () => mailTo('sooner@example.com'));
  expect(mailTo('later@example.com')).toBeUndefined();
  advance(MINUTE_MS);
  await until(async () => mailTo('later@example.com'));
  await until(async () => (await queued()).length === 0);
  expect(box.mails).toHaveLength(2);
});

test('a mail that is permanently refused is dropped and logged without its address', async () => {
  box.refuse(550);
  await invite('nobody@example.com');
  await failures(1);
  expect(JSON.parse(log[0] ?? '')).toMatchObject({ kind: 'invite', status: 550, attempts: 1, isLost: true });
  expect(log.join()).not.toContain('nobody@');
  await until(async () => (await queued()).length === 0);
  box.refuse(null);
  advance(60 * MINUTE_MS);
  await invite('after@example.com');
  await until(async () => mailTo('after@example.com'));
  expect(mailTo('nobody@example.com')).toBeUndefined();
});

test('a mail that became too old is dropped without a further try', async () => {
  box.refuse(451);
  await invite('old@example.com');
  await failures(1);
  box.refuse(null);
  advance(3 * DAY_MS + MINUTE_MS);
  await failures(2);
  expect(box.mails).toEqual([]);
  await until(async () => (await queued()).length === 0);
  expect(JSON.parse(log.at(-1) ?? '')).toMatchObject({ isLost: true, attempts: 2 });
});

test('waiting mails are encrypted in the database, and sent after a restart', async () => {
  box.refuse(451);
  await invite('restart@example.com');
  await failures(1);
  const kept = await queued();
  expect(kept).toHaveLength(1);
  expect(JSON.stringify(kept)).not.toContain('restart@');
  await server.stop();
  box.refuse(null);
  server = await startServer({ ...mailingInto(box), dataDir, logLevel: 'warn' }, { logTo });
  server.advance(ahead);
  advance(DAY_MS);
  await until(async () => mailTo('restart@example.com'));
  await until(async () => (await queued()).length === 0);
  expect(box.mails).toHaveLength(1);
});

test('a mail encrypted with another DATA_KEY is kept until that key is back', async () => {
  const again = async (hours: number, changes: object) => {
    await server.stop();
    server = await startServer({ ...mailingInto(box), dataDir, logLevel: 'warn', ...changes }, { logTo });
    server.advance(ahead);
    advance(hours * 60 * MINUTE_MS);
  };
  await again(0, {});
  log.length = 0;
  box.refuse(451);
  await invite('key@example.com');
  await failures(1);
  box.refuse(null);
  await again(1, { dataKey: 'k3'.repeat(16) });
  await until(async () => log.some((line) => /another DATA_KEY/.test(line) && JSON.parse(line).isLost === false));
  expect(box.mails).toHaveLength(0);
  await again(3, {});
  await until(async () => mailTo('key@example.com'));
});

test('a mail of a former release is sent, also after that has died while sending it', async () => {
  box.refuse(451);
  await invite('former@example.com');
  await invite('former-dead@example.com');
  await failures(2);
  const [former, dead] = await queued();
  const later = (ms: number) => new Date(Date.now() + ahead + ms);
  await MailModel.updateOne({ _id: former?._id ?? '' }, { $unset: { site: 1, account: 1 } });
  await MailModel.updateOne({ _id: dead?._id ?? '' }, { dueAt: later(5 * MINUTE_MS), attempts: 2 });
  box.refuse(null);
  advance(5 * MINUTE_MS);
  await until(async () => mailTo('former@example.com') && mailTo('former-dead@example.com'));
  await until(async () => (await queued()).length === 0);
  expect(box.mails).toHaveLength(2);
});

test('due mails are found by index', async ({ skip }) => {
  await needPlans(skip);
  const dueAt = { $lte: new Date() };
  for (const whose of [{}, { site: { $in: ['', null] } }, { site: { $gt: 'a', $nin: ['b'] } }]) {
    const plan = JSON.stringify(
      await MailModel.find({ ...whose, dueAt })
        .sort({ site: 1, dueAt: 1 })
        .explain(),
    );
    expect(plan).toContain('IXSCAN');
    expect(plan).not.toContain('"SORT"');
  }
  expect(JSON.stringify(await MailModel.find({ about: 'x' }).explain())).toContain('IXSCAN');
});

test('names with line breaks and markup cannot inject headers or HTML', async () => {
  const name = 'Eve\r\nBcc: all@example.com\r\n\r\n<img src=x onerror=alert(1)> & "Co" \u202egnp.exe';
  const evil = await signUp(server.api, name);
  const shop = await createSite(server.api, evil.token, '<b>Shop</b>\nhttps://evil.example');
  await server.api('POST /team/invites', { token: evil.token, body: { siteId: shop._id, email: 'vic@example.com' } });
  const mail = await until(async () => mailTo('vic@example.com'));
  expect(mail.bcc ?? []).toEqual([]);
  expect(mail.subject).toBe(
    'Eve Bcc: all@example com <img src=x one… invited you to the team of <b>Shop</b> https evil example',
  );
  expect(mail.html).not.toMatch(/<img|<b>|\u202e/);
  expect(mail.html).toContain('&lt;img src=x');
  expect(mail.text).not.toMatch(/evil\.example|all@example\.com/);
  expect(box.mails).toHaveLength(1);
});

describe('a flood of mails of one site', () => {
  let other: Account;
  let shop: Site;
  const inviteTo = (where: Site, { token }: Account, email: string) =>
    server.api('POST /team/invites', { token, body: { siteId: where._id, email } });

  beforeEach(async () => {
    other = await signUp(server.api, 'Ben');
    shop = await createSite(server.api, other.token, 'Fair Shop');
  });
  afterEach(() => box.hold(null));

  test('does not delay password resets or mails of other sites, also with a slow mail server', async () => {
    box.hold(/@flood\.example$/);
    for (let number = 0; number < 12; number++) await invite(`n${number}@flood.example`);
    await server.api('POST /auth/forgot', { body: { email: owner.user.email } });
    await inviteTo(shop, other, 'kim@example.com');
    await until(async () => mailTo(owner.user.email) && mailTo('kim@example.com'));
    expect(box.mails).toHaveLength(2);
    box.hold(null);
    await until(async () => box.mails.length === 14);
  });

  test('also of many sites of one account does not delay the mails of others', async () => {
    box.hold(/@flood\.example$/);
    for (const own of [site, await createSite(server.api, owner.token, 'Second Shop')])
      for (let number = 0; number < 3; number++) await inviteTo(own, owner, `${own._id}${number}@flood.example`);
    await inviteTo(shop, other, 'kim@example.com');
    await until(async () => mailTo('kim@example.com'));
    box.hold(null);
    await until(async () => box.mails.length === 7);
  });

  test('that are about an account is sent in turn with the waiting mails of others, too', async () => {
    box.refuse(451);
    const key = { scope: 'read', currentPassword: PASSWORD };
    for (let number = 0; number < 12; number++)
      await server.api('POST /api-keys', { token: owner.token, body: { ...key, name: `Till ${number}` } });
    await inviteTo(shop, other, 'kim@example.com');
    await failures(13);
    box.refuse(null);
    advance(MINUTE_MS);
    await until(async () => box.mails.length === 13);
    expect(box.mails.findIndex(({ to }) => to?.[0]?.address === 'kim@example.com')).toBeLessThan(5);
  });

  test('is sent in turn with the waiting mails of others', async () => {
    box.refuse(451);
    for (let number = 0; number < 12; number++) await invite(`n${number}@flood.example`);
    await inviteTo(shop, other, 'kim@example.com');
    await failures(13);
    box.refuse(null);
    advance(MINUTE_MS);
    await until(async () => box.mails.length === 13);
    expect(box.mails.findIndex(({ to }) => to?.[0]?.address === 'kim@example.com')).toBeLessThan(5);
  });
});
