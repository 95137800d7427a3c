import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, createSite, join, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Mailbox, mailingInto, startMailbox } from '#test/mailbox';
import { type Receiver, startReceiver } from '#test/receivers';
import { connectVisitor, hangUp } from '#test/sockets';
import type { Message, RuleAction, RuleBody, RuleEvent, RuleRun, Site, VisitorSession } from '../../../contract.ts';
import { events } from '../../platform/events/index.ts';
import { ChatModel } from '../chats/model.ts';
import { RULE_EVENTS } from './contract.ts';
import { RuleRunModel } from './model.ts';

const MINUTE_MS = 60_000;

let server: TestServer;
let box: Mailbox;
let receiver: Receiver;
let [owner, ana]: Account[] = [];
let site: Site;
/** What rules can name on the site. */
let named: { department: string; webhook: string; reply: string; member: string };

beforeAll(async () => {
  [box, receiver] = [await startMailbox(), await startReceiver()];
  server = await startServer({ ...mailingInto(box), sitesPerAccount: 100 }, { webhookAgent: receiver.agent });
});
beforeEach(async () => {
  [owner, ana] = [await signUp(server.api, 'Olga'), await signUp(server.api, 'Ana Ruiz')];
  site = await createSite(server.api, owner.token, 'Corner Shop');
  await join(site, ana, 'agent');
  const made = async (call: string, body: object) => (await ask(`POST ${call}`, body)).body.data;
  const { departments } = await made(`/sites/${site._id}/departments`, { name: 'Orders' });
  const { webhook } = await made(`/sites/${site._id}/webhooks`, {
    url: receiver.url(`/${site._id}`),
    events: ['article.published'],
  });
  const content = 'Hello {{visitor.name|there}}, **we** are on it.';
  const { reply } = await made('/canned-replies', { siteId: site._id, shortcut: 'soon', content });
  named = { department: departments[0]._id, webhook: webhook._id, reply: reply._id, member: ana.user._id };
});
afterEach(hangUp);
afterAll(async () => {
  await server.stop();
  await box.stop();
  await receiver.stop();
});

const ask = (call: string, body?: object, token = owner?.token) =>
  server.api(call, { ...(token && { token }), ...(body && { body }) });
async function rule(event: RuleEvent, actions: RuleAction[], more: Partial<RuleBody> = {}): Promise<string> {
  const body = { name: `On ${event}`, event, actions, ...(event === 'unanswered' && { minutes: 5 }), ...more };
  const added = await ask(`POST /sites/${site._id}/rules`, body);
  expect(added.status).toBe(201);
  return added.body.data.rules.at(-1)._id;
}
const tag = (name: string): RuleAction => ({ do: 'tag', tag: name });
const row = async (id: string) => (await ask(`GET /chats/${id}`)).body.data.chat;
const log = async (): Promise<RuleRun[]> => (await ask(`GET /sites/${site._id}/rules/runs`)).body.data.runs;
const outcomes = async () => (await log()).map(({ rule, actions }) => [rule.name, actions.map((each) => each.outcome)]);
const logged = (count: number) => until(async () => (await log()).length >= count && log());

interface Written {
  id: string;
  session: VisitorSession;
  send(content: string): Promise<void>;
}
async function write(content = 'Hello'): Promise<Written> {
  const session = await visit(server.api, site, { visitor: { name: 'Vera' } });
  const { visitorToken: token } = session;
  const post = async (text: string) => {
    const body = { clientId: randomUUID(), content: text };
    const sent = await server.api(`POST /widget/${site.widgetCode}/messages`, { token, body });
    expect(sent.status).toBe(201);
    return sent.body.data.chat._id as string;
  };
  const id = await post(content);
  return { id, session, send: async (text) => void (await post(text)) };
}
/** Nothing is marked, and nothing that is due waits. */
async function settled(): Promise<void> {
  await until(async () => !(await ChatModel.exists({ site: site._id, unruled: { $exists: true } })));
  await until(
    async () => !(await RuleRunModel.exists({ site: site._id, dueAt: { $exists: true }, waitingSince: null })),
  );
}
/** The visitor has waited for ten minutes more. */
async function wait(id: string): Promise<void> {
  const { waitingSince } = await until(() =>
    RuleRunModel.findOne({ chat: id, waitingSince: { $exists: true } }).lean(),
  );
  const since = new Date(Number(waitingSince) - 10 * MINUTE_MS);
  await ChatModel.updateOne({ _id: id, open: true }, { $set: { waitingSince: since } });
  const waits = { chat: id, waitingSince: { $exists: true } };
  await RuleRunModel.updateMany(waits, { $set: { waitingSince: since, dueAt: new Date(0) } });
  await events.emit('rulesAwaited', { siteId: site._id });
}
const rate = ({ id, session }: Written, score: number) =>
  server.api(`POST /widget/${site.widgetCode}/rating`, {
    token: session.visitorToken,
    body: { chatId: id, score },
  });

