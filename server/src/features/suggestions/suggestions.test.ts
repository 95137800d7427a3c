import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, createSite, join, say, signUp, until, visit } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { openHelpCenter, publish } from '#test/helpCenter';
import { COLUMNS, endedImport, PLAN, uploadHistory } from '#test/pastChats';
import type { Site, Suggestion, VisitorSession } from '../../../contract.ts';

let server: TestServer;
let owner: Account;
let site: Site;

const QUESTION = 'My lantern arrived with broken glass, can I get a replacement?';
const ANSWER = 'I am sorry about that. We send you a new glass today, free of charge.';
const AGAIN = 'Hello, the glass of the lantern is broken, do I get a replacement for it?';

beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.api);
});
afterAll(() => server.stop());
beforeEach(async () => {
  site = await createSite(server.api, owner.token);
  await as('PATCH', `/sites/${site._id}/assistant`, { step: 'suggest', rev: 0 });
});

async function as(method: string, path: string, body?: object, { token } = owner) {
  const answer = await server.api(`${method} ${path}`, { token, ...(body && { body }) });
  expect([path, answer.status < 300]).toEqual([path, true]);
  return answer.body.data;
}
const answer = (chat: string, content: string) =>
  as('POST', `/chats/${chat}/messages`, { clientId: randomUUID(), content });
const suggestions = async (chat: string, account = owner): Promise<Suggestion[]> =>
  (await as('GET', `/chats/${chat}/suggestions`, undefined, account)).suggestions;
const ask = async (content: string, session?: VisitorSession) =>
  say(server.api, site, session ?? (await visit(server.api, site)), content);

/** A chat in which a question was answered, closed. */
async function answered(question = QUESTION, text = ANSWER) {
  const session = await visit(server.api, site);
  const chat = await ask(question, session);
  const { message } = await answer(chat, text);
  await as('POST', `/chats/${chat}/close`);
  return { chat, session, message };
}

/** Waits until a chat has suggestions with exactly these texts. */
const suggests = (chat: string, texts: string[], account = owner) =>
  until(async () => {
    const found = await suggestions(chat, account);
    return JSON.stringify(found.map(({ text }) => text)) === JSON.stringify(texts) && found;
  });

test('suggests what was answered before, with its chat, until somebody answers', async () => {
  const before = await answered();
  const chat = await ask(AGAIN);
  expect(await suggests(chat, [ANSWER])).toEqual([
    { id: `${before.chat}.1.2`, kind: 'pair', title: QUESTION, text: ANSWER, chatId: before.chat },
  ]);
  await answer(chat, 'One moment.');
  expect(await suggestions(chat)).toEqual([]);
  await as('POST', `/chats/${chat}/close`);
  expect(await suggestions(chat)).toEqual([]);
});

test('suggests replies, articles and earlier answers, one of each first, and each text once', async () => {
  await openHelpCenter(site);
  const article = await publish(site, { en: { title: 'Broken glass', text: 'We replace the glass of a lantern.' } });
  const reply = {
    siteId: site._id,
    shortcut: 'broken-glass',
    content: 'Is the glass of your lantern broken? Send us a picture.',
  };
  await as('POST', '/canned-replies', reply);
  await answered();
  await answered('The glass of the lantern is broken, what now?', reply.content);
  const found = await until(async () => {
    const some = await suggestions(await ask(AGAIN));
    return some.length === 3 && some;
  });
  expect(found.map(({ kind }) => kind)).toEqual(['reply', 'article', 'pair']);
  expect(found[0]).toMatchObject({ title: '/broken-glass', text: reply.content });
  expect(found[1]).toMatchObject({
    id: article,
    title: 'Broken glass',
    url: expect.stringMatching(/^http.*broken-glass$/),
  });
  expect(found[2]).toMatchObject({ text: ANSWER });
});

test('a personal reply is suggested to its owner alone', async () => {
  const ben = await signUp(server.api, 'Ben Okafor');
  await join(site, ben, 'agent');
  const content = 'The glass of a lantern that is broken gets a replacement.';
  await as('POST', '/canned-replies', { siteId: site._id, shortcut: 'glass', content, personal: true }, ben);
  const chat = await ask(AGAIN);
  await suggests(chat, [content], ben);
  expect(await suggestions(chat)).toEqual([]);
});

test('greetings, short answers and open chats are no answers from before', async () => {
  await answered('Hello!', 'Good morning, how can we help you with your lantern?');
  await answered(QUESTION, 'Yes.');
  await answer(await ask(QUESTION), ANSWER);
  expect(await suggestions(await ask(AGAIN))).toEqual([]);
});

