import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, join, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Mailbox, startMailbox } from '#test/mailbox';
import { answeringInto, handOverMail, mailed } from '#test/mailIn';
import type { RawMail } from '#test/mails';
import { MessageModel } from '../../chats/messageModel.ts';

/** How often two things meet, so that each comes first now and then. */
const ROUNDS = 5;

let box: Mailbox;
let server: TestServer;
let owner: Account;
let site: Awaited<ReturnType<typeof createSite>>;

beforeAll(async () => {
  box = await startMailbox();
  server = await startServer(answeringInto(box));
  owner = await signUp(server.api, 'Olga');
  site = await createSite(server.api, owner.token);
});
afterAll(async () => {
  await server.stop();
  await box.stop();
});

const as = (call: string, body?: object, token = owner.token) => server.api(call, { token, body });
const receive = async (mail: RawMail) => (await handOverMail(server.url, mail)).outcome;

async function leftVisitor() {
  const email = `vera-${randomUUID()}@example.com`;
  const session = await visit(server.api, site, { visitor: { name: 'Vera', email } });
  const visitor = session.visitor._id;
  const chat = await say(server.api, site, session, 'Do you ship to Spain?');
  await as(`POST /chats/${chat}/messages`, { content: 'We do. Shall I send you the prices?' });
  const { replyTo } = await mailed({ chat, site: site._id, visitor, to: email });
  const stored = async () =>
    (
      await MessageModel.find({ senderKey: `v:${visitor}` })
        .sort({ createdAt: 1 })
        .lean()
    ).map(({ content }) => content);
  return { chat, visitor, stored, mail: { from: email, to: replyTo } };
}

/** An agent who answers a waiting chat by mail. */
async function mailedAgent(agent: Account) {
  const session = await visit(server.api, site, { visitor: { name: 'Vera' } });
  const chat = await say(server.api, site, session, 'Is anybody there?');
  const to = agent.user.email;
  const { replyTo } = await mailed({ chat, site: site._id, visitor: session.visitor._id, user: agent.user._id, to });
  return { chat, mail: { from: to, to: replyTo, text: 'I am' } };
}

async function memberWhoMails(name: string): Promise<Account> {
  const agent = await signUp(server.api, name);
  await join(site, agent, 'agent');
  await as('PATCH /settings', { section: 'notifications', data: { answerByMail: true } }, agent.token);
  return agent;
}

/** Lets both happen at once, a little later each time. */
async function together<One, Other>(round: number, one: () => Promise<One>, other: () => Promise<Other>) {
  const late = async () => {
    for (let turn = 0; turn < round ** 3 * 8; turn++) await new Promise(setImmediate);
    return other();
  };
  return Promise.all([one(), late()]);
}

const rounds = Array.from({ length: ROUNDS }, (_, round) => round);

test('an answer while the chat is closed is in this chat or in a new one, and unread', async () => {
  for (const round of rounds) {
    const { chat, visitor, mail, stored } = await leftVisitor();
    const [outcome] = await together(
      round,
      () => receive(mail),
      () => as(`POST /chats/${chat}/close`),
    );
    expect(outcome).toEqual({ end: 'added' });
    expect(await stored()).toEqual(['Do you ship to Spain?', 'yes']);
    const { chats } = (await as(`GET /visitors/${visitor}/chats`)).body.data;
    expect(chats.length).toBeLessThanOrEqual(2);
  }
});

test('nothing is left of an answer that comes while its visitor is erased', async () => {
  for (const round of rounds) {
    const { visitor, mail, stored } = await leftVisitor();
    const [outcome, erased] = await together(
      round,
      () => receive(mail),
      () => as(`DELETE /visitors/${visitor}`),
    );
    expect(erased.status).toBe(200);
    expect(['added', 'refused']).toContain(outcome?.end);
    await until(async () => (await stored()).length === 0);
    expect((await receive({ ...mail, text: 'Again' }))?.end).toBe('refused');
    expect(await stored()).toEqual([]);
  }
});

test('of an answer while its visitor is blocked, the outcome is what happened', async () => {
  for (const round of rounds) {
    const { visitor, mail, stored } = await leftVisitor();
    const [outcome] = await together(
      round,
      () => receive(mail),
      () => as(`POST /visitors/${visitor}/block`),
    );
    const isAdded = outcome?.end === 'added';
    expect(await stored()).toEqual(['Do you ship to Spain?', ...(isAdded ? ['yes'] : [])]);
    expect(await receive({ ...mail, text: 'Again' })).toEqual({ end: 'refused', reason: 'blocked' });
  }
});

test('a message that was corrected since is cut as a quote all the same', async () => {
  const { chat, mail, stored } = await leftVisitor();
  const { messages } = (await as(`GET /chats/${chat}/messages`)).body.data;
  await as(`PATCH /chats/${chat}/messages/${messages.at(-1)._id}`, { content: 'We do not, sorry.' });
  const quote = 'On Fri, 27 Nov 2026, Corner Shop <chat@example.com> wrote:\n> We do. Shall I send you the prices?';
  await receive({ ...mail, text: `yes\n\n${quote}` });
  expect(await stored()).toEqual(['Do you ship to Spain?', 'yes']);
});

test("a member's answer while a colleague claims the chat is there once, and one of them has the chat", async () => {
  const [ada, ben] = [await memberWhoMails('Ada'), await memberWhoMails('Ben')];
  for (const round of rounds) {
    const { chat, mail } = await mailedAgent(ada);
    const [outcome] = await together(
      round,
      () => receive(mail),
      () => as(`POST /chats/${chat}/claim`, {}, ben.token),
    );
    expect(outcome).toEqual({ end: 'added' });
    expect(await MessageModel.countDocuments({ chat, content: 'I am' })).toBe(1);
    expect(['Ada', 'Ben']).toContain((await as(`GET /chats/${chat}`)).body.data.chat.claimedBy.name);
  }
});

test("a member's answer while the role is taken away is there exactly if it was allowed", async () => {
  for (const round of rounds) {
    const ada = await memberWhoMails('Ada');
    const { chat, mail } = await mailedAgent(ada);
    const demote = () => as(`PATCH /team/members/${ada.user._id}`, { siteId: site._id, role: 'viewer' });
    const [outcome] = await together(round, () => receive(mail), demote);
    expect(await MessageModel.countDocuments({ chat, content: 'I am' })).toBe(outcome?.end === 'added' ? 1 : 0);
    expect(await receive({ ...mail, text: 'And now?' })).toEqual({ end: 'refused', reason: 'notAllowed' });
  }
});
