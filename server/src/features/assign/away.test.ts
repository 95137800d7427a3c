import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, join, newChat, signUp, until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectStaff, type Ear, hangUp } from '#test/sockets';
import type { Site } from '../../../contract.ts';
import { ChatModel } from '../chats/model.ts';

const MINUTE_MS = 60_000;

let server: TestServer;
let owner: Account;
let ana: Account;
let site: Site;

beforeAll(async () => {
  server = await startServer({ sitesPerAccount: 100 });
  owner = await signUp(server.api, 'Olga Owner');
});
beforeEach(async () => {
  const body = { name: 'Corner Shop', domain: 'shop.example.com' };
  site = (await server.api('POST /sites', { token: owner.token, body })).body.data.site;
  ana = await member('Ana Ruiz', 'agent');
});
afterEach(hangUp);
afterAll(() => server.stop());

async function member(name: string, role: 'agent' | 'viewer'): Promise<Account> {
  const account = await signUp(server.api, name);
  await join(site, account, role);
  return account;
}

const there = (who: Account) => connectStaff(server.url, who.token);
const write = (content = 'Hello') => newChat(server.api, site, owner.token, content);
const claimerOf = async ({ _id }: { _id: string }) => String((await ChatModel.findById(_id).lean())?.claimedBy ?? '');
const untilWith = (chat: { _id: string }, who: Account) => until(async () => (await claimerOf(chat)) === who.user._id);
const choose = (who: Account, autoAwayMinutes: number) =>
  server.api('PATCH /settings', { token: who.token, body: { section: 'availability', data: { autoAwayMinutes } } });

/** Waits until the queue was looked at: a teammate who comes gets what nobody else was given. */
async function goesToAnother(chat: { _id: string }): Promise<void> {
  const ben = await member('Ben Okafor', 'agent');
  const ear = await there(ben);
  await untilWith(chat, ben);
  await ear.ask('set_availability', { online: false });
}

describe('an agent who is away', () => {
  const heardOf = (ear: Ear, event: string, who: Account) =>
    ear.heard(event).filter(({ userId }: { userId: string }) => userId === who.user._id);

  test('gets no chats after the chosen time without input on any device, and again with the next input', async () => {
    // A viewer, who gets no chats.
    const watcher = await there(await member('Vic', 'viewer'));
    const laptop = await there(ana);
    const phone = await there(ana);
    expect((await choose(ana, 5)).status).toBe(200);
    server.advance(4 * MINUTE_MS);
    expect(await phone.ask('report_activity', { idleMs: 0 })).toEqual({ ok: true, away: false });
    server.advance(4 * MINUTE_MS);
    await untilWith(await write(), ana);

    server.advance(MINUTE_MS);
    await until(async () => heardOf(watcher, 'user_offline', ana).length > 0);
    expect(heardOf(watcher, 'user_offline', ana)).toEqual([
      { kind: 'agent', userId: ana.user._id, siteId: site._id, away: true },
    ]);
    const chat = await write('Anybody?');
    await goesToAnother(chat);
    const { body } = await server.api(`GET /team/members?siteId=${site._id}`, { token: owner.token });
    const seen = body.data.members.find(({ _id }: { _id: string }) => _id === ana.user._id);
    expect(seen).toMatchObject({ online: false, away: true });

    expect(await laptop.ask('report_activity', { idleMs: 10 * MINUTE_MS })).toEqual({ ok: true, away: true });
    expect(await laptop.ask('report_activity', { idleMs: 0 })).toEqual({ ok: true, away: false });
    await untilWith(await write('Still there?'), ana);
  });

  test('stays away when only the connection comes back, and is told so', async () => {
    await choose(ana, 5);
    const ear = await there(ana);
    const chat = await write();
    await goesToAnother(chat);
    expect(await ear.ask('report_activity', { idleMs: 5 * MINUTE_MS })).toEqual({ ok: true, away: true });
    await choose(ana, 0);
    await untilWith(await write('Still there?'), ana);
  });

  test('is not away who chose to be offline, nor comes back by input', async () => {
    await choose(ana, 5);
    const ear = await there(ana);
    await ear.ask('set_availability', { online: false });
    expect(await ear.ask('report_activity', { idleMs: 0 })).toEqual({ ok: true, away: false });
    const chat = await write();
    await goesToAnother(chat);
  });

  test.each([-1, 7, '5', null])('cannot choose %s minutes', async (minutes) => {
    expect((await choose(ana, minutes as number)).status).toBe(422);
  });
});
