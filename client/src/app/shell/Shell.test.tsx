import { act, screen, waitFor, within } from '@testing-library/react';
import { type Chat, TOKEN_KEY } from 'server/contract';
import { expect, it, vi } from 'vitest';
import { fakeApi, Refusal } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { makeChat, makeSite, makeUser, visitorMessage } from '../../../test/make.ts';
import { drafts } from '../../lib/drafts.ts';
import { LeaveGuard } from '../../shared/settingsForm/LeaveGuard.tsx';
import { LogOutOnArrival } from '../guards.tsx';
import { Shell } from './Shell.tsx';

const OAK = makeSite({ name: 'Oak and Line', domain: 'oakandline.example' });
const TEA = makeSite({ name: 'Tea House', domain: 'tea.example' });

const ANA = makeUser();

const ROUTES = [
  {
    path: '/',
    element: (
      <>
        <LogOutOnArrival />
        <p>Main page</p>
      </>
    ),
  },
  {
    element: <Shell />,
    children: [
      { path: '/dashboard', element: <p>Home screen</p>, handle: { title: 'Home' } },
      { path: '/dashboard/inbox', element: <p>Inbox screen</p> },
      { path: '/dashboard/sites/:siteId', element: <p>Site screen</p> },
      { path: '/dashboard/sites/new', element: <LeaveGuard draftKey="ana:site" /> },
    ],
  },
];

/** @param late when the sites are answered */
function start({
  sites = [OAK, TEA],
  chats = [makeChat()],
  older = [] as Chat[],
  at = '/dashboard',
  late = Promise.resolve(),
} = {}) {
  const api = fakeApi();
  api.on('GET /sites', () => late.then(() => ({ sites, limit: 3 })));
  const unread = [...chats, ...older].filter((chat) => chat.unread > 0);
  api.on('GET /chats', ({ query }) => ({ chats: query.unread ? unread : chats, nextCursor: null }));
  const started = startApp(ROUTES, at, { api, signedInAs: ANA });
  started.socket.answer('set_availability', ({ online }) => ({ ok: true, online }));
  started.socket.answer('sync', () => ({ ok: true, cursor: 'c', reset: false, changed: [], removed: [], chats: [] }));
  return started;
}

it('shows a loading text until the sites are loaded', async () => {
  start();
  expect(await screen.findByText('Loading dashboard...')).toBeTruthy();
  expect(await screen.findByText('Home screen')).toBeTruthy();
  expect(screen.queryByText('Loading dashboard...')).toBeNull();
});

it('links to every screen, marks the current one, and opens the docs in a new tab', async () => {
  const { user, path } = start();
  const [sidebar] = await screen.findAllByRole('navigation', { name: 'Dashboard' });
  const nav = within(sidebar as HTMLElement);
  const labels = nav.getAllByRole('link').map((link) => link.getAttribute('title'));
  const seven = ['Home', 'Chat Inbox', 'Sites', 'History', 'Team', 'Settings', 'Docs'];
  expect(labels).toEqual([...seven, 'Help', 'Visitors now', 'Reports', 'Self-check']);
  expect(nav.getByRole('link', { name: /Docs/ }).getAttribute('target')).toBe('_blank');
  await user.click(nav.getByRole('link', { name: 'Chat Inbox' }));
  expect(path()).toBe('/dashboard/inbox');
  expect(nav.getByRole('link', { name: 'Chat Inbox' }).getAttribute('aria-current')).toBe('page');
  expect(nav.getByRole('link', { name: 'Home' }).getAttribute('aria-current')).toBeNull();
});

it('on logout calls the server, removes the token, shows a toast and goes to the main page', async () => {
  const { api, user, path } = start();
  api.on('POST /auth/logout', {});
  await screen.findByText('Home screen');
  await user.click(screen.getByRole('button', { name: 'Log out' }));
  expect(await screen.findByText('Logged out successfully')).toBeTruthy();
  expect(path()).toBe('/');
  expect(localStorage.getItem(TOKEN_KEY)).toBeNull();
  expect(api.asked('POST /auth/logout')[0]?.bearer).toBe('stored-token');
});

it('removes the session and the drafts before the server has answered the logout', async () => {
  const { api, user, path } = start();
  localStorage.setItem('parley_draft:ana:chat', 'Dear Mina, your IBAN');
  localStorage.setItem('parley_recent', '{}');
  api.on('POST /auth/logout', () => new Promise<never>(() => undefined));
  await screen.findByText('Home screen');
  await user.click(screen.getByRole('button', { name: 'Log out' }));
  expect(await screen.findByText('Main page')).toBeTruthy();
  await waitFor(() => expect(localStorage.getItem(TOKEN_KEY)).toBeNull());
  expect(api.asked('POST /auth/logout').map(({ bearer }) => bearer)).toEqual(['stored-token']);
  expect(Object.keys(localStorage).filter((key) => /draft|recent/.test(key))).toEqual([]);
  expect(path()).toBe('/');
});

