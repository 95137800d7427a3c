import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSite, say, signUp, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Mailbox, startMailbox } from '#test/mailbox';
import { answeringInto, handOverMail, MAIL_SECRET, mailed } from '#test/mailIn';
import { rawMail } from '#test/mails';
import { MAIL_MAX_BYTES } from '../contract.ts';

let box: Mailbox;
let server: TestServer;
let replyTo: string;
const from = 'vera@example.com';

beforeAll(async () => {
  box = await startMailbox();
  server = await startServer({ ...answeringInto(box), rateLimits: true, limits: { wrongMailSecretsPerIp: 3 } });
  const site = await createSite(server.api, (await signUp(server.api, 'Olga')).token);
  const session = await visit(server.api, site, { visitor: { name: 'Vera', email: from } });
  const chat = await say(server.api, site, session, 'Hello?');
  ({ replyTo } = await mailed({ chat, site: site._id, visitor: session.visitor._id, to: from }));
});
afterAll(async () => {
  await server.stop();
  await box.stop();
});

const added = { status: 200, outcome: { end: 'added' } };

async function post(
  body: FormData | URLSearchParams | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const given = { Authorization: `Bearer ${MAIL_SECRET}`, ...headers };
  const answer = await fetch(`${server.url}/api/mail/in`, { method: 'POST', headers: given, body });
  const { data } = (await answer.json()) as { data?: object };
  return { status: answer.status, ...data };
}

test('the secret is a bearer, or a password as in the address of a webhook', async () => {
  expect(await handOverMail(server.url, { from, to: replyTo, text: 'By bearer' })).toEqual(added);
  const basic = Buffer.from(`parley:${MAIL_SECRET}`).toString('base64');
  const raw = new Uint8Array(rawMail({ from, to: replyTo, text: 'By password' }));
  expect(await post(raw, { Authorization: `Basic ${basic}` })).toEqual(added);
});

test('forms of providers have the raw mail in a field, and the envelope', async () => {
  const sendGrid = new FormData();
  sendGrid.set('email', rawMail({ from, to: 'shop@example.com', text: 'By SendGrid' }).toString());
  sendGrid.set('envelope', JSON.stringify({ from, to: [replyTo] }));
  expect(await post(sendGrid)).toEqual(added);
  const mailgun = { 'body-mime': rawMail({ from, to: 'x@example.com', text: 'By Mailgun' }).toString() };
  expect(await post(new URLSearchParams({ ...mailgun, sender: from, recipient: replyTo }))).toEqual(added);
  expect(await post(new URLSearchParams({ other: 'field' }))).toEqual({ status: 400 });
});

test('what becomes no message is answered, too, so that nobody tries again', async () => {
  const refused = { status: 200, outcome: { end: 'refused', reason: 'unknown' } };
  expect(await handOverMail(server.url, { from, to: 'nobody@example.com' })).toEqual(refused);
});

test('a mail that is too large is refused before it is read', async () => {
  const files = [{ name: 'large.bin', content: 'x'.repeat(MAIL_MAX_BYTES) }];
  expect((await handOverMail(server.url, { from, to: replyTo, files })).status).toBe(413);
});

test('of many mails at once none is lost: the program tries those again that were too many', async () => {
  const mails = Array.from({ length: 12 }, () =>
    rawMail({ from, to: 'nobody@example.com', messageId: `<${randomUUID()}@x>`, text: 'x'.repeat(300_000) }),
  );
  const statuses = await Promise.all(mails.map(async (mail) => (await handOverMail(server.url, mail)).status));
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(statuses).toContain(200);
});

test('a wrong secret is counted, and the right one is taken all the same', async () => {
  const mail = { from, to: replyTo, text: 'By nobody' };
  const wrong = async () => (await handOverMail(server.url, mail, { secret: 'another secret of a guesser' })).status;
  expect([await wrong(), await wrong(), await wrong(), await wrong()]).toEqual([401, 401, 401, 429]);
  expect(await handOverMail(server.url, { ...mail, text: 'By the program' })).toEqual(added);
});
