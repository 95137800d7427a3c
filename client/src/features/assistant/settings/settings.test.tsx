import { screen, waitFor, within } from '@testing-library/react';
import type { AssistantRun, AssistantState, AssistantTests, Site } from 'server/contract';
import { describe, expect, it } from 'vitest';
import { fakeApi, Refusal } from '../../../../test/api.ts';
import { startApp } from '../../../../test/app.tsx';
import { id, makeSite, makeUser } from '../../../../test/make.ts';
import { makeArticle, makeHelp, makeText } from '../../articles/testing.ts';
import AssistantPage from './AssistantPage.tsx';

const OAK = makeSite();
const RETURNS = makeArticle({
  status: 'published',
  texts: [makeText({ title: 'Returning a table', published: true })],
});
const CATEGORY = { id: 'c'.repeat(8), name: { en: 'Orders' } };

const STATE: AssistantState = {
  step: 'links',
  when: 'always',
  name: '',
  categories: [],
  languages: [],
  tokensPerDay: 0,
  rev: 1,
  model: 'llama-3',
  today: { tokens: 4_000, limit: 10_000, isServerSpent: false },
};

const RUN: AssistantRun = {
  _id: id(),
  chatId: null,
  at: '2026-01-05T09:00:00.000Z',
  question: 'Can I return it?',
  words: ['return', 'table'],
  outcome: 'answered',
  passages: [{ title: 'Returning a table', article: RETURNS._id, lang: 'en', url: null }],
  sent: [{ role: 'system', content: 'Answer from the passages only.' }],
  answer: 'Within 30 days.',
  model: 'llama-3',
  tokens: 812,
  ms: 1_340,
};

interface World {
  state?: Partial<AssistantState>;
  tests?: Partial<AssistantTests>;
  site?: Site;
  tab?: string;
}

/** The page, with a server that keeps what is saved. */
async function start({ state = {}, tests = {}, site = OAK, tab }: World = {}) {
  const api = fakeApi();
  const world = {
    state: { ...STATE, ...state },
    tests: { tests: [], running: false, rev: 0, ...tests } as AssistantTests,
  };
  api.on('GET /sites', { sites: [site], limit: 3 });
  api.on('GET /sites/:id', { site });
  api.on('GET /sites/:id/help-center', { helpCenter: makeHelp({ categories: [CATEGORY] }) });
  const { texts, ...entry } = RETURNS;
  const published = { en: { title: texts[0]?.title ?? '', published: true, changed: false, outdated: false } };
  api.on('GET /sites/:id/articles', { articles: [{ ...entry, texts: published }] });
  api.on('GET /sites/:id/articles/questions', {
    questions: [{ _id: id(), question: 'Do you ship to Malta?', count: 3, lang: 'en', lastAt: RUN.at }],
  });
  api.on('GET /sites/:id/assistant', () => ({ assistant: world.state, hasModel: world.state.model !== null }));
  api.on('PATCH /sites/:id/assistant', ({ body }) => {
    const { rev, ...change } = body as Partial<AssistantState>;
    if (rev !== world.state.rev) return new Refusal(409, { code: 'SETTINGS_CHANGED', message: 'Changed' });
    world.state = { ...world.state, ...change, rev: world.state.rev + 1 };
    return { assistant: world.state };
  });
  api.on('GET /sites/:id/assistant/tests', () => world.tests);
  api.on('PUT /sites/:id/assistant/tests', ({ body }) => {
    world.tests = { ...world.tests, ...(body as object), running: true, rev: world.tests.rev + 1 };
    return world.tests;
  });
  const path = `/dashboard/sites/${site._id}/assistant${tab ? `?tab=${tab}` : ''}`;
  const routes = [{ path: '/dashboard/sites/:siteId/assistant', Component: AssistantPage }];
  const started = startApp(routes, path, { api, signedInAs: makeUser() });
  await screen.findByRole('tablist');
  return { ...started, world };
}

