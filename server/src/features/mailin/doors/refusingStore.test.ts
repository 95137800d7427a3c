import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSite, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type ImapStandIn, mailboxOf, startImapStandIn } from '#test/imapStandIn';
import { type Mailbox, mailingInto, startMailbox } from '#test/mailbox';
import { handOverMail, MAIL_IN, mailed } from '#test/mailIn';
import { rawMail } from '#test/mails';
import { type RefusingStore, startRefusingStore } from '#test/refusingStore';
import { freePort } from '../../../../../scripts/cluster/processes.js';
import { MessageModel } from '../../chats/messageModel.ts';

const from = 'vera@example.com';
/** The first pause of the mailbox, and two tries, on a busy machine. */
const RETRIED_MS = 30_000;

let box: Mailbox;
let standIn: ImapStandIn;
let store: RefusingStore;
let port: number;
let server: TestServer;

beforeAll(async () => {
  [box, standIn, store, port] = await Promise.all([
    startMailbox(),
    startImapStandIn(),
    startRefusingStore(),
    freePort(),
  ]);
  const listener = { protocol: 'smtp', host: '127.0.0.1', port, tls: null } as const;
  const mailIn = { ...MAIL_IN, imap: mailboxOf(standIn, 'chat'), listener };
  server = await startServer({ ...mailingInto(box), mailIn, mongodbUri: store.uri });
});
afterAll(async () => {
  await server.stop();
  await Promise.all([box.stop(), standIn.stop(), store.stop()]);
});

test(
  'a database that refuses writes is no reason to lose a mail: every door takes it later',
  async () => {
    const site = await createSite(server.api, (await signUp(server.api, 'Olga')).token);
    const session = await visit(server.api, site, { visitor: { name: 'Vera', email: from } });
    const chat = await say(server.api, site, session, 'Hello?');
    const { replyTo: to } = await mailed({ chat, site: site._id, visitor: session.visitor._id, to: from });
    const stored = async () =>
      (await MessageModel.find({ chat }).sort({ seq: 1 }).lean()).map(({ content }) => content);
    const [called, sent, read] = ['by call', 'by port', 'by mailbox'].map((text) => rawMail({ from, to, text }));
    const smtp = createTransport({ host: '127.0.0.1', port });
    const send = () => smtp.sendMail({ envelope: { from, to: [to] }, raw: sent });

    const refusal = store.refuse(['insert messages']);
    standIn.deliver(`${read}`);
    expect((await handOverMail(server.url, called as Buffer)).status).toBeGreaterThanOrEqual(500);
    await expect(send()).rejects.toMatchObject({ responseCode: 451 });
    await until(async () => refusal.count() >= 3);
    expect(await stored()).toEqual(['Hello?']);
    refusal.end();
    expect(await handOverMail(server.url, called as Buffer)).toMatchObject({ outcome: { end: 'added' } });
    await send();
    await until(async () => (await stored()).length === 4);
    expect((await stored()).sort()).toEqual(['Hello?', 'by call', 'by mailbox', 'by port']);
  },
  RETRIED_MS,
);
