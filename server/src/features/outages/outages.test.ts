import { afterEach, expect, test } from 'vitest';
import { selfMade } from '#test/certificate';
import { type Account, createSite, PASSWORD, signUp, until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { mailingInto, startMailbox } from '#test/mailbox';
import { startCluster, startNode } from '#test/nodes';
import { BROWSER_PUSH, startPushService } from '#test/pushes';
import type { Notice } from '../../../contract.ts';
import type { Env } from '../../platform/env/index.ts';
import { events } from '../../platform/events/index.ts';
import { MailModel } from '../../platform/mail/model.ts';
import { HOUR_MS } from '../../platform/time/time.ts';
import { SiteModel } from '../sites/model.ts';
import { OutageModel } from './outages.ts';

let undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.toReversed()) await step();
  undo = [];
});

async function started(settings: Partial<Env> = {}) {
  const [mailbox, pushes] = [await startMailbox(), await startPushService()];
  const server = await startServer({ ...mailingInto(mailbox), ...settings }, { pushAgent: pushes.agent });
  undo = [() => mailbox.stop(), () => pushes.stop(), () => server.stop()];
  return { server, mailbox, pushes, admin: await signUp(server.api) };
}

/** Signed in anew, because the session may have ended when the clock moved. */
async function tokenOf({ api }: TestServer, { user }: Account): Promise<string> {
  return (await api('POST /auth/login', { body: { email: user.email, password: PASSWORD } })).body.data.token;
}

const notices = async (server: TestServer, account: Account): Promise<Notice[]> =>
  (await server.api('GET /notices', { token: await tokenOf(server, account) })).body.data.notices;

const noted = () => OutageModel.find().lean();

test('platform admins see that mail has been failing for an hour, until one is sent', async () => {
  const { server, mailbox, admin } = await started();
  const other = await signUp(server.api, 'Ben Okafor');
  const send = async () => server.api('POST /self-check/mail', { token: await tokenOf(server, admin) });
  mailbox.refuse(550);
  expect((await send()).body.success).toBe(false);
  expect(await noted()).toEqual([]);
  mailbox.refuse(451);
  await send();
  const [outage] = await until(async () => (await noted()).length > 0 && noted());
  expect(outage).toMatchObject({ _id: 'mail', reason: 'EENVELOPE 451' });
  expect(await notices(server, admin)).toEqual([]);
  server.advance(HOUR_MS);
  await send();
  const told = await until(async () => (await notices(server, admin))[0]);
  expect(told).toEqual({ about: 'mail', since: outage?.since.toISOString(), reason: 'EENVELOPE 451' });
  expect(await notices(server, other)).toEqual([]);
  mailbox.refuse(null);
  await send();
  await until(async () => (await notices(server, admin)).length === 0);
});

test('a push service that fails for an hour is told by mail, too', async () => {
  const { server, mailbox, pushes, admin } = await started();
  const { token } = admin;
  await server.api('POST /push/subscriptions', { token, body: pushes.newDevice({}, BROWSER_PUSH).device });
  const send = () => server.api('POST /self-check/push', { token });
  pushes.answer(503);
  await send();
  await until(async () => (await noted())[0]);
  expect(await notices(server, admin)).toEqual([]);
  server.advance(HOUR_MS);
  await send();
  const told = await until(async () => (await notices(server, admin))[0]);
  expect(told).toMatchObject({ about: 'push', reason: `${BROWSER_PUSH} answered 503` });
  const mail = await until(async () => mailbox.mails.find(({ subject }) => subject?.includes('Push messages')));
  expect(mail.to).toMatchObject([{ address: admin.user.email }]);
  pushes.answer(201);
  await send();
  await until(async () => (await notices(server, admin)).length === 0);
});

test('a mailbox that cannot be read for an hour is told and mailed, until it can', async () => {
  const { server, mailbox, admin } = await started();
  const tried = (failure: string | null) => events.emit('mailInTried', { door: 'imap', failure });
  await tried('ENOTFOUND');
  expect(await notices(server, admin)).toEqual([]);
  server.advance(HOUR_MS);
  await tried('AUTHENTICATIONFAILED');
  expect(await notices(server, admin)).toMatchObject([{ about: 'mailIn', reason: 'AUTHENTICATIONFAILED' }]);
  const mail = await until(async () => mailbox.mails.find(({ subject }) => subject?.includes('Answers by mail')));
  expect(mail.text).toContain('AUTHENTICATIONFAILED');
  expect(mail.text).toContain('MAIL_IN_URL');
  await tried(null);
  expect(await notices(server, admin)).toEqual([]);
});

