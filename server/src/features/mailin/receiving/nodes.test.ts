import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, say, signUp, until, visit } from '#test/factories';
import { type Mailbox, startMailbox } from '#test/mailbox';
import { answeringInto, handOverMail, mailed } from '#test/mailIn';
import type { RawMail } from '#test/mails';
import { startCluster, type TestCluster, type TestNode } from '#test/nodes';
import { connectStaff, hangUp } from '#test/sockets';
import { MessageModel } from '../../chats/messageModel.ts';

const START_MS = 120_000;
let box: Mailbox;
let cluster: TestCluster;
let owner: Account;
let site: Awaited<ReturnType<typeof createSite>>;

beforeAll(async () => {
  box = await startMailbox();
  cluster = await startCluster(2, answeringInto(box));
  owner = await signUp(nodeAt(0).api, 'Olga');
  site = await createSite(nodeAt(0).api, owner.token);
}, START_MS);
afterAll(async () => {
  hangUp();
  await cluster.stop();
  await box.stop();
});

const nodeAt = (at: number) => cluster.nodes[at] ?? expect.fail('there is no such node');

/** A mail of a visitor with files, and what the chat has of it. */
async function answerOfVera() {
  const session = await visit(nodeAt(0).api, site, { visitor: { name: 'Vera', email: 'vera@example.com' } });
  const chat = await say(nodeAt(0).api, site, session, 'Hello?');
  const about = { chat, site: site._id, visitor: session.visitor._id, to: 'vera@example.com' };
  const { replyTo } = await mailed(about);
  const files = ['one', 'two', 'three'].map((name) => ({ name: `${name}.txt`, content: name, type: 'text/plain' }));
  const mail: RawMail = { from: about.to, to: replyTo, messageId: `<${randomUUID()}@example.com>`, files };
  const stored = async () => (await MessageModel.find({ chat }).sort({ seq: 1 }).lean()).map(({ content }) => content);
  return { chat, mail, stored };
}

const ALL = ['Hello?', 'yes', 'one.txt', 'two.txt', 'three.txt'];

test('the same mail on two nodes at the same time is stored once, and seen live on both', async () => {
  const { chat, mail, stored } = await answerOfVera();
  const ears = await Promise.all([0, 1].map((at) => connectStaff(nodeAt(at).url, owner.token)));
  for (const ear of ears) await ear.ask('open_chat', { chatId: chat });
  const outcomes = await Promise.all([0, 1, 0, 1].map((at) => handOverMail(nodeAt(at).url, mail)));
  expect(outcomes.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await stored()).sort()).toEqual([...ALL].sort());
  const [, ...answers] = ALL;
  for (const ear of ears) {
    const heard = () => ear.heard('new_message').map(({ message }) => message.content);
    await until(async () => heard().length >= answers.length);
    expect(heard().sort()).toEqual(answers.sort());
  }
});

test('a node that dies in the middle of a mail leaves it to the next try', async () => {
  const { mail, stored } = await answerOfVera();
  const lost = handOverMail(nodeAt(1).url, mail).catch(() => null);
  await until(async () => (await stored()).includes('yes'));
  await (cluster.nodes.pop() as TestNode).kill();
  await lost;
  expect(await handOverMail(nodeAt(0).url, mail)).toMatchObject({ status: 200 });
  expect(await stored()).toEqual(ALL);
});
