import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSite, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type ImapStandIn, mailboxOf, startImapStandIn } from '#test/imapStandIn';
import { type Mailbox, mailingInto, startMailbox } from '#test/mailbox';
import { MAIL_IN, mailed } from '#test/mailIn';
import { rawMail } from '#test/mails';
import { MessageModel } from '../../chats/messageModel.ts';

const from = 'vera@example.com';
let box: Mailbox;
let standIn: ImapStandIn;
let server: TestServer;
let port: number;

beforeAll(async () => {
  [box, standIn, port] = await Promise.all([startMailbox(), startImapStandIn(), freePort()]);
  const listener = { protocol: 'smtp', host: '127.0.0.1', port, tls: null } as const;
  server = await startServer({
    ...mailingInto(box),
    mailIn: { ...MAIL_IN, imap: mailboxOf(standIn, 'chat'), listener },
  });
});
afterAll(async () => {
  await server.stop();
  await Promise.all([box.stop(), standIn.stop()]);
});

async function freePort(): Promise<number> {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  taken.close();
  await once(taken, 'close');
  return port;
}

test('what comes by the mailbox and by the port is in the chat', async () => {
  const site = await createSite(server.api, (await signUp(server.api, 'Olga')).token);
  const session = await visit(server.api, site, { visitor: { name: 'Vera', email: from } });
  const chat = await say(server.api, site, session, 'Hello?');
  const { replyTo } = await mailed({ chat, site: site._id, visitor: session.visitor._id, to: from });
  const stored = async () => (await MessageModel.find({ chat }).sort({ seq: 1 }).lean()).map(({ content }) => content);

  standIn.deliver(rawMail({ from, to: replyTo, text: 'by the mailbox' }).toString());
  await until(async () => (await stored()).length === 2);
  const raw = rawMail({ from, to: 'shop@example.com', text: 'by the port' });
  const smtp = createTransport({ host: '127.0.0.1', port, secure: false });
  await smtp.sendMail({ envelope: { from, to: [replyTo] }, raw });
  expect(await stored()).toEqual(['Hello?', 'by the mailbox', 'by the port']);
});
