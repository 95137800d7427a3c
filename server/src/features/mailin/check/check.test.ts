import type { Email } from 'postal-mime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, signUp, until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Mailbox, mailingInto, startMailbox } from '#test/mailbox';
import type { MailDoor, MailInCheck } from '../../../../contract.ts';
import { createReplyAddresses } from '../replyAddresses.ts';
import { createMailChecks, isCheckToken } from './checks.ts';

const address = { local: 'chat', domain: 'in.example.com' };
const settings = { address, imap: null, listener: null, secret: 'sixteen-characters' };

let server: TestServer;
let mailbox: Mailbox;
let admin: Account;

beforeAll(async () => {
  mailbox = await startMailbox();
  server = await startServer({ ...mailingInto(mailbox), mailIn: settings });
  admin = await signUp(server.api);
});
afterAll(async () => {
  await server.stop();
  await mailbox.stop();
});

const begin = (by = admin) => server.api('POST /self-check/mail-in', { token: by.token });
const stateOf = async ({ _id }: MailInCheck) =>
  (await server.api(`GET /self-check/mail-in/${_id}`, { token: admin.token })).body.data.check as MailInCheck;

test('a check mails the address with a token and the address alone, and is over when nothing comes for 90 seconds', async () => {
  const { check } = (await begin()).body.data;
  expect(check).toMatchObject({ isOver: false, plus: null, plain: null });
  const sent = await until(async () => mailbox.mails.length >= 2 && mailbox.mails);
  const plain = sent.find(({ to }) => to?.[0]?.address === 'chat@in.example.com');
  expect(sent.map(({ to }) => to?.[0]?.address)).toContain(`chat+${check._id}@in.example.com`);
  expect(plain?.references).toContain(check._id);
  expect(await stateOf(check)).toEqual(check);
  await server.advance(90_000);
  expect(await stateOf(check)).toEqual({ ...check, isOver: true });
});

/** What every door does first with a mail that comes in. */
const { take } = createMailChecks(createReplyAddresses(settings, Date.now), Date.now);
const comeIn = ({ to = [], references = '' }: Email, door: MailDoor, machine: 'automatic' | 'report' = 'automatic') => {
  const recipients = to.map(({ address = '' }) => address);
  return take({ recipients, answered: references.split(' '), machine }, { door, to: recipients });
};

test('a check says which of its mails came in, by which door; reports about them and mails of others are none', async () => {
  mailbox.mails.length = 0;
  const { check } = (await begin()).body.data;
  const [one, other] = await until(async () => mailbox.mails.length === 2 && mailbox.mails);
  const [plus, plain] = one?.references ? [other, one] : [one, other];
  if (!plus || !plain) return expect.fail();
  expect([await isCheckToken(check._id), await isCheckToken('a'.repeat(26))]).toEqual([true, false]);
  expect(await comeIn({ ...plain, references: '<other@example.com>' }, 'imap')).toBe(false);
  expect(await comeIn(plus, 'imap', 'report')).toBe(false);
  expect(await stateOf(check)).toEqual(check);
  expect(await comeIn(plain, 'imap')).toBe(true);
  expect(await stateOf(check)).toMatchObject({ isOver: false, plus: null, plain: { via: 'imap' } });
  expect([await comeIn(plus, 'http'), await comeIn(plus, 'imap')]).toEqual([true, true]);
  expect(await stateOf(check)).toMatchObject({ isOver: true, plus: { via: 'http' }, plain: { via: 'imap' } });
});

test('where the mail server takes neither mail, its answer is told; others than platform admins may not check', async () => {
  mailbox.refuse(550);
  const refused = await begin();
  mailbox.refuse(null);
  expect([refused.status, refused.body.code, refused.body.message]).toEqual([
    409,
    'MAIL_FAILED',
    'The mail server did not accept the mail (EENVELOPE, 550).',
  ]);
  expect((await begin(await signUp(server.api))).status).toBe(403);
  const unknown = await server.api('GET /self-check/mail-in/none', { token: admin.token });
  expect([unknown.status, unknown.body.message]).toEqual([404, 'This check does not exist.']);
});
