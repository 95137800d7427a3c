import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSite, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import type { MailDraft } from '../../platform/mail/texts.ts';
import { createSessions } from '../auth/sessions.ts';
import { type ChatDoc, ChatModel } from '../chats/model.ts';
import { createPresence } from '../presence/presence.ts';
import { createResumeLinks } from '../visitors/session/session.ts';
import { createActionTokens } from './actionTokens.ts';
import { createNoticeQueue } from './delivery.ts';
import { type NoticeDoc, NoticeModel, type NotifyDeps } from './model.ts';
import { ANSWER_AFTER_MS, scheduleAnswerMail } from './schedule.ts';

let server: TestServer;

beforeAll(async () => {
  // It mails nothing itself: the test decides what happens while a mail is being written.
  server = await startServer();
});
afterAll(() => server.stop());

/** A chat of a visitor who left an address. */
async function openChat() {
  const { token } = await signUp(server.api, 'Olga');
  const site = await createSite(server.api, token);
  const vera = await visit(server.api, site, { visitor: { name: 'Vera', email: 'vera@example.com' } });
  const chatId = await say(server.api, site, vera, 'Is it back?');
  const begun = Date.now();
  /** Answers, and has it mailed at once. */
  async function answer(content: string): Promise<void> {
    const { body } = await server.api(`POST /chats/${chatId}/messages`, { token, body: { content } });
    const { seq } = body.data.message;
    const chat = await until(async () => ChatModel.findOne({ _id: chatId, lastSeq: seq }).lean<ChatDoc>());
    await scheduleAnswerMail(chat, seq, begun - 2 * ANSWER_AFTER_MS);
  }
  return { chatId, answer };
}

function depsWith(send: NotifyDeps['mail']['send'], now: () => number): NotifyDeps {
  return {
    mail: {
      enabled: true,
      sendNow: async () => {},
      start: () => {},
      messageId: () => '',
      forget: async () => {},
      stop: async () => {},
      send,
    },
    push: { ...({} as NotifyDeps['push']) },
    presence: createPresence({ graceMs: 0 }),
    sessions: createSessions({ secret: 'x'.repeat(32), now }),
    links: createResumeLinks({ secret: 'x'.repeat(32), now }),
    mailIn: null,
    actionTokens: createActionTokens({ secret: 'x'.repeat(32), now }),
    now,
  };
}

test('an answer that arrives while a mail is being prepared is in the next mail, without the earlier ones', async () => {
  const { answer } = await openChat();
  const mails: MailDraft[] = [];
  const send = async (content: MailDraft) => {
    if (mails.push(content) === 1) await answer('In blue');
  };
  await answer('Yes');
  const queue = createNoticeQueue(depsWith(send, Date.now), 20);
  queue.start();
  await until(async () => mails.length > 1);
  await queue.stop();
  const quoted = mails.map(({ text }) => text.flatMap((part) => ('by' in part ? [part.text] : [])));
  expect(quoted).toEqual([['Yes'], ['In blue']]);
});

test('a notice that cannot be written is tried again later each time, and given up in the end', async () => {
  const { chatId, answer } = await openChat();
  await answer('Yes');
  let now = Date.now();
  let tries = 0;
  const send = async () => {
    tries++;
    throw new Error('out of order');
  };
  const queue = createNoticeQueue(
    depsWith(send, () => now),
    20,
  );
  queue.start();
  const given = await until(async () => {
    const notice = await NoticeModel.findById(`${chatId}:answer`).lean<NoticeDoc>();
    if (notice?.dueAt && notice.takes === undefined) now = Math.max(now, notice.dueAt.getTime());
    return notice?.doneAt && notice;
  });
  await queue.stop();
  expect([tries, given.attempts, given.dueAt]).toEqual([10, 10, undefined]);
});
