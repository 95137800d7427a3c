import type { AnswerSource, PublishedArticle } from 'server/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { find, leave, parley, press, texts, visit, write } from './page.ts';
import { type StandIn, startStandIn } from './standin.ts';
import { waitFor } from './wait.ts';

const SOURCE: AnswerSource = { title: 'Returns', article: 'a1', lang: 'en', url: 'https://shop.example/help/returns' };
const ARTICLE: PublishedArticle = {
  _id: 'a1',
  lang: 'en',
  slug: 'returns',
  title: 'Returns',
  excerpt: '',
  url: SOURCE.url ?? '',
  category: null,
  updatedAt: '2026-11-01T00:00:00.000Z',
  nodes: [['p', {}, 'Within thirty days.']],
};
const FIRST = 'You have thirty days. ';
const SECOND = 'The label is free.';

let server: StandIn;

beforeEach(async () => {
  server = await startStandIn();
  server.config.assistant = { name: 'Nova' };
  server.answers['GET /articles/a1'] = { article: ARTICLE };
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
});
afterEach(async () => {
  leave();
  localStorage.clear();
  sessionStorage.clear();
  vi.restoreAllMocks();
  await server.stop();
});

/** Without the dots that stand for what is to come. */
const bubbles = () => texts('.bubble:not([hidden]) .text').map((text) => text.replace('•••', ''));
const spoken = () => texts('.panel > .spoken p').map((text) => text.trim());
const asked = (event: string) => server.asks.filter(([name]) => name === event).map(([, ask]) => ask);

async function openPanel(): Promise<void> {
  visit(server);
  await waitFor(() => find('.launcher').click());
  await waitFor(() => expect(find('.panel').hidden).toBe(false));
}

/** Opens the panel of a site with the assistant. */
async function meet(): Promise<void> {
  await openPanel();
  await waitFor(() => expect(find('.assistant').hidden).toBe(false));
}

async function ask(question = 'How do I return it?'): Promise<string> {
  await meet();
  write(question);
  await waitFor(() => expect(server.messages).toHaveLength(1));
  await waitFor(() => expect(texts('.foot.sent')).toHaveLength(1));
  return server.messages[0]?.chatId ?? '';
}

test('a site without an assistant loads nothing of it', async () => {
  delete server.config.assistant;
  await openPanel();
  write('Hello');
  await waitFor(() => expect(server.messages).toHaveLength(1));
  expect(texts('.assistant')).toEqual([]);
});

test('says what it is before anybody has written, with the way to a person', async () => {
  await meet();
  expect(texts('.assistant > div')).toEqual(['NovaI am an automatic assistant.']);
  expect(find('.person').textContent).toBe('Talk to a person');
  expect(find('textarea').getAttribute('aria-describedby')).toBe(find('.assistant > div').id);
});

test('speaks the language of the page, and has a name there where the site has none', async () => {
  server.config.assistant = { name: '' };
  document.documentElement.lang = 'ar';
  await meet();
  expect(texts('.assistant > div')).toEqual(['المساعدأنا مساعد آلي.']);
  document.documentElement.lang = '';
});

test('shows and reads each sentence once, and the stored answer takes their place', async () => {
  await ask();
  server.run('r1');
  await waitFor(() => expect(bubbles()).toHaveLength(3));
  server.sentence('r1', FIRST.length, FIRST);
  await waitFor(() => expect(bubbles()[2]).toBe(FIRST));
  server.sentence('r1', FIRST.length + SECOND.length, SECOND);
  await waitFor(() => expect(bubbles()[2]).toBe(FIRST + SECOND));
  server.answer(FIRST + SECOND, [SOURCE]);
  await waitFor(() => expect(texts('.sources li')).toEqual(['Returns']));
  expect(bubbles()).toEqual(['Hello!', 'How do I return it?', `${FIRST}${SECOND}Returns`]);
  expect(texts('.author')).toContain('Nova');
  expect(spoken()).toEqual(['Looking for an answer…', FIRST.trim(), SECOND]);
});

test('after a part that got lost, it waits for the whole answer, and reads what was not read', async () => {
  await ask();
  server.run('r1');
  server.sentence('r1', FIRST.length, FIRST);
  server.sentence('r1', 100, 'The end.');
  await waitFor(() => expect(bubbles()[2]).toBe(FIRST));
  server.answer(FIRST + SECOND, [SOURCE]);
  await waitFor(() => expect(spoken()).toEqual(['Looking for an answer…', FIRST.trim(), SECOND]));
});

test('a corrected question begins the answer anew', async () => {
  await ask();
  server.run('r1');
  server.sentence('r1', FIRST.length, FIRST);
  await waitFor(() => expect(bubbles()[2]).toBe(FIRST));
  server.run('r2');
  server.sentence('r2', SECOND.length, SECOND);
  await waitFor(() => expect(bubbles()[2]).toBe(SECOND));
});

test('a page that is loaded in the middle of an answer shows that one is on its way', async () => {
  await ask();
  server.run('r1');
  await waitFor(() => expect(bubbles()).toHaveLength(3));
  leave();
  visit(server);
  parley().open();
  await waitFor(() => expect(bubbles()).toEqual(['Hello!', 'How do I return it?', '']));
  server.sentence('r1', FIRST.length + SECOND.length, SECOND);
  server.answer(FIRST + SECOND, [SOURCE]);
  await waitFor(() => expect(bubbles()[2]).toBe(`${FIRST}${SECOND}Returns`));
  expect(bubbles()).toHaveLength(3);
});

test('a source opens in the widget where it shows articles, else beside the page', async () => {
  await ask();
  server.answer(FIRST, [SOURCE, { ...SOURCE, title: 'Costs', url: null }]);
  await waitFor(() => expect(texts('.sources li')).toEqual(['Returns', 'Costs']));
  expect(find<HTMLAnchorElement>('.sources a').href).toBe(SOURCE.url);
  find('.sources button').click();
  await waitFor(() => expect(texts('.article')).toEqual(['Within thirty days.']));
});

test('asks once whether the newest answer helped', async () => {
  const chatId = await ask();
  server.answer(FIRST, [SOURCE]);
  await waitFor(() => expect(texts('.judged')).toEqual(['Did this help?YesNo']));
  press('No');
  await waitFor(() => expect(texts('.judged')).toEqual(['Then ask in other words, or talk to a person.']));
  expect(asked('answer_helped')).toEqual([{ chatId, seq: 2, helped: false }]);
  write('And what does it cost?');
  await waitFor(() => expect(find('.judged').hidden).toBe(true));
  await waitFor(() => expect(server.messages).toHaveLength(3));
  server.answer(SECOND, [SOURCE]);
  await waitFor(() => expect(texts('.judged')).toEqual(['Did this help?YesNo']));
  press('Yes');
  await waitFor(() => expect(texts('.judged')).toEqual(['Thank you.']));
  leave();
  visit(server);
  parley().open();
  await waitFor(() => expect(texts('.sources li')).toHaveLength(2));
  await waitFor(() => expect(find('.assistant').hidden).toBe(false));
  expect(find('.judged').hidden).toBe(true);
});

test('what could not be told stays a question', async () => {
  await ask();
  server.answer(FIRST, [SOURCE]);
  await waitFor(() => expect(find('.judged').hidden).toBe(false));
  server.refusal = 'LIMITED';
  press('Yes');
  await waitFor(() => expect(texts('.notice')).toEqual(['That did not work. Please try again.']));
  expect(texts('.judged')).toEqual(['Did this help?YesNo']);
});
