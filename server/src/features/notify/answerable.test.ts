import { Types } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, createSite, join, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Mailbox, mailingInto, startMailbox } from '#test/mailbox';
import { connectStaff, hangUp } from '#test/sockets';
import type { VisitorSession } from '../../../contract.ts';
import { ReplyAddressModel } from '../mailin/replyAddresses.ts';
import type { Site } from '../sites/contract.ts';
import { VisitorModel } from '../visitors/model.ts';
import { NoticeModel } from './model.ts';

const MINUTE_MS = 60_000;
const ABOVE = '- - - Please write your answer above this line - - -';
const REPLY_TO = /^chat\+[a-z2-7]{26}@in\.example\.com$/;

let box: Mailbox;
let server: TestServer;
let owner: Account;
let ben: Account;
let site: Site;
let vera: VisitorSession;
let email: string;
let chatId: string;
let count = 0;

beforeAll(async () => {
  box = await startMailbox();
  const address = { local: 'chat', domain: 'in.example.com' };
  const mailIn = { address, imap: null, listener: null, secret: 'a-secret-of-programs' };
  server = await startServer({ ...mailingInto(box), mailIn, sitesPerAccount: 1000 });
  [owner, ben] = await Promise.all([signUp(server.api, 'Olga'), signUp(server.api, 'Ben')]);
});
afterAll(async () => {
  await server.stop();
  await box.stop();
});
beforeEach(async () => {
  hangUp();
  box.refuse(null);
  site = await createSite(server.api, owner.token, `Shop ${++count}`);
  const body = { settings: { autoAssign: false } };
  await server.api(`PATCH /sites/${site._id}`, { token: owner.token, body });
  await join(site, ben, 'agent');
  ({ vera, email, chatId } = await asked());
});

async function asked(speaks = 'en') {
  const email = `vera${++count}@example.com`;
  const vera = await visit(server.api, site, { visitor: { name: 'Vera', email }, speaks });
  return { email, vera, chatId: await say(server.api, site, vera, 'Is it back?') };
}

const mailsTo = (address: string) => box.mails.filter(({ to }) => to?.[0]?.address === address);
const person = () => VisitorModel.findById(vera.visitor._id).lean();
const notice = () => NoticeModel.findById(`${chatId}:answer`).lean();

/** Answers, and lets the time pass after which the visitor is mailed. */
async function answer(by: Account, content: string): Promise<void> {
  const { body } = await server.api(`POST /chats/${chatId}/messages`, { token: by.token, body: { content } });
  await until(async () => (await notice())?.wantedSeq === body.data.message.seq);
  server.advance(2 * MINUTE_MS + 1);
}

const mailed = (number = 1) => until(async () => mailsTo(email)[number - 1]);

test('a mail to a visitor can be answered, and says so', async () => {
  await answer(owner, 'Yes');
  const mail = await mailed();
  expect(mail.replyTo).toEqual([{ name: '', address: expect.stringMatching(REPLY_TO) }]);
  expect(mail.text?.startsWith(`${ABOVE}\n\nHello Vera`)).toBe(true);
  expect(mail.html?.indexOf(ABOVE)).toBeLessThan(mail.html?.indexOf('Hello Vera') ?? 0);
  expect(mail.text).toContain('Answer this mail, or continue the chat by the link');
  expect(mail.text).not.toContain('are not read');
  expect(mail.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }));
  const [token = ''] = mail.replyTo?.[0]?.address?.match(/[a-z2-7]{26}/) ?? [];
  expect(await ReplyAddressModel.findById(token).lean()).toMatchObject({
    chat: new Types.ObjectId(chatId),
    user: null,
    to: email,
    sentIds: [mail.messageId],
  });
});

