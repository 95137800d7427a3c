import { randomBytes } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connection } from '#platform/database';
import { createSite, say, signUp, until, visit } from '#test/factories';
import { type ImapStandIn, mailboxOf, startImapStandIn } from '#test/imapStandIn';
import { type Mailbox, mailingInto, startMailbox } from '#test/mailbox';
import { handOverMail, MAIL_IN, mailed } from '#test/mailIn';
import { rawMail } from '#test/mails';
import { startNode, type TestNode } from '#test/nodes';

import { type StoppingStore, startStoppingStore } from '#test/stoppingStore';
import { freePort } from '../../../../../scripts/cluster/processes.js';
import { MessageModel } from '../../chats/messageModel.ts';
import type { Site } from '../../sites/contract.ts';

const KILLS_MS = 120_000;
const FROM = 'vera@example.com';

let box: Mailbox;
let standIn: ImapStandIn;
let store: StoppingStore;
let port: number;
let node: TestNode;
let site: Site;

beforeAll(async () => {
  [box, standIn, store, port] = await Promise.all([
    startMailbox(),
    startImapStandIn(),
    startStoppingStore(),
    freePort(),
  ]);
  // The store's own address: the test's models are not stopped.
  await connection.openUri(store.directUri, { dbName: 'parley' });
  node = await start();
  site = await createSite(node.api, (await signUp(node.api, 'Olga')).token);
}, KILLS_MS);
afterAll(async () => {
  await node.stop();
  await connection.close();
  await Promise.all([box.stop(), standIn.stop(), store.stop()]);
});

const secrets = { jwtSecret: randomBytes(32).toString('base64url'), dataKey: randomBytes(32).toString('base64url') };
const start = () =>
  startNode({
    ...mailingInto(box),
    ...secrets,
    mongodbUri: store.uri,
    mailIn: {
      ...MAIL_IN,
      imap: mailboxOf(standIn, 'chat'),
      listener: { protocol: 'smtp', host: '127.0.0.1', port, tls: null },
    },
  });

/** A mail with a file for a chat of its own. */
async function answerOfVera() {
  const session = await visit(node.api, site, { visitor: { name: 'Vera', email: FROM } });
  const chat = await say(node.api, site, session, 'Hello?');
  const { replyTo: to } = await mailed({ chat, site: site._id, visitor: session.visitor._id, to: FROM });
  const raw = rawMail({ from: FROM, to, files: [{ name: 'list.txt', content: 'one', type: 'text/plain' }] });
  const stored = async () => (await MessageModel.find({ chat }).sort({ seq: 1 }).lean()).map(({ content }) => content);
  return { to, raw, stored };
}

type Answer = Awaited<ReturnType<typeof answerOfVera>>;
const byCall = ({ raw }: Answer) => handOverMail(node.url, raw);
const byPort = ({ to, raw }: Answer) =>
  createTransport({ host: '127.0.0.1', port }).sendMail({ envelope: { from: FROM, to: [to] }, raw });
const moved = () => standIn.folders.get('Parley')?.mails.length ?? 0;

test.each([
  ['before the text is stored', 'before', 'yes'],
  ['after the text is stored, before the answer', 'after', 'yes'],
  ['between the text and the file', 'before', 'list.txt'],
  ['after the file is stored, before the answer', 'after', 'list.txt'],
] as const)(
  'a process that is killed %s loses and doubles nothing, by any door',
  async (_, when, content) => {
    const [called, sent, read] = [await answerOfVera(), await answerOfVera(), await answerOfVera()];
    const before = moved();
    const stopped = store.stopAt(when, content);
    standIn.deliver(read.raw.toString());
    const lost = [byCall(called), byPort(sent)].map((handing) => handing.then(() => 'taken').catch(() => 'lost'));
    await stopped;
    await node.kill();
    expect(await Promise.all(lost)).toEqual(['lost', 'lost']);
    store.goOn();
    node = await start();
    // Programs and mail servers try again; in the mailbox, the mail is still there.
    expect(await byCall(called)).toMatchObject({ status: 200 });
    await byPort(sent);
    await until(async () => moved() === before + 1);
    for (const { stored } of [called, sent, read]) expect(await stored()).toEqual(['Hello?', 'yes', 'list.txt']);
  },
  KILLS_MS,
);

test(
  'a process that is killed between the commit and the move stores nothing again',
  async () => {
    const read = await answerOfVera();
    const before = moved();
    standIn.fault = (command) => (command.startsWith('UID MOVE') ? 'silence' : undefined);
    standIn.deliver(read.raw.toString());
    await until(async () => standIn.commands.at(-1)?.startsWith('UID MOVE'));
    await node.kill();
    standIn.fault = () => undefined;
    node = await start();
    await until(async () => moved() === before + 1);
    expect(await read.stored()).toEqual(['Hello?', 'yes', 'list.txt']);
  },
  KILLS_MS,
);
