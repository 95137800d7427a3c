import { afterEach, beforeEach, expect, test } from 'vitest';
import { leave, parley, visit } from './page.ts';
import { type StandIn, startStandIn } from './standin.ts';
import { waitFor } from './wait.ts';

let server: StandIn;

beforeEach(async () => {
  server = await startStandIn();
});
afterEach(async () => {
  leave();
  localStorage.clear();
  sessionStorage.clear();
  await server.stop();
});

const asked = (event: string) => server.asks.filter(([name]) => name === event).map(([, ask]) => ask);
const isLive = () => waitFor(() => expect(asked('sync').length).toBeGreaterThan(0));

test('identify sends id and token of the visitor, and other fields as attributes', async () => {
  visit(server);
  parley().identify({ id: 42, name: 'Mina Park', email: '', token: 'signed', plan: 'pro', seats: 3, trial: undefined });
  parley().setAttributes({ plan: 'team', since: null });
  parley().open();
  await isLive();
  expect(server.told).toEqual([
    {
      identity: { id: '42', name: 'Mina Park', token: 'signed' },
      attributes: { plan: 'team', seats: 3, since: null },
    },
  ]);
  parley().setAttributes({ seats: 4 });
  await waitFor(() => expect(server.told.slice(1)).toEqual([{ attributes: { seats: 4 } }]));
});

test('a refused identity is reported to the page, and the chat continues without it', async () => {
  visit(server);
  const errors: object[] = [];
  parley().on('error', (error) => errors.push(error));
  server.refused = 'IDENTITY_TOKEN_INVALID';
  parley().identify({ token: 'forged' });
  parley().open();
  await isLive();
  expect(errors).toMatchObject([{ code: 'IDENTITY_TOKEN_INVALID' }]);
  expect(server.told).toEqual([{ identity: { token: 'forged' } }, {}]);
});

test("a different identity shows that person's conversation, and nothing of the previous one", async () => {
  visit(server);
  parley().open();
  parley().sendMessage('Before signing in');
  await waitFor(() => expect(server.messages).toHaveLength(1));
  server.forget();
  server.token = 'of-mina';
  parley().identify({ token: 'signed' });
  await waitFor(() => expect(localStorage.getItem(`parley:${server.code}:token`)).toBe('of-mina'));
  const root = document.querySelector('parley-widget')?.shadowRoot;
  await waitFor(() => expect(root?.textContent).not.toContain('Before signing in'));
});

test('a message waits until the identification is done, and is sent in that name', async () => {
  visit(server);
  parley().open();
  await isLive();
  server.token = 'of-mina';
  parley().identify({ token: 'signed' });
  parley().sendMessage('Where is my order?');
  await waitFor(() => expect(server.messages).toHaveLength(1));
  expect(server.senders).toEqual(['of-mina']);
});

test('pages are reported before the chat is opened when the site has enabled it', async () => {
  server.config.visitorPages = true;
  visit(server);
  await isLive();
  expect(server.pages).toEqual([{ url: location.href, title: document.title }]);
  expect(parley().isOpen()).toBe(false);
  document.title = 'Baskets';
  history.pushState(null, '', '/baskets');
  parley().setPage({ url: '/baskets' });
  const url = new URL('/baskets', location.href).href;
  await waitFor(() => expect(asked('page')).toEqual([{ url, title: 'Baskets' }]));
  parley().setPage({ url: '/baskets', title: 'Baskets (3)' });
  await waitFor(() => expect(asked('page').slice(1)).toEqual([{ url, title: 'Baskets (3)' }]));
});

test('an answer that arrives after logout does not restore the visitor', async () => {
  visit(server);
  parley().open();
  await isLive();
  let letGo = () => {};
  server.held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  parley().identify({ name: 'Nora Lind' });
  await waitFor(() => expect(server.resumed).toHaveLength(2));
  parley().logout();
  await waitFor(() => expect(localStorage.length).toBe(0));
  letGo();
  // This request was sent later, so its answer comes later.
  for (let i = 0; i < 2; i++) await (await fetch(`${server.origin}/api/widget/${server.code}`)).text();
  server.token = 'of-another';
  parley().open();
  await waitFor(() => expect(localStorage.getItem(`parley:${server.code}:token`)).toBe('of-another'));
  expect(server.resumed).toEqual([undefined, 'good', undefined]);
});