test('a site that stops at links has no suggestions, and neither have viewers', async () => {
  await answered();
  const chat = await ask(AGAIN);
  await suggests(chat, [ANSWER]);
  await as('PATCH', `/sites/${site._id}/assistant`, { step: 'links', rev: 1 });
  expect(await suggestions(chat)).toEqual([]);
  const viewer = await signUp(server.api, 'Vic Stone');
  await join(site, viewer, 'viewer');
  expect((await server.api(`GET /chats/${chat}/suggestions`, { token: viewer.token })).status).toBe(403);
});

test('what was corrected is suggested as it reads now, and what was deleted is not', async () => {
  const { chat: past, message } = await answered();
  const chat = await ask(AGAIN);
  await suggests(chat, [ANSWER]);
  const path = `/chats/${past}/messages/${message._id}`;
  const corrected = 'We send you a new glass for the lantern tomorrow.';
  // At the same time: whoever asks gets the one text or the other, and then the new one.
  const [found] = await Promise.all([suggestions(chat), as('PATCH', path, { content: corrected })]);
  expect([[ANSWER], [corrected]]).toContainEqual(found.map(({ text }) => text));
  expect((await suggestions(chat)).map(({ text }) => text)).toEqual([corrected]);
  await as('DELETE', path);
  expect(await suggestions(chat)).toEqual([]);
});

test('an erased visitor is in no suggestion, whoever asks meanwhile, and neither is a deleted chat', async () => {
  const erased = await answered();
  const deleted = await answered(
    'Is the broken glass of a lantern a case for a replacement?',
    'Yes, it is: we send you one.',
  );
  const chat = await ask(AGAIN);
  await until(async () => (await suggestions(chat)).length === 2);
  const meanwhile = Array.from({ length: 5 }, () => suggestions(chat));
  await Promise.all([as('DELETE', `/visitors/${erased.session.visitor._id}`), ...meanwhile]);
  expect((await suggestions(chat)).map(({ chatId }) => chatId)).toEqual([deleted.chat]);
  await Promise.all([as('DELETE', `/chats/${deleted.chat}`), suggestions(chat)]);
  expect(await suggestions(chat)).toEqual([]);
});

test('a chat that is open again is no answer from before until it is closed again', async () => {
  const { chat: past } = await answered();
  const chat = await ask(AGAIN);
  await suggests(chat, [ANSWER]);
  await as('POST', `/chats/${past}/reopen`);
  expect(await suggestions(chat)).toEqual([]);
  // Two at once: whichever comes last decides, and the suggestions follow it.
  await Promise.all([as('POST', `/chats/${past}/close`), suggestions(chat)]);
  await suggests(chat, [ANSWER]);
});

test('imported chats count, too', async () => {
  const rows = [
    `c1,2024-05-06 09:00,visitor,,"${QUESTION}",p@example.com,`,
    `c1,2024-05-06 09:01,agent,Ben,"${ANSWER}",,`,
  ];
  const { _id } = await uploadHistory(server.url, owner.token, site._id, [COLUMNS, ...rows].join('\n'));
  await as('POST', `/sites/${site._id}/imports/${_id}/run`, { ...PLAN, dryRun: false });
  await endedImport(server.api, owner.token, site._id, _id);
  await suggests(await ask(AGAIN), [ANSWER]);
});

test('questions find answers in their own language', async () => {
  await answered('Wann kommt meine Bestellung bei mir an?', 'Ihre Bestellung kommt in drei bis fünf Werktagen an.');
  await answered();
  await suggests(await ask('Hallo, ich warte noch auf die Bestellung, wann kommt sie an?'), [
    'Ihre Bestellung kommt in drei bis fünf Werktagen an.',
  ]);
});

test('suggestions that were sent as they were are counted in the reports', async () => {
  const chat = await ask(AGAIN);
  await Promise.all(Array.from({ length: 3 }, () => as('POST', `/chats/${chat}/suggestions/accepted`)));
  const used = async () => (await as('GET', `/reports?siteId=${site._id}&days=90`)).suggestionsUsed;
  expect(await used()).toBe(3);
  await as('PATCH', `/sites/${site._id}/assistant`, { step: 'links', rev: 1 });
  await as('POST', `/chats/${chat}/suggestions/accepted`);
  expect(await used()).toBeNull();
});
