import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, signUp, until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { MAIL_IN } from '#test/mailIn';
import { freePort } from '../../../../../scripts/cluster/processes.js';
import type { MailInCheck, MailInState } from '../../../../contract.ts';

let server: TestServer;
let admin: Account;

beforeAll(async () => {
  const port = await freePort();
  const mail = { smtpUrl: `smtp://127.0.0.1:${port}`, from: { name: 'Parley', address: 'parley@example.com' } };
  const listener = { protocol: 'smtp', host: '127.0.0.1', port, tls: null } as const;
  // Its own port is the mail server to which it hands its mails.
  server = await startServer({ publicUrl: 'https://chat.example.com', mail, mailIn: { ...MAIL_IN, listener } });
  admin = await signUp(server.api);
});
afterAll(() => server.stop());

const as = async (call: string) => (await server.api(call, { token: admin.token })).body.data;

test('both mails of a check come in by the port, which platform admins see is open', async () => {
  const { check } = (await as('POST /self-check/mail-in')) as { check: MailInCheck };
  const ended = await until(async () => {
    const now = (await as(`GET /self-check/mail-in/${check._id}`)).check as MailInCheck;
    return now.isOver && now;
  });
  expect(ended).toMatchObject({ plus: { via: 'smtp' }, plain: { via: 'smtp' } });
  const { doors } = (await as('GET /admin/mail-in')).mailIn as MailInState;
  expect(doors).toMatchObject([
    { door: 'smtp', isOpen: true, lastMailAt: expect.any(String) },
    { door: 'http', isOpen: true, lastMailAt: null },
  ]);
});
