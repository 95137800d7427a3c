import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MailDoorState, Site } from '../../contract.ts';
import { createReplyAddresses } from '../../src/features/mailin/replyAddresses.ts';
import type { Env, MailInSettings } from '../../src/platform/env/index.ts';
import { type Account, createSite, say, signUp, until, visit } from '../factories.ts';
import type { TestServer } from '../harness.ts';
import { rawMail } from '../mails.ts';
import { startCluster, startNode, type TestCluster, type TestNode } from '../nodes.ts';
import { settingsFor } from './answering.ts';
import { type MailHost, startMailHost, VISITOR } from './mailHost.ts';
import { type Relay, startRelay } from './relay.ts';

let host: MailHost;
let relay: Relay;
let cluster: TestCluster;
let site: Site;
let owner: Account;
/** The nodes that may read the mailbox, in processes of their own. */
let readers: TestNode[];

beforeAll(async () => {
  host = await startMailHost();
  relay = await startRelay(host.dovecot.imapPort);
  const settings = settingsFor(host);
  const mailIn = settings.mailIn as MailInSettings & { imap: object };
  const none: Partial<Env> = { ...settings, mailIn: { ...mailIn, imap: null, secret: 'sixteen-characters' } };
  cluster = await startCluster(1, none);
  const reading = { ...mailIn, imap: { ...mailIn.imap, port: relay.port } };
  const start = () => startNode({ ...cluster.env, mailIn: reading });
  owner = await signUp(first().api, 'Olga');
  site = await createSite(first().api, owner.token);
  readers = [await start()];
  await until(async () => (await door())?.isOpen);
  readers.push(await start());
});
afterAll(async () => {
  for (const reader of readers ?? []) await reader.stop();
  await cluster?.stop();
  relay?.stop();
  await host?.stop();
});

const first = (): TestServer => cluster.nodes[0] ?? expect.fail();
const door = async (): Promise<MailDoorState | undefined> =>
  (await readers[0]?.api('GET /admin/mail-in', { token: owner.token }))?.body.data.mailIn.doors[0];

/** A chat, and the address to which mails about it are answered. */
async function chatWithMail() {
  const session = await visit(first().api, site, { visitor: { name: 'Mina', email: VISITOR } });
  const chat = await say(first().api, site, session, 'Is it back?');
  const [ofSite, ofChat, visitor] = [site._id, chat, session.visitor._id].map((id) => new Types.ObjectId(id));
  const addresses = createReplyAddresses(settingsFor(host).mailIn as MailInSettings, Date.now);
  const about = { site: ofSite, chat: ofChat, visitor, user: null, to: VISITOR } as Parameters<
    typeof addresses.answerable
  >[0];
  const { replyTo } = await addresses.answerable(about, `<${chat}@chat.example.com>`, []);
  const contents = async () => {
    const { body } = await first().api(`GET /chats/${chat}/messages`, { token: owner.token });
    return body.data.messages.map(({ content }: { content: string }) => content);
  };
  return { replyTo, contents };
}

const answer = (replyTo: string, text: string) => host.send(rawMail({ from: VISITOR, to: replyTo, text }), replyTo);

test('a node that is killed between the commit and the move: the other one moves the mail, and stores nothing again', async () => {
  const { replyTo, contents } = await chatWithMail();
  const held = relay.holdAt('UID STORE');
  await answer(replyTo, 'I come by');
  await held;
  expect(await contents()).toEqual(['Is it back?', 'I come by']);
  expect(await host.mails('chat')).toHaveLength(1);
  await readers.shift()?.kill();
  relay.release();
  await expect.poll(() => host.mails('chat', 'Parley')).toHaveLength(1);
  expect(await host.mails('chat')).toEqual([]);
  expect(await contents()).toEqual(['Is it back?', 'I come by']);
});

test('Dovecot dies while it is waited for, and comes back', async () => {
  const { replyTo, contents } = await chatWithMail();
  await host.dovecot.kill();
  await expect.poll(door).toMatchObject({ isOpen: false });
  await answer(replyTo, 'While it was away');
  await host.dovecot.start();
  await expect.poll(contents).toEqual(['Is it back?', 'While it was away']);
  await expect.poll(door).toMatchObject({ isOpen: true });
});

test('a mailbox that counts anew, with mails that were taken before: they are recognised', async () => {
  const { replyTo, contents } = await chatWithMail();
  await answer(replyTo, 'Before');
  await expect.poll(contents).toEqual(['Is it back?', 'Before']);
  const validity = () => host.dovecot.doveadm('mailbox', 'status', '-u', 'chat', 'uidvalidity', 'INBOX');
  const former = await validity();
  const taken = (await host.mails('chat', 'Parley')).length;
  await host.dovecot.kill();
  host.dovecot.countAnew('chat');
  await host.dovecot.start();
  expect(await validity()).not.toBe(former);
  await host.dovecot.doveadm('move', '-u', 'chat', 'INBOX', 'mailbox', 'Parley', 'all');
  await answer(replyTo, 'After');
  await expect.poll(() => host.mails('chat', 'Parley')).toHaveLength(taken + 1);
  expect(await contents()).toEqual(['Is it back?', 'Before', 'After']);
});