it('asks before a logout discards unsaved input, and stays signed in on Cancel', async () => {
  drafts.write('ana:site', 'x');
  const { api, user, path } = start({ at: '/dashboard/sites/new' });
  api.on('POST /auth/logout', {});
  await user.click(await screen.findByRole('button', { name: 'Log out' }));
  await screen.findByRole('alertdialog', { name: 'Leave without saving?' });
  expect(localStorage.getItem(TOKEN_KEY)).toBe('stored-token');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect([path(), localStorage.getItem(TOKEN_KEY)]).toEqual(['/dashboard/sites/new', 'stored-token']);
  await user.click(screen.getByRole('button', { name: 'Log out' }));
  await user.click(await screen.findByRole('button', { name: 'Leave' }));
  expect(await screen.findByText('Logged out successfully')).toBeTruthy();
  expect([path(), localStorage.getItem(TOKEN_KEY)]).toEqual(['/', null]);
});

it('goes to the main page with one toast when the socket event comes before the answer', async () => {
  const { api, user, path, socket } = start();
  await screen.findByText('Home screen');
  act(() => socket.connect());
  api.on('POST /auth/logout', async () => {
    act(() => socket.tell('session_ended', { reason: 'signed_out' }));
    await new Promise((next) => setTimeout(next));
    return {};
  });
  await user.click(screen.getByRole('button', { name: 'Log out' }));
  expect(await screen.findByText('Logged out successfully')).toBeTruthy();
  expect(screen.queryByText(/Your session has ended/)).toBeNull();
  expect(path()).toBe('/');
  expect(localStorage.getItem(TOKEN_KEY)).toBeNull();
});

it('selects the first site by default and remembers another choice', async () => {
  const { user } = start();
  await user.click(await screen.findByRole('button', { name: /Oak and Line/ }));
  await user.click(await screen.findByRole('menuitem', { name: /Tea House/ }));
  expect(await screen.findByRole('button', { name: /Tea House/ })).toBeTruthy();
  expect(localStorage.getItem('parley_site')).toBe(TEA._id);
});

it('asks to select a site when there is none', async () => {
  start({ sites: [] });
  expect(await screen.findByRole('button', { name: 'Select Site' })).toBeTruthy();
});

it('counts unread chats beyond the newest page, and updates when they are read', async () => {
  const old = makeChat({ unread: 2, lastMessage: 'Anybody there?' });
  const { socket } = start({ older: [old] });
  expect(await screen.findByRole('button', { name: /^Notifications,\s*1\s*unread$/ })).toBeTruthy();
  act(() => socket.connect());
  await waitFor(() => expect(socket.sent('sync')).not.toEqual([]));
  act(() => socket.tell('chat_updated', { chat: { ...old, unread: 0, rev: 2 } }));
  expect(await screen.findByRole('button', { name: /none unread/ })).toBeTruthy();
});

it('shows the unread count in the bell and the title, 9+ above 9, and lists the chats', async () => {
  const chats = Array.from({ length: 10 }, (_, index) => makeChat({ unread: 1, lastMessage: `Question ${index}` }));
  const { user, path } = start({ chats });
  const bell = await screen.findByRole('button', { name: /^Notifications,\s*9\+\s*unread$/ });
  await waitFor(() => expect(document.title).toBe('(10) Home · Parley'));
  await user.click(bell);
  await user.click(await screen.findByText('Question 3'));
  expect(path()).toBe(`/dashboard/inbox?chat=${chats[3]?._id}`);
});

it('finds sites and chats while typing, with the keyboard alone', async () => {
  const { user, path } = start({ chats: [makeChat({ lastMessage: 'Is the teapot in stock?' })] });
  const box = await screen.findByRole('combobox', { name: 'Search' });
  await user.keyboard('{Control>}k{/Control}');
  expect(box.getAttribute('placeholder')).toBe('Search chats, sites, or team members...');
  expect(document.activeElement).toBe(box);
  await user.keyboard('tea');
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
    'Team',
    'Tea Housetea.example',
    'Mina ParkIs the teapot in stock?',
  ]);
  await user.keyboard('{ArrowUp}{ArrowUp}{Enter}');
  expect(path()).toBe(`/dashboard/sites/${TEA._id}`);
});

it('switches the availability on the server, and back when the server refuses', async () => {
  const { socket, user } = start();
  await screen.findByText('Home screen');
  // The name says what it switches, its state is the rest.
  const online = () => screen.getByRole<HTMLButtonElement>('switch', { name: 'Online' });
  const isOn = () => online().getAttribute('aria-checked');
  expect(online().disabled).toBe(true);
  socket.connect();
  await waitFor(() => expect(isOn()).toBe('true'));
  await user.click(online());
  await waitFor(() => expect(isOn()).toBe('false'));
  expect(socket.sent('set_availability')).toEqual([{ online: false }]);

  socket.answer('set_availability', () => ({ ok: false, code: 'UNAVAILABLE', message: 'Not now', retryable: true }));
  await user.click(online());
  expect(await screen.findByText(/could not be changed/)).toBeTruthy();
  expect(isOn()).toBe('false');
});