describe('the settings', () => {
  it('are three steps, each with what it does and costs, and show more the further it goes', async () => {
    const { api, user, world } = await start();
    const links = await screen.findByRole('radio', { name: 'Links' });
    expect(links).toHaveProperty('checked', true);
    expect(screen.queryByRole('textbox', { name: 'Its name' })).toBeNull();
    await user.click(screen.getByRole('radio', { name: 'Answers' }));
    await user.type(screen.getByRole('textbox', { name: 'Its name' }), ' Robo ');
    await user.click(screen.getByRole('checkbox', { name: 'German' }));
    await user.click(screen.getByRole('checkbox', { name: 'Orders' }));
    await user.type(screen.getByRole('textbox', { name: 'Tokens a day' }), '50000');
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    expect(await screen.findByText('Saved')).toBeTruthy();
    expect(api.asked('PATCH /sites/:id/assistant')[0]?.body).toEqual({
      step: 'answer',
      name: 'Robo',
      languages: ['de'],
      categories: [CATEGORY.id],
      tokensPerDay: 50_000,
      rev: 1,
    });
    expect(world.state.rev).toBe(2);
    expect(screen.getByRole('meter', { name: 'Tokens today' }).getAttribute('aria-valuenow')).toBe('40');
  });

  it('are merged with what a colleague saved meanwhile, and ask where both changed the same', async () => {
    const { user, world } = await start({ state: { step: 'answer' } });
    await user.type(await screen.findByRole('textbox', { name: 'Its name' }), 'Robo');
    world.state = { ...world.state, when: 'offline', name: 'Helper', rev: 2 };
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    const alert = within(await screen.findByRole('alert'));
    expect(alert.getByText('Helper')).toBeTruthy();
    await user.click(alert.getByRole('button', { name: 'Save mine instead' }));
    await waitFor(() => expect(world.state).toMatchObject({ when: 'offline', name: 'Robo', rev: 3 }));
  });

  it('say that nothing is sent anywhere where the server has no model', async () => {
    await start({ state: { model: null, step: 'answer' } });
    expect(await screen.findByText(/Nothing leaves this server/)).toBeTruthy();
    expect(screen.getByText('This server has no model, so people answer all chats.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'set one up' }).getAttribute('href')).toBe('/docs?tab=assistant');
    expect(screen.queryByRole('meter')).toBeNull();
  });

  it('can be read but not changed by agents, who cannot try it either', async () => {
    await start({ site: { ...OAK, role: 'agent', isOwner: false } });
    expect(await screen.findByRole('radio', { name: 'Links' })).toHaveProperty('matches');
    expect(screen.getByText('Only admins of this website can change these settings.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Save Changes' })).toBeNull();
    expect(screen.queryByRole('tab', { name: 'Try it' })).toBeNull();
  });
});

describe('Try it', () => {
  it('shows the answer with its sources, what was searched and sent, and the cost', async () => {
    const { api, user } = await start({ tab: 'try' });
    api.on('POST /sites/:id/assistant/try', { run: RUN, links: RUN.passages });
    await user.type(await screen.findByRole('textbox', { name: 'Question of a visitor' }), 'Can I return it?');
    await user.click(screen.getByRole('button', { name: 'Try it' }));
    const run = within(await screen.findByRole('article', { name: 'Can I return it?' }));
    expect(run.getByText('Within 30 days.')).toBeTruthy();
    expect(run.getByText('return, table')).toBeTruthy();
    expect(run.getByText('llama-3 · 812 tokens · 1.3 s')).toBeTruthy();
    await user.click(run.getByText('The exact messages'));
    expect(run.getByText('Answer from the passages only.')).toBeTruthy();
    expect(api.asked('POST /sites/:id/assistant/try')[0]?.body).toEqual({ question: 'Can I return it?', lang: 'en' });
  });

  it('says why a person would answer, and what is found where there is no model', async () => {
    const { api, user } = await start({ tab: 'try' });
    const failed: AssistantRun = {
      ...RUN,
      outcome: 'handedOver',
      reason: 'silent',
      detail: 'No word in 20 seconds.',
      answer: '',
    };
    api.on('POST /sites/:id/assistant/try', { run: failed, links: [] });
    await user.type(await screen.findByRole('textbox', { name: 'Question of a visitor' }), 'Hm?');
    await user.click(screen.getByRole('button', { name: 'Try it' }));
    expect(await screen.findByText('The model did not answer in time')).toBeTruthy();
    expect(screen.getByText('No word in 20 seconds.')).toBeTruthy();
    api.on('POST /sites/:id/assistant/try', { run: null, links: RUN.passages });
    await user.click(screen.getByRole('button', { name: 'Try it' }));
    expect(await screen.findByText(/Without a model, nothing is answered/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Returning a table' })).toBeTruthy();
  });
});

describe('test questions', () => {
  const asked = { _id: 'a', question: 'Can I return it?', lang: 'en' as const, article: RETURNS._id };

  it('are written or taken from what was not found, and run when they are saved', async () => {
    const { api, user, world } = await start({ tab: 'tests' });
    await user.click(await screen.findByRole('button', { name: 'Add a question' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add a question' }));
    await user.click(await dialog.findByRole('button', { name: 'Do you ship to Malta?' }));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('They are being asked…')).toBeTruthy();
    const [{ body } = {}] = api.asked('PUT /sites/:id/assistant/tests');
    expect(body).toMatchObject({ tests: [{ question: 'Do you ship to Malta?', lang: 'en', article: null }], rev: 0 });
    const [test] = world.tests.tests;
    const result = { passed: true, got: null, title: null, at: RUN.at };
    world.tests = { ...world.tests, running: false, tests: test ? [{ ...test, result }] : [] };
    expect(await screen.findByText('1 as expected', {}, { timeout: 5_000 })).toBeTruthy();
  });

  it('show what was found instead, are run by hand and removed', async () => {
    const result = { passed: false, got: 'x', title: 'Gift cards', at: RUN.at };
    const { api, user } = await start({ tab: 'tests', tests: { tests: [{ ...asked, result }], rev: 4 } });
    const row = within(await screen.findByRole('listitem'));
    expect(row.getByText(/Expected: Returning a table/)).toBeTruthy();
    expect(row.getByText(/Found: Gift cards/)).toBeTruthy();
    api.on('POST /sites/:id/assistant/tests/run', { tests: [asked], running: true, rev: 4 });
    await user.click(screen.getByRole('button', { name: 'Run now' }));
    expect(await screen.findByText('They are being asked…')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Remove: Can I return it?' }));
    await waitFor(() => expect(api.asked('PUT /sites/:id/assistant/tests')[0]?.body).toEqual({ tests: [], rev: 4 }));
  });
});

it('lists what was handed over, with the reason and the chat', async () => {
  const { api, user } = await start();
  const chat = 'f'.repeat(24);
  const rest = { outcome: 'handedOver' as const, answer: '' };
  const runs: AssistantRun[] = [
    { ...RUN, ...rest, chatId: chat, reason: 'unknown' },
    { ...RUN, ...rest, _id: id(), question: 'And now?', reason: 'budget' },
  ];
  api.on('GET /sites/:id/assistant/runs', { runs, nextCursor: null });
  await user.click(screen.getByRole('tab', { name: 'Handed over' }));
  const rows = within(await screen.findByRole('list', { name: 'Handed over' })).getAllByRole('listitem');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Can I return it\?No published article is about it/),
    expect.stringMatching(/^And now\?The tokens of the day are used up/),
  ]);
  expect(screen.getByRole('link', { name: 'Open the chat' }).getAttribute('href')).toContain(chat);
  expect(api.asked('GET /sites/:id/assistant/runs')[0]?.query).toEqual({ failed: 'yes', limit: '20' });
});
