import { afterEach, expect, test } from 'vitest';
import type { Notice } from '../../contract.ts';
import { type Account, PASSWORD, signUp, until } from '../../test/factories.ts';
import { startServer, type TestServer } from '../../test/harness.ts';
import { mailingInto, startMailbox } from '../../test/mailbox.ts';
import { startPushService } from '../../test/pushes.ts';
import { HOUR_MS } from '../time.ts';
import { OutageModel } from './outages.ts';

let undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.toReversed()) await step();
  undo = [];
});

async function started() {
  const [mailbox, pushes] = [await startMailbox(), await startPushService()];
  const server = await startServer(mailingInto(mailbox), { pushAgent: pushes.agent });
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
  await server.api('POST /push/subscriptions', { token, body: pushes.newDevice().device });
  const send = () => server.api('POST /self-check/push', { token });
  pushes.answer(503);
  await send();
  await until(async () => (await noted())[0]);
  expect(await notices(server, admin)).toEqual([]);
  server.advance(HOUR_MS);
  await send();
  const told = await until(async () => (await notices(server, admin))[0]);
  expect(told).toMatchObject({ about: 'push', reason: 'push.example.com answered 503' });
  const mail = await until(async () => mailbox.mails.find(({ subject }) => subject?.includes('Push messages')));
  expect(mail.to).toMatchObject([{ address: admin.user.email }]);
  pushes.answer(201);
  await send();
  await until(async () => (await notices(server, admin)).length === 0);
});