it('shows an availability change from elsewhere after a reconnect', async () => {
  const { api, socket } = start();
  await screen.findByText('Home screen');
  socket.connect();
  const isOn = () => screen.getByRole('switch', { name: 'Online' }).getAttribute('aria-checked');
  await waitFor(() => expect(isOn()).toBe('true'));
  act(() => socket.drop());
  api.on('GET /auth/profile', { user: { ...ANA, available: false } });
  socket.connect();
  await waitFor(() => expect(api.asked('GET /auth/profile').length).toBeGreaterThan(1));
  await waitFor(() => expect(isOn()).toBe('false'));
  expect(screen.getByRole<HTMLButtonElement>('switch', { name: 'Online' }).disabled).toBe(false);
});

it('shows that it is reconnecting, and hides it afterwards', async () => {
  const { socket } = start();
  await screen.findByText('Home screen');
  expect(await screen.findByText(/^Reconnecting/)).toBeTruthy();
  socket.connect();
  await waitFor(() => expect(screen.queryByText(/^Reconnecting/)).toBeNull());
});

it('signs out when the server ends the session', async () => {
  const { socket } = start();
  await screen.findByText('Home screen');
  socket.connect();
  socket.tell('session_ended', { reason: 'password_changed' });
  expect(await screen.findByText(/session has ended/)).toBeTruthy();
  expect(localStorage.getItem(TOKEN_KEY)).toBeNull();
});

it('loads the profile when the socket is refused, and removes an expired token', async () => {
  const { api, socket } = start();
  await screen.findByText('Home screen');
  api.on('GET /auth/profile', new Refusal(401, { code: 'UNAUTHORIZED', message: 'Dead' }));
  socket.refuse('UNAUTHORIZED');
  await waitFor(() => expect(localStorage.getItem(TOKEN_KEY)).toBeNull());
});

it('dispatches socket events as page events', async () => {
  const { socket } = start();
  await screen.findByText('Home screen');
  const heard = vi.fn();
  window.addEventListener('chat_closed', heard, { once: true });
  socket.connect();
  socket.tell('chat_closed', { chatId: 'c1', closedBy: null });
  expect(heard.mock.calls[0]?.[0]).toMatchObject({ detail: { chatId: 'c1', closedBy: null } });

  const written = vi.fn();
  window.addEventListener('chat_message', written, { once: true });
  const chat = makeChat();
  socket.tell('new_message', visitorMessage(chat, 'Is it in stock?'));
  const { _id: chatId, site } = chat;
  expect(written.mock.calls[0]?.[0]).toMatchObject({
    detail: { chatId, siteId: site._id, siteName: site.name, visitorName: 'Mina Park', preview: 'Is it in stock?' },
  });
});

it('shows storage warnings in the bell as soon as they arrive, with a link to the settings', async () => {
  const { api, socket, user, path } = start();
  api.on('GET /notices', { notices: [] });
  const bell = await screen.findByRole('button', { name: /^Notifications(?!.*attention)/ });
  api.on('GET /notices', {
    notices: [
      { about: 'disk', percent: 91, freeBytes: 3 * 2 ** 30 },
      { about: 'site', siteId: OAK._id, siteName: OAK.name, kind: 'files', percent: 84 },
    ],
  });
  await waitFor(() => {
    socket.tell('notices_changed');
    expect(bell.textContent).toContain('something needs your attention');
  });
  await user.click(await screen.findByRole('button', { name: /Notifications, something needs your attention/ }));
  expect(await screen.findByRole('link', { name: /disk is 91 % full.*3 GB left/ })).toBeTruthy();
  await user.click(screen.getByRole('link', { name: /Oak and Line: files 84 % full/ }));
  expect(path()).toBe(`/dashboard/sites/${OAK._id}`);
});

it('does not show ‘Select Site’ or ‘Offline’ while loading', async () => {
  let come = () => {};
  const late = new Promise<void>((resolve) => {
    come = resolve;
  });
  start({ late });
  expect(await screen.findByRole('button', { name: 'Sites' })).toBeTruthy();
  expect(screen.queryByText('Select Site')).toBeNull();
  expect(screen.queryByText('Offline')).toBeNull();
  come();
  expect(await screen.findByRole('button', { name: /Oak and Line/ })).toBeTruthy();
});

it('selects the site of the current screen, and opens the same screen of another site', async () => {
  const { user, path } = start({ at: `/dashboard/sites/${TEA._id}` });
  await screen.findByText('Site screen');
  await user.click(await screen.findByRole('button', { name: /Tea House/ }));
  await user.click(await screen.findByRole('menuitem', { name: /Oak and Line/ }));
  await waitFor(() => expect(path()).toBe(`/dashboard/sites/${OAK._id}`));
  expect(await screen.findByRole('button', { name: /Oak and Line/ })).toBeTruthy();
});
