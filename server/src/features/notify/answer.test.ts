import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, createSite, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Mailbox, mailingInto, PUBLIC_URL, startMailbox } from '#test/mailbox';
import { connectVisitor, hangUp } from '#test/sockets';
import type { VisitorSession } from '../../../contract.ts';
import { MailModel } from '../../platform/mail/model.ts';
import type { Site } from '../sites/contract.ts';
import { VisitorModel } from '../visitors/model.ts';
import { NoticeModel } from './model.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let box: Mailbox;
let server: TestServer;
let owner: Account;
let site: Site;
let vera: VisitorSession;
let email: string;
let chatId: string;
let count = 0;
const log: string[] = [];

beforeAll(async () => {
  box = await startMailbox();
  const logTo = { write: (line: string) => void log.push(line) };
  server = await startServer({ ...mailingInto(box), sitesPerAccount: 1000, logLevel: 'warn' }, { logTo });
});
afterAll(async () => {
  await server.stop();
  await box.stop();
});
beforeEach(async () => {
  hangUp();
  box.refuse(null);
  log.length = 0;
  owner = await signUp(server.api, 'Olga');
  site = await createSite(server.api, owner.token, `Shop ${++count}`);
  email = `vera${count}@example.com`;
  vera = await visit(server.api, site, { visitor: { name: 'Vera', email } });
  chatId = await say(server.api, site, vera, 'Is it back?');
});

const notice = () => NoticeModel.findById(`${chatId}:answer`).lean();
const mails = () => box.mails.filter(({ to }) => to?.[0]?.address === email);

/** Answers, and waits until the visitor's mail is planned. */
async function answer(content: string): Promise<number> {
  const { body } = await server.api(`POST /chats/${chatId}/messages`, { token: owner.token, body: { content } });
  const { seq } = body.data.message;
  await until(async () => (await notice())?.wantedSeq === seq);
  return seq;
}

/** Changes the newest answer, or one before it. */
async function change(call: 'PATCH' | 'DELETE', content?: string, at = -1): Promise<void> {
  const { body } = await server.api(`GET /chats/${chatId}/messages`, { token: owner.token });
  const { _id } = body.data.messages.at(at);
  await server.api(`${call} /chats/${chatId}/messages/${_id}`, { token: owner.token, body: { content } });
}

async function mailed(number = 1) {
  server.advance(2 * MINUTE_MS + 1);
  return until(async () => mails()[number - 1]);
}