test.each<[RuleEvent, (chat: Written) => Promise<unknown>]>([
  ['opened', async () => {}],
  ['message', async () => {}],
  ['unanswered', ({ id }) => wait(id)],
])('on %s, each action is done once, in its order', async (event, cause) => {
  const { department, webhook, member } = named;
  await rule(event, [tag('vip'), { do: 'department', department }, { do: 'assign', member }]);
  await rule(event, [
    { do: 'snooze', minutes: 60 },
    { do: 'mail', members: [member] },
    { do: 'webhook', webhook },
    { do: 'reply', reply: named.reply },
  ]);
  const chat = await write('I need a refund');
  const widget = await connectVisitor(server.url, chat.session.visitorToken);
  await cause(chat);
  await logged(2);
  expect(await outcomes()).toEqual([
    [`On ${event}`, ['done', 'done', 'done', 'done']],
    [`On ${event}`, ['done', 'done', 'done']],
  ]);
  expect(await row(chat.id)).toMatchObject({
    tags: ['vip'],
    department: { _id: department },
    claimedBy: { _id: member },
    snoozedUntil: expect.any(String),
    lastMessage: 'Hello Vera, we are on it.',
  });
  // It is no answer: the visitor goes on waiting, and nobody has read anything.
  const stored = await ChatModel.findById(chat.id).orFail().lean();
  expect(stored).toMatchObject({ waitingSince: expect.any(Date), unread: 1 });
  expect(stored.firstResponseAt).toBeUndefined();
  await until(async () => widget.heard('message').length > 0 || widget.heard('new_message').length > 0);
  const { messages } = (await ask(`GET /chats/${chat.id}/messages`)).body.data;
  expect(messages.map(({ sender, senderName }: Message) => [sender, senderName])).toEqual([
    ['visitor', 'Vera'],
    ['agent', 'Corner Shop'],
  ]);
  const { type, data } = (await until(async () => receiver.received(`/${site._id}`)[0])).payload;
  expect([type, data.rule.name, data.chat._id]).toEqual(['rule.applied', `On ${event}`, chat.id]);
  const mail = await until(async () => box.mails.find(({ subject }) => subject === `On ${event}: Vera on Corner Shop`));
  expect([mail.to?.[0]?.address, mail.text?.includes('I need a refund')]).toEqual([ana?.user.email, true]);
});

test('closes and ratings are told of, and what is not possible any more is refused', async () => {
  await rule('closed', [tag('over'), { do: 'snooze', minutes: 5 }, { do: 'reply', reply: named.reply }]);
  await rule('rated', [tag('sad'), { do: 'assign', member: named.member }], { conditions: { score: 2 } });
  const [chat, happy] = [await write(), await write()];
  for (const { id } of [chat, happy]) await ask(`POST /chats/${id}/close`);
  await rate(chat, 2);
  await rate(happy, 5);
  await logged(3);
  await settled();
  expect((await outcomes()).sort()).toEqual([
    ['On closed', ['done', 'refused', 'refused']],
    ['On closed', ['done', 'refused', 'refused']],
    ['On rated', ['done', 'refused']],
  ]);
  expect((await row(chat.id)).tags.sort()).toEqual(['over', 'sad']);
  expect((await row(happy.id)).tags).toEqual(['over']);
});

test('what rules name and is gone is missing; whoever left is given nothing', async () => {
  const { department, webhook, reply, member } = named;
  const actions: RuleAction[] = [
    { do: 'department', department },
    { do: 'webhook', webhook },
    { do: 'reply', reply },
    { do: 'assign', member },
    { do: 'mail', members: [member] },
  ];
  await rule('opened', actions);
  await ask(`DELETE /sites/${site._id}/departments/${department}`);
  await ask(`DELETE /sites/${site._id}/webhooks/${webhook}`);
  await ask(`DELETE /canned-replies/${reply}`);
  await ask(`DELETE /team/members/${member}`, { siteId: site._id });
  await write();
  await logged(1);
  expect(await outcomes()).toEqual([['On opened', Array(5).fill('missing')]]);
});

