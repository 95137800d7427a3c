import { act, fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { makeChat, makeSite, makeUser } from '../../../test/make.ts';
import { Shell } from './Shell.tsx';

const TEA = makeSite({ name: 'Tea House', domain: 'tea.example' });
const ANA = makeUser();
const LISTED = makeChat({ lastMessage: 'Is the teapot in stock?' });
const OLD = makeChat({ visitorInfo: { ...LISTED.visitorInfo, name: 'Tom Keller' }, lastMessage: 'Green tea, please' });
const MESSAGE = {
  chatId: OLD._id,
  siteName: 'Tea House',
  visitorName: 'Tom Keller',
  seq: 3,
  sender: 'visitor' as const,
  excerpt: 'and a tea strainer',
  timestamp: '2026-01-05T09:00:00.000Z',
};
const PERSON = { _id: makeUser()._id, name: 'Teagan Moss', email: 'teagan@example.com' };

const ROUTES = [
  {
    element: <Shell />,
    children: [
      { path: '/dashboard', element: <p>Home screen</p> },
      { path: '/dashboard/*', element: <p>Elsewhere</p> },
    ],
  },
];

async function start({ signedInAs = ANA } = {}) {
  const api = fakeApi();
  api.on('GET /sites', { sites: [TEA], limit: 3 });
  api.on('GET /chats', { chats: [LISTED], nextCursor: null });
  api.on('GET /search', { chats: [OLD], messages: [MESSAGE], sites: [TEA], people: [PERSON] });
  const started = startApp(ROUTES, '/dashboard', { api, signedInAs });
  await screen.findByText('Home screen');
  await screen.findByRole('combobox', { name: 'Search' });
  return started;
}

const options = () => screen.getAllByRole('option').map((option) => option.textContent);

it('adds the results of the server to those of the page, each once', async () => {
  const { api, user, path } = await start();
  await user.keyboard('{Control>}k{/Control}tea');
  expect(await screen.findByText('and a tea strainer')).toBeTruthy();
  expect(options()).toEqual([
    'Team',
    'Tea Housetea.example',
    'Tom KellerGreen tea, please · Oak and Line',
    'Mina ParkIs the teapot in stock?',
    'Tom Kellerand a tea strainer',
    'Teagan Mossteagan@example.com',
  ]);
  expect(api.asked('GET /search').map(({ query }) => query)).toEqual([{ q: 'tea' }]);
  await user.keyboard('{ArrowUp}{Enter}');
  expect(path()).toBe('/dashboard/team');
});

it('opens the chat at the message that was found', async () => {
  const { user, path } = await start();
  await user.keyboard('{Control>}k{/Control}tea');
  await user.click(await screen.findByText('and a tea strainer'));
  expect(path()).toBe(`/dashboard/inbox?chat=${OLD._id}&at=3`);
});

it('says when the server cannot be reached and when nothing is found', async () => {
  const { api, user } = await start();
  api.on('GET /search', () => {
    throw new TypeError('offline');
  });
  await user.keyboard('{Control>}k{/Control}teapot');
  expect(await screen.findByText(/The server did not answer\./)).toBeTruthy();
  expect(options()).toHaveLength(1);
  api.on('GET /search', { chats: [], messages: [], sites: [], people: [] });
  await user.keyboard('zzz');
  expect(await screen.findByText('Nothing found for “teapotzzz”')).toBeTruthy();
});

it('shows the last visited places first, and only to the same user', async () => {
  const { user } = await start();
  await user.keyboard('{Control>}k{/Control}teapot{Enter}');
  await user.keyboard('{Control>}k{/Control}');
  expect(screen.getByText('Recent')).toBeTruthy();
  expect(options()[0]).toBe('Mina ParkIs the teapot in stock?');
});

it('hides the last visited places of another user of the same browser', async () => {
  localStorage.setItem(
    'parley_recent',
    JSON.stringify({ userId: 'other', finds: [{ key: 'k', to: '/', title: 'Secret', text: '', group: 'Chats' }] }),
  );
  const { user } = await start();
  await user.keyboard('{Control>}k{/Control}');
  expect(options()[0]).toBe('Home');
});

it('keeps the search term while another window has the focus, and clears it on navigation', async () => {
  const { user } = await start();
  await user.keyboard('{Control>}k{/Control}teapot');
  const field = screen.getByRole('combobox', { name: 'Search' });
  // As a browser does it: the field stays the active one of its page.
  fireEvent.blur(field);
  expect(field).toHaveProperty('value', 'teapot');
  act(() => field.blur());
  expect(field).toHaveProperty('value', '');
});