/** The way back that the mail shows: the site and the secret. */
function linkIn(text = ''): { path: string; token: string } {
  const [, path = '', token = ''] = text.match(/^https:\/\/chat\.example\.com(\/c\/[0-9a-f]{24})#(\S+)$/m) ?? [];
  return { path, token };
}

const resume = (token: string, at = site) => server.api(`POST /widget/${at._id}/resume`, { body: { token } });

test('answers within two minutes are in one mail, later ones in the next', async () => {
  await answer('Yes');
  await answer('<b>In</b> blue\n-- \nhttps://evil.example');
  const mail = await mailed();
  expect(mail.from).toEqual({ name: site.name, address: 'chat@example.com' });
  expect(mail.subject).toBe(`${site.name} replied to you`);
  expect(mail.text).toContain('Olga:\n> Yes\n\nOlga:\n> <b>In</b> blue\n> --\n> https://evil.example');
  expect(mail.text).not.toContain('Is it back?');
  expect(mail.html).toContain('&lt;b&gt;In&lt;/b&gt; blue');
  await answer('Come by');
  const second = await mailed(2);
  expect(second.text).toContain('> Come by');
  expect(second.text).not.toContain('> Yes');
});

test('a mail has the corrected text of an answer, and nothing of a deleted one', async () => {
  await answer('Yes');
  await answer('We close at zwanzig');
  await change('PATCH', 'We close at eight');
  await answer('The password is geheim');
  await change('DELETE');
  const { text } = await mailed();
  expect(text).toContain('Olga:\n> Yes\n\nOlga:\n> We close at eight');
  for (const gone of ['zwanzig', 'geheim']) expect(text).not.toContain(gone);
});

/** Waits until the mail server has refused so many mails of this test, and they wait for the next try. */
const refused = (count: number) => until(async () => log.filter((line) => /not accepted/.test(line)).length >= count);
const isOver = async () => (await MailModel.countDocuments({ about: chatId })) === 0;

test('a mail that waits for the mail server follows its messages, and is not sent once all are deleted', async () => {
  box.refuse(451);
  await answer('We close at zwanzig');
  await answer('The password is geheim');
  server.advance(2 * MINUTE_MS + 1);
  await refused(1);
  const transcript = { chatId, email: `copy-${email}` };
  await server.api(`POST /widget/${site.widgetCode}/transcript`, { token: vera.visitorToken, body: transcript });
  await refused(2);
  await change('DELETE');
  await change('PATCH', 'We close at eight', -2);
  box.refuse(null);
  const mail = await mailed();
  await until(isOver);
  const copy = box.mails.find(({ to }) => to?.[0]?.address === transcript.email);
  expect(mail.text).toContain(':\n\nOlga:\n> We close at eight\n\nContinue the chat');
  expect(copy?.text).toMatch(/UTC \(edited\):\n> We close at eight\n\nOlga, .* UTC:\n> Message deleted/);
  for (const { text } of [mail, copy ?? mail]) expect(text).not.toMatch(/zwanzig|geheim/);

  chatId = await say(server.api, site, await visit(server.api, site, { visitor: { name: 'Ida', email } }), 'Hello');
  box.refuse(451);
  await answer('Wrong window');
  server.advance(2 * MINUTE_MS + 1);
  await refused(3);
  await change('DELETE');
  box.refuse(null);
  server.advance(2 * MINUTE_MS);
  await until(isOver);
  expect(mails()).toHaveLength(1);
});

test("a team's mail that waits is not sent once the visitor has deleted the message", async () => {
  const team = () => box.mails.filter(({ to }) => to?.[0]?.address === owner.user.email);
  box.refuse(451);
  await until(async () => NoticeModel.exists({ _id: `${chatId}:team` }));
  server.advance(4 * MINUTE_MS);
  await refused(1);
  const [message] = (await server.api(`GET /chats/${chatId}/messages`, { token: owner.token })).body.data.messages;
  const widget = await connectVisitor(server.url, vera.visitorToken);
  expect(await widget.ask('delete_message', { chatId, messageId: message._id })).toMatchObject({ ok: true });
  box.refuse(null);
  server.advance(2 * MINUTE_MS);
  await until(isOver);
  expect(team()).toEqual([]);
});

test('a visitor who has read the answer, is online or left no address gets no mail', async () => {
  const widget = await connectVisitor(server.url, vera.visitorToken);
  const seq = await answer('Yes');
  const dueAt = (await notice())?.dueAt?.getTime() ?? 0;
  server.advance(2 * MINUTE_MS + 1);
  // Put off, and not only taken up.
  await until(async () => ((await notice())?.dueAt?.getTime() ?? 0) > dueAt + 1.5 * MINUTE_MS);
  await widget.ask('read', { chatId, seq });
  server.advance(2 * MINUTE_MS + 1);
  await until(async () => (await notice())?.doneAt);

  const nobody = await visit(server.api, site);
  const silent = await say(server.api, site, nobody, 'Hello?');
  await server.api(`POST /chats/${silent}/messages`, { token: owner.token, body: { content: 'Hi' } });
  await answer('One more');
  expect(await NoticeModel.exists({ _id: `${silent}:answer` })).toBeNull();
  expect(mails()).toEqual([]);
});

test('the link opens the same chat on another device, and both devices continue it', async () => {
  await answer('Yes');
  const { path, token } = linkIn((await mailed()).text);
  expect(path).toBe(`/c/${site._id}`);
  const { visitorToken } = (await resume(token)).body.data;
  expect(visitorToken).not.toBe(vera.visitorToken);
  for (const held of [visitorToken, vera.visitorToken]) {
    const again = await visit(server.api, site, { visitorToken: held });
    expect(again).toMatchObject({ visitorToken: held, visitor: { _id: vera.visitor._id }, chat: { _id: chatId } });
  }
  const phone = await connectVisitor(server.url, visitorToken);
  const sent = { clientId: crypto.randomUUID(), content: 'From my phone' };
  expect(await phone.ask('send_message', sent)).toMatchObject({ ok: true, message: { chatId } });
  const plan = await VisitorModel.find({ linkHashes: 'x' }).explain();
  expect(JSON.stringify(plan)).toContain('IXSCAN');
});

test("the server's own page shows the widget of a site with allowed domains, and does not count as an installation", async () => {
  const as = { token: owner.token };
  await server.api(`PATCH /sites/${site._id}`, { ...as, body: { settings: { allowedDomains: ['shop.example.com'] } } });
  const open = (origin: string) =>
    server.api(`POST /widget/${site._id}/session`, {
      body: { visitorToken: vera.visitorToken, page: { url: `${PUBLIC_URL}/c/${site._id}`, title: '' } },
      headers: { Origin: origin },
    });
  expect((await open('https://evil.example')).status).toBe(403);
  expect((await open(PUBLIC_URL)).status).toBe(200);
  await expect(connectVisitor(server.url, vera.visitorToken, { Origin: 'https://evil.example' })).rejects.toThrow();
  await connectVisitor(server.url, vera.visitorToken, { Origin: PUBLIC_URL });
  // Had the own page been written down, another would not be for a minute.
  await open('https://shop.example.com');
  await until(async () => {
    const { body } = await server.api(`GET /sites/${site._id}/installation`, as);
    return body.data.installation.origin === 'https://shop.example.com';
  });
});

test('a forged, foreign or old link is refused, and one of an erased visitor', async () => {
  await answer('Yes');
  const { token } = linkIn((await mailed()).text);
  const other = await createSite(server.api, owner.token, 'Other');
  const [head, claims, mark] = token.split('.');
  const forged = [head, Buffer.from('{"sub":"a","exp":9999999999}').toString('base64url'), mark].join('.');
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`;
  for (const wrong of ['x', forged, unsigned, owner.token])
    expect((await resume(wrong)).body).toMatchObject({ success: false, code: 'LINK_EXPIRED' });
  expect((await resume(token, other)).status).toBe(401);
  const held = (await resume(token)).body.data.visitorToken;
  await server.api(`DELETE /widget/${site.widgetCode}/me`, { token: held });
  expect((await resume(token)).status).toBe(401);
  const message = { token: held, body: { clientId: crypto.randomUUID(), content: 'Hi' } };
  expect((await server.api(`POST /widget/${site.widgetCode}/messages`, message)).status).toBe(401);
});

test('unsent mails of an erased visitor are deleted', async () => {
  box.refuse(451);
  await answer('Yes');
  server.advance(2 * MINUTE_MS + 1);
  const waiting = { about: vera.visitor._id };
  await until(async () => (await MailModel.countDocuments(waiting)) === 1);
  await server.api(`DELETE /widget/${site.widgetCode}/me`, { token: vera.visitorToken });
  expect(await MailModel.countDocuments(waiting)).toBe(0);
  expect(await NoticeModel.countDocuments({ chat: chatId })).toBe(0);
});

// The last one: messages have the time of the machine, so answers are out of date for a server that is weeks ahead.
test('a link expires after two weeks', async () => {
  await answer('Yes');
  const { token } = linkIn((await mailed()).text);
  server.advance(13 * DAY_MS);
  expect((await resume(token)).status).toBe(200);
  server.advance(DAY_MS);
  expect((await resume(token)).status).toBe(401);
});