test('a push service of a stranger that fails is told to nobody', async () => {
  const { server, pushes, admin } = await started();
  const [stranger, { token }] = [await signUp(server.api, 'Eve Mallory'), admin];
  await server.api('POST /push/subscriptions', { token: stranger.token, body: pushes.newDevice().device });
  await server.api('POST /push/subscriptions', { token, body: pushes.newDevice({}, BROWSER_PUSH).device });
  pushes.answer(503);
  await server.api('POST /self-check/push', { token: stranger.token });
  await server.api('POST /self-check/push', { token });
  const [outage] = await until(async () => (await noted()).length > 0 && noted());
  expect(outage?.reason).toBe(`${BROWSER_PUSH} answered 503`);
});

test('a node that alone reaches no push service is told, whatever the others reach, and once', async () => {
  const [mailbox, pushes] = [await startMailbox(), await startPushService()];
  const cluster = await startCluster(1, mailingInto(mailbox), { pushCertificate: pushes.certificate });
  undo = [() => mailbox.stop(), () => pushes.stop(), cluster.stop];
  const well = cluster.nodes[0] as TestServer;
  const admin = await signUp(well.api);
  const { token } = admin;
  await well.api('POST /push/subscriptions', { token, body: pushes.newDevice({}, BROWSER_PUSH).device });
  const cutOff = async (port = 0) => {
    // It trusts another certificate than the push service has.
    const node = await startNode({ ...cluster.env, port }, { pushCertificate: selfMade(BROWSER_PUSH).cert });
    undo.push(() => node.stop());
    return node;
  };
  const send = async (server: TestServer) =>
    server.api('POST /self-check/push', { token: await tokenOf(server, admin) });
  const tries = async (server: TestServer, hours: number) => {
    const before = (await noted())[0]?.lastAt.getTime() ?? 0;
    await server.advance(hours * HOUR_MS);
    await send(server);
    return until(async () => (await noted()).find(({ lastAt }) => lastAt.getTime() > before));
  };

  const sick = await cutOff();
  const { port, host } = new URL(sick.url);
  await tries(sick, 0);
  const told = await tries(sick, 1);
  await send(well);
  const [notice] = await until(async () => (await notices(well, admin)).length > 0 && notices(well, admin));
  expect(notice).toMatchObject({
    about: 'push',
    reason: expect.stringMatching(new RegExp(`:${port}: ${BROWSER_PUSH}`)),
  });
  await until(async () => mailbox.mails.find(({ subject }) => subject?.includes('Push messages')));

  await sick.stop();
  undo.pop();
  const again = await cutOff(Number(port));
  expect(new URL(again.url).host).toBe(host);
  const still = await tries(again, 2);
  expect([still.toldAt, still.since]).toEqual([told.toldAt ?? still.toldAt, told.since]);
  expect(await notices(well, admin)).toHaveLength(1);
  expect(mailbox.mails.filter(({ subject }) => subject?.includes('Push messages'))).toHaveLength(1);
});

test('platform admins get one mail an hour, with all receivers that have had no valid certificate for an hour', async () => {
  const { server, mailbox, admin } = await started({ rateLimits: true });
  const site = await createSite(server.api, admin.token);
  const { _id } = site;
  const found = (await SiteModel.findById(_id).lean()) ?? expect.fail();
  const fails = (host: string) =>
    events.emit('webhookCertificateFailed', {
      site: found,
      webhookId: `id of ${host}`,
      host,
      reason: 'CERT_HAS_EXPIRED',
    });
  const mails = () => mailbox.mails.filter(({ text }) => text?.includes('CERT_HAS_EXPIRED'));
  for (let host = 0; host < 4; host++) await fails(`call-now${host}.example`);
  expect(await noted()).toHaveLength(4);
  expect(mails()).toEqual([]);
  server.advance(HOUR_MS);
  // As if the mail of the hour before had been sent already when they were told.
  await OutageModel.updateMany({}, { toldAt: new Date() });
  await fails('call-now0.example');
  const mail = await until(async () => mails()[0]);
  expect(mail.subject).toBe('Several outages around your Parley');
  for (let host = 0; host < 4; host++) expect(mail.text).toContain(`call-now${host}.example`);
  await fails('call-now4.example');
  server.advance(HOUR_MS);
  await fails('call-now4.example');
  expect(await OutageModel.countDocuments({ toldAt: { $exists: true }, mailedAt: null })).toBe(1);
  await until(async () => (await MailModel.countDocuments({ dueAt: { $exists: true } })) === 0);
  expect(mails()).toHaveLength(1);
});
