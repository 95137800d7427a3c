import type { ArticleLink, PublishedArticle } from 'server/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { find, leave, parley, texts, type, visit, write } from './page.ts';
import { type StandIn, startStandIn } from './standin.ts';
import { waitFor } from './wait.ts';

const RETURNS: ArticleLink = {
  _id: 'a1',
  lang: 'en',
  slug: 'returns',
  title: 'Send something back',
  excerpt: 'Within thirty days.',
  url: 'https://shop.example/help/shop/en/returns',
};
const ARTICLE: PublishedArticle = {
  ...RETURNS,
  category: null,
  updatedAt: '2026-11-01T00:00:00.000Z',
  nodes: [
    ['p', {}, 'Within ', ['strong', {}, 'thirty'], ' days.'],
    ['p', {}, ['img', { src: '/api/files/box', alt: 'A box' }]],
    ['p', {}, ['a', { href: '/help/shop/en/costs' }, 'What it costs']],
  ],
};

let server: StandIn;

beforeEach(async () => {
  server = await startStandIn();
  server.config.articles = 'first';
  server.answers['GET /articles'] = { articles: [RETURNS] };
  server.answers['GET /answers'] = { articles: [RETURNS] };
  for (const slug of ['returns', 'costs']) server.answers[`GET /articles/${slug}`] = { article: ARTICLE };
  server.answers['POST /articles/returns/feedback'] = {};
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
});
afterEach(async () => {
  leave();
  localStorage.clear();
  sessionStorage.clear();
  vi.restoreAllMocks();
  await server.stop();
});

const isReading = () => find('.panel').classList.contains('reading');
const choices = () => texts('.found .choice b');
const calls = (call: string) => server.calls.filter((each) => each === call).length;

async function openPanel(): Promise<void> {
  visit(server);
  await waitFor(() => find('.launcher').click());
  await waitFor(() => expect(find('.panel').hidden).toBe(false));
}

async function openArticle(): Promise<void> {
  await openPanel();
  await waitFor(() => expect(choices()).toEqual([RETURNS.title]));
  find('.found .choice').click();
  await waitFor(() => expect(texts('.article')).toEqual(['Within thirty days.What it costs']));
}

test('a site without articles asks for none', async () => {
  delete server.config.articles;
  await openPanel();
  write('Is anybody there at all?');
  await waitFor(() => expect(texts('.bubble .text')).toContain('Is anybody there at all?'));
  expect(server.calls.filter((call) => /articles|answers/.test(call))).toEqual([]);
});

test('articles come first, and one tap leads to the conversation, whose first message says from which article', async () => {
  await openArticle();
  expect(find('.article img').getAttribute('src')).toBe(`${server.origin}/api/files/box`);
  find('.ways button').click();
  expect(isReading()).toBe(false);
  write('It came broken');
  await waitFor(() => expect(server.asks).toContainEqual(['send_message', expect.objectContaining({ article: 'a1' })]));
  write('Hello?');
  await waitFor(() => expect(server.messages).toHaveLength(2));
  const sent = server.asks.filter(([event]) => event === 'send_message');
  expect(sent.at(-1)?.[1]).not.toHaveProperty('article');
});

test('who has an open chat finds it, with articles first only where the site wants them always', async () => {
  await openPanel();
  await waitFor(() => expect(isReading()).toBe(true));
  find('.ways button').click();
  write('Hello');
  await waitFor(() => expect(server.messages).toHaveLength(1));
  parley().close();
  await waitFor(() => expect(find('.panel').hidden).toBe(true));
  find('.launcher').click();
  await waitFor(() => expect(find('.panel').hidden).toBe(false));
  expect(isReading()).toBe(false);
  leave();
  server.config.articles = 'always';
  // It was open, so the next page opens it.
  visit(server);
  await waitFor(() => expect(isReading()).toBe(true));
  expect(texts('.ways button')).toEqual(['Back to the conversation']);
});