test('all mails about a chat are one thread, whoever answers, also after an answer by mail', async () => {
  await answer(owner, 'Yes');
  const first = await mailed();
  await ReplyAddressModel.updateOne(
    { chat: new Types.ObjectId(chatId) },
    { $set: { lastAnswer: { id: '<hers@example.com>', digest: '', inReplyTo: '', at: new Date() } } },
  );
  await answer(ben, 'In blue');
  const second = await mailed(2);
  expect([second.subject, second.replyTo]).toEqual([first.subject, first.replyTo]);
  expect(first.references).toBe(`<${chatId}@in.example.com>`);
  expect(second.references).toBe(`<${chatId}@in.example.com> <hers@example.com>`);
  expect(second.inReplyTo).toBe('<hers@example.com>');
});

test('the line above which one answers is in the language of the mail', async () => {
  ({ vera, email, chatId } = await asked('ar'));
  await answer(owner, 'نعم');
  const { text, html } = await mailed();
  expect(text?.startsWith('- - - يرجى كتابة ردك فوق هذا السطر - - -\n')).toBe(true);
  expect(html).toMatch(/<p lang="ar" dir="rtl" style="[^"]*">- - - يرجى/);
});

test('a copy of the chat cannot be answered', async () => {
  await server.api(`POST /chats/${chatId}/messages`, { token: owner.token, body: { content: 'Yes' } });
  await until(notice);
  const copy = { token: vera.visitorToken, body: { chatId, email } };
  expect(await server.api(`POST /widget/${site.widgetCode}/transcript`, copy)).toMatchObject({ status: 200 });
  const mail = await mailed();
  expect(mail.subject).toBe(`Your chat with ${site.name}`);
  expect([mail.replyTo, mail.text?.includes(ABOVE)]).toEqual([undefined, false]);
});

test('an address that the mail server does not know is mailed no more, until somebody tries it again', async () => {
  box.refuse(550);
  await answer(owner, 'Yes');
  expect(await until(async () => (await person())?.bounced)).toMatchObject({ email, status: '5.1.1' });
  box.refuse(null);
  await answer(owner, 'In blue');
  await until(async () => (await notice())?.doneAt);
  expect(mailsTo(email)).toEqual([]);
  await server.api(`DELETE /visitors/${vera.visitor._id}/bounce`, { token: owner.token });
  await answer(owner, 'And green');
  expect((await mailed()).text).toContain('> And green');
});

test('a server that does not let the mail through, or for now, says nothing about the address', async () => {
  box.refuse(554);
  await answer(owner, 'Yes');
  await until(async () => (await notice())?.doneAt);
  box.refuse(null);
  await answer(owner, 'In blue');
  await mailed();
  expect(await person()).not.toHaveProperty('bounced');
});

const wantAnswers = (answerByMail: boolean) =>
  server.api('PATCH /settings', { token: ben.token, body: { section: 'notifications', data: { answerByMail } } });

test('members answer by mail if they have chosen to, and only mails about one chat', async () => {
  await connectStaff(server.url, owner.token);
  const waiting = async () => {
    chatId = (await asked()).chatId;
    await until(async () => NoticeModel.exists({ _id: `${chatId}:team`, dueAt: { $exists: true } }));
  };
  const next = async (number: number) => {
    server.advance(10 * MINUTE_MS);
    return until(async () => mailsTo(ben.user.email).filter(({ subject }) => subject?.endsWith(site.name))[number - 1]);
  };
  await NoticeModel.deleteMany({ site: new Types.ObjectId(site._id) });
  await waiting();
  const usual = await next(1);
  expect([usual.replyTo, usual.text?.includes(ABOVE)]).toEqual([undefined, false]);
  await wantAnswers(true);
  await waiting();
  const one = await next(2);
  expect(one.replyTo?.[0]?.address).toMatch(REPLY_TO);
  expect(one.text?.startsWith(ABOVE)).toBe(true);
  expect(one.text).toContain('Answer this mail, and Vera reads it in the chat.');
  expect(await ReplyAddressModel.findOne({ chat: new Types.ObjectId(chatId) }).lean()).toMatchObject({
    user: new Types.ObjectId(ben.user._id),
    to: ben.user.email.toLowerCase(),
  });
  await waiting();
  await waiting();
  const several = await next(3);
  expect([several.replyTo, several.text?.includes(ABOVE)]).toEqual([undefined, false]);
});
