import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSite, say, signUp, until, visit } from '../../test/factories.ts';
import { startServer, type TestServer } from '../../test/harness.ts';
import { createSessions } from '../auth/sessions.ts';
import { type ChatDoc, ChatModel } from '../chats/model.ts';
import type { MailContent } from '../mail/template.ts';
import { createPresence } from '../presence/presence.ts';
import { createResumeLinks } from '../visitors/session.ts';
import { createActionTokens } from './actionTokens.ts';
import { deliverNotices } from './delivery.ts';
import { ANSWER_AFTER_MS, scheduleAnswerMail } from './schedule.ts';

let server: TestServer;

beforeAll(async () => {
  // It mails nothing itself: the test decides what happens while a mail is being written.
  server = await startServer();
});
afterAll(() => server.stop());

test('an answer that arrives while a mail is being prepared is in the next mail, without the earlier ones', async () => {
  const { token } = await signUp(server.api, 'Olga');
  const site = await createSite(server.api, token);
  const vera = await visit(server.api, site, { visitor: { name: 'Vera', email: 'vera@example.com' } });
  const chatId = await say(server.api, site, vera, 'Is it back?');
  const now = Date.now();
  async function answer(content: string): Promise<void> {
    const { body } = await server.api(`POST /chats/${chatId}/messages`, { token, body: { content } });
    const { seq } = body.data.message;
    const chat = await until(async () => ChatModel.findOne({ _id: chatId, lastSeq: seq }).lean<ChatDoc>());
    await scheduleAnswerMail(chat, seq, now - 2 * ANSWER_AFTER_MS);
  }

  const mails: MailContent[] = [];
  const deliver = deliverNotices({
    mail: {
      enabled: true,
      sendNow: async () => {},
      deliverDue: () => {},
      forget: async () => {},
      stop: async () => {},
      isAwaited: async () => false,
      send: async (content) => {
        if (mails.push(content) === 1) await answer('In blue');
      },
    },
    push: { ...({} as Parameters<typeof deliverNotices>[0]['push']) },
    presence: createPresence({ graceMs: 0 }),
    sessions: createSessions({ secret: 'x'.repeat(32), now: () => now }),
    links: createResumeLinks({ secret: 'x'.repeat(32), now: () => now }),
    actionTokens: createActionTokens({ secret: 'x'.repeat(32), now: () => now }),
    now: () => now,
  });
  await answer('Yes');
  await deliver(now, new AbortController().signal);
  // What came meanwhile is due when its own two minutes are over.
  await deliver(now + ANSWER_AFTER_MS, new AbortController().signal);
  const quoted = mails.map(({ text }) =>
    text.flatMap((part) => (typeof part !== 'string' && 'text' in part ? [part.text] : [])),
  );
  expect(quoted).toEqual([['Yes'], ['In blue']]);
});