test('an answer that comes while somebody reads is named on the way back, and is not read before', async () => {
  server.config.articles = 'always';
  await openPanel();
  await waitFor(() => expect(isReading()).toBe(true));
  find('.ways button').click();
  write('Hello');
  await waitFor(() => expect(server.messages).toHaveLength(1));
  parley().close();
  await waitFor(() => expect(find('.panel').hidden).toBe(true));
  parley().open();
  await waitFor(() => expect(isReading()).toBe(true));
  server.say('Hello Mia');
  await waitFor(() => expect(texts('.ways button')).toEqual(['New message']));
  expect(server.asks.filter(([event, ask]) => event === 'read' && (ask as { seq: number }).seq > 1)).toEqual([]);
  find('.ways button').click();
  await waitFor(() =>
    expect(server.asks.some(([event, ask]) => event === 'read' && (ask as { seq: number }).seq === 2)).toBe(true),
  );
});

test('what somebody has typed is not covered, and shows articles above the field that change nothing in it', async () => {
  localStorage.setItem('parley:corner-shop:draft', 'How do I');
  await openPanel();
  await waitFor(() => expect(calls('GET /articles')).toBe(0));
  type('How do I send something back?');
  await waitFor(() => expect(texts('.hints .choice')).toEqual([RETURNS.title]));
  find('.hints .choice').click();
  await waitFor(() => expect(isReading()).toBe(true));
  find('.ways button').click();
  expect(find<HTMLTextAreaElement>('.composer textarea').value).toBe('How do I send something back?');
});

test('no article is offered for one word, nor once a chat is open', async () => {
  localStorage.setItem('parley:corner-shop:draft', 'Hi');
  await openPanel();
  write('Hi');
  await waitFor(() => expect(server.messages).toHaveLength(1));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  type('How do I send something back?');
  await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
  expect(calls('GET /answers')).toBe(0);
});

test('a search shows what was found, and says where nothing was', async () => {
  await openPanel();
  await waitFor(() => expect(choices()).toEqual([RETURNS.title]));
  const search = (words: string) => {
    const input = find<HTMLInputElement>('.pages input');
    input.value = words;
    find<HTMLFormElement>('.pages form').requestSubmit();
  };
  search('returns');
  await waitFor(() => expect(calls('GET /answers')).toBe(1));
  server.answers['GET /answers'] = { articles: [] };
  search('spaceships');
  await waitFor(() => expect(texts('.found')).toEqual(['Nothing was found.']));
  server.answers['GET /answers'] = null;
  search('nothing works');
  await waitFor(() => expect(texts('.found')).toEqual(['That did not work. Please try again.']));
});

test('a reader says that it did not help, and what was missing', async () => {
  await openArticle();
  const [, no] =
    document.querySelector('parley-widget')?.shadowRoot?.querySelectorAll<HTMLElement>('.helped .choice') ?? [];
  no?.click();
  find<HTMLInputElement>('.helped input').value = 'The price';
  find<HTMLFormElement>('.helped form').requestSubmit();
  expect(texts('.helped')).toEqual(['Thank you.']);
  await waitFor(() =>
    expect(server.bodies['POST /articles/returns/feedback']).toEqual([
      { lang: 'en', helped: false },
      { lang: 'en', comment: 'The price' },
    ]),
  );
});

test('the page opens an article, also where the site shows none by itself', async () => {
  delete server.config.articles;
  visit(server);
  parley().openArticle('returns');
  await waitFor(() => expect(texts('.article')).toEqual(['Within thirty days.What it costs']));
  find('.article a').click();
  await waitFor(() => expect(calls('GET /articles/costs')).toBe(1));
});

test('with articles only, nobody is led to a conversation before the team has written', async () => {
  server.config.articles = 'only';
  await openArticle();
  expect(find('.ways button').hidden).toBe(true);
  find('.pages > .tool').click();
  await waitFor(() => expect(choices()).toEqual([RETURNS.title]));
  expect(isReading()).toBe(true);
});