test('an answer ends the wait; a rule that is changed, switched off or deleted meanwhile does nothing', async () => {
  const id = await rule('unanswered', [tag('late')]);
  const [answered, longer, off] = [await write(), await write(), await write()];
  const waits = async (chat: Written) =>
    RuleRunModel.countDocuments({ chat: chat.id, waitingSince: { $exists: true } });
  for (const chat of [answered, longer, off]) await until(async () => (await waits(chat)) === 1);
  await ask(`POST /chats/${answered.id}/message`, { text: 'Hi' });
  await until(async () => (await waits(answered)) === 0);
  const change = (body: object) => ask(`PATCH /sites/${site._id}/rules/${id}`, body);
  expect((await change({ minutes: 60, rev: 1 })).status).toBe(200);
  const inHalfAnHour = { $gt: new Date(Date.now() + 30 * MINUTE_MS) };
  await until(() => RuleRunModel.exists({ chat: longer.id, dueAt: inHalfAnHour, takes: null }));
  await wait(longer.id);
  await until(async () => (await RuleRunModel.findOne({ chat: longer.id }).orFail().lean()).dueAt?.getTime() !== 0);
  expect((await change({ minutes: 5, rev: 2 })).status).toBe(200);
  await logged(1);
  expect((await row(longer.id)).tags).toEqual(['late']);
  await change({ enabled: false, rev: 3 });
  await until(async () => (await waits(off)) === 0);
  expect((await log()).map(({ chatId }) => chatId)).toEqual([longer.id]);
});

test('what waits for its time finds the chat as it is by then: claimed, closed or deleted', async () => {
  await rule('unanswered', [tag('late'), { do: 'assign', member: named.member }]);
  const [claimed, closed, deleted] = [await write(), await write(), await write()];
  const isWaiting = ({ id }: Written) => RuleRunModel.exists({ chat: id, waitingSince: { $exists: true } });
  for (const chat of [claimed, closed, deleted]) await until(() => isWaiting(chat));
  await ask(`POST /chats/${claimed.id}/claim`);
  await ask(`POST /chats/${closed.id}/close`);
  await ask(`DELETE /chats/${deleted.id}`);
  await until(async () => !(await isWaiting(deleted)));
  for (const { id } of [closed, claimed]) await wait(id);
  await logged(1);
  await until(async () => !(await isWaiting(closed)));
  expect(await log()).toMatchObject([{ chatId: claimed.id, actions: [{ outcome: 'done' }, { outcome: 'refused' }] }]);
});

test('rules apply where their conditions hold, to visitors alone, and not to what was before them', async () => {
  const before = await write('refund');
  await until(async () => (await row(before.id)).lastSeq > 0);
  await rule('message', [tag('money')], { conditions: { words: ['REFUND'], hours: 'open', departments: ['none'] } });
  await rule('message', [tag('never')], { conditions: { words: ['refund'], hours: 'closed' } });
  const chat = await write('Hello');
  await before.send('And another thing');
  await ask(`POST /chats/${before.id}/message`, { text: 'A refund?' });
  await chat.send('A ｒｅｆｕｎｄ, please');
  await logged(1);
  await settled();
  expect(await log()).toMatchObject([{ chatId: chat.id, visitorName: 'Vera' }]);
  expect([(await row(before.id)).tags, (await row(chat.id)).tags]).toEqual([[], ['money']]);
  await ask(`DELETE /chats/${chat.id}`);
  await until(async () => (await log()).length === 0);
});

/** The same choices at each run. */
function choices(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * max);
  };
}

test('whatever rules there are, none follows from what a rule did', async () => {
  const choose = choices(1);
  const { department, webhook, reply, member } = named;
  const all: (() => RuleAction)[] = [
    () => ({ do: 'department', department }),
    () => tag(`tag ${choose(5)}`),
    () => ({ do: 'assign', member }),
    () => ({ do: 'snooze', minutes: 1 + choose(60) }),
    () => ({ do: 'mail', members: [member] }),
    () => ({ do: 'webhook', webhook }),
    () => ({ do: 'reply', reply }),
  ];
  const rules = Array.from({ length: 12 }, () => RULE_EVENTS[choose(RULE_EVENTS.length)] ?? 'message');
  for (const event of rules)
    await rule(
      event,
      Array.from({ length: 1 + choose(4) }, () => (all[choose(all.length)] ?? (() => tag('x')))()),
    );
  const happened: Record<RuleEvent, number> = { opened: 0, message: 0, unanswered: 0, closed: 0, rated: 0 };
  for (let chats = 0; chats < 3; chats++) {
    const chat = await write();
    happened.opened++;
    for (let more = choose(3); more > 0; more--, happened.message++) await chat.send('More');
    happened.message++;
    await settled();
    if (rules.includes('unanswered') && choose(2) === 0) {
      await wait(chat.id);
      happened.unanswered++;
      await until(async () => !(await RuleRunModel.exists({ chat: chat.id, waitingSince: { $exists: true } })));
    }
    if (choose(2) === 0) continue;
    await ask(`POST /chats/${chat.id}/close`);
    await rate(chat, 1 + choose(5));
    happened.closed++;
    happened.rated++;
  }
  await settled();
  for (const event of RULE_EVENTS) {
    const count = rules.filter((each) => each === event).length;
    const done = await RuleRunModel.countDocuments({ site: site._id, event, doneAt: { $exists: true } });
    expect([event, done]).toEqual([event, happened[event] * count]);
  }
});
