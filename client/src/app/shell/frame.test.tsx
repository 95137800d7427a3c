import { act, screen, waitFor, within } from '@testing-library/react';
import { Link } from 'react-router-dom';
import type { Mention } from 'server/contract';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeApi } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { id, makeChat, makeSite, makeUser } from '../../../test/make.ts';
import { INBOX_SHORTCUTS } from '../../features/chats/shortcuts.ts';
import { SELECTION_SHORTCUTS } from '../../features/selection/selected.ts';
import { SUGGESTION_SHORTCUTS } from '../../features/suggestions/suggestedAnswers.ts';
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx';
import { Shell } from './Shell.tsx';

let broken = false;

function Fragile() {
  if (broken) throw new Error('A bug');
  return <p>Well again</p>;
}

const ROUTES = [
  {
    element: <Shell />,
    children: [
      { path: '/dashboard', element: <Link to="/dashboard/inbox">Onward</Link> },
      { path: '/dashboard/inbox', element: <input aria-label="Field" />, handle: { title: 'Chat Inbox' } },
      {
        path: '/dashboard/fragile',
        element: (
          <ErrorBoundary place="screen">
            <Fragile />
          </ErrorBoundary>
        ),
      },
    ],
  },
];

const OAK = makeSite();

function start(path = '/dashboard', unread = 0, nextCursor: string | null = null, signedInAs = makeUser()) {
  const api = fakeApi();
  api.on('GET /sites', { sites: [OAK], limit: 3 });
  api.on('GET /chats', { chats: Array.from({ length: unread }, () => makeChat({ unread: 2 })), nextCursor });
  return startApp(ROUTES, path, { api, signedInAs });
}

beforeEach(() => {
  broken = false;
});

it('lists all shortcuts on ?, with those of the inbox from the list that the inbox uses', async () => {
  const { user } = start();
  await screen.findByText('Onward');
  await user.keyboard('?');
  const sheet = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
  await sheet.findByText('While writing');
  const all = [INBOX_SHORTCUTS, SELECTION_SHORTCUTS, SUGGESTION_SHORTCUTS];
  const shortcuts = all.flatMap((group) => Object.values(group));
  for (const { does } of shortcuts) expect(sheet.getByText(does)).toBeTruthy();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('counts and lists the notes that mention the user, and marks those of the open chat as read', async () => {
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
  const { api, socket, user, path } = start();
  const chat = makeChat();
  const mention = {
    _id: id(),
    chatId: chat._id,
    siteName: OAK.name,
    visitorName: 'Mina Park',
    by: { _id: id(), name: 'Ben Okafor' },
    preview: '@Ana Lind, do you know her?',
    path: `/dashboard/inbox?chat=${chat._id}&at=4&note=1`,
    createdAt: new Date().toISOString(),
  };
  let mentions: Mention[] = [];
  api.on('GET /mentions', () => ({ mentions }));
  api.on('POST /chats/:id/mentions/read', () => {
    mentions = [];
    return {};
  });
  socket.answer('sync', () => ({ ok: true, cursor: 'c', reset: false, changed: [], removed: [], chats: [] }));
  await screen.findByRole('button', { name: /none unread/ });
  act(() => socket.connect());
  await waitFor(() => expect(api.asked('GET /mentions')).not.toEqual([]));
  mentions = [mention];
  act(() => socket.tell('mentioned', { mention }));
  expect(await screen.findByText('Ben Okafor mentioned you in the chat with Mina Park')).toBeTruthy();
  await user.click(await screen.findByRole('button', { name: /^Notifications,\s*1\s*unread$/ }));
  await user.click(
    await screen.findByRole('link', { name: /^Ben Okafor mentioned you.*do you know her.*Oak and Line/ }),
  );
  expect(path()).toBe(mention.path);
  await waitFor(() => expect(api.asked('POST /chats/:id/mentions/read')[0]?.params.id).toBe(chat._id));
  act(() => socket.tell('mentions_changed'));
  expect(await screen.findByRole('button', { name: /none unread/ })).toBeTruthy();
});

it('goes to a screen by g and a letter, not by the letter alone, and not while typing', async () => {
  const { user, path } = start();
  await screen.findByText('Onward');
  // The keys come with the last part of the frame.
  await waitFor(async () => {
    await user.keyboard('gi');
    expect(path()).toBe('/dashboard/inbox');
  });
  await user.keyboard('gh');
  await screen.findByText('Onward');
  await user.keyboard('i');
  expect(path()).toBe('/dashboard');
  await user.keyboard('gi');
  await user.type(await screen.findByLabelText('Field'), 'gh');
  expect(screen.getByLabelText<HTMLInputElement>('Field').value).toBe('gh');
  expect(path()).toBe('/dashboard/inbox');
});

it('does not open the shortcut list while ? is typed into a field', async () => {
  const { user } = start('/dashboard/inbox');
  await user.type(await screen.findByLabelText('Field'), 'Really?');
  expect(screen.getByLabelText<HTMLInputElement>('Field').value).toBe('Really?');
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('has a skip link, and moves the focus to the content of a new screen', async () => {
  const { user } = start();
  await screen.findByText('Onward');
  await user.tab();
  expect(document.activeElement?.textContent).toBe('Skip to the content');
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(screen.getByRole('main'));
  const [inbox] = screen.getAllByRole('link', { name: /Chat Inbox/ });
  await user.click(inbox as HTMLElement);
  await screen.findByLabelText('Field');
  expect(document.activeElement).toBe(screen.getByRole('main'));
});

it('keeps the frame when a screen crashes, and offers another try', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  broken = true;
  const { user } = start('/dashboard/fragile');
  expect(await screen.findByText('Something went wrong on this screen.')).toBeTruthy();
  expect(screen.getAllByRole('main')).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Log out' })).toBeTruthy();
  broken = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Well again')).toBeTruthy();
});

it('shows the unread count on the tab icon', async () => {
  const icon = document.createElement('link');
  icon.rel = 'icon';
  document.head.append(icon);
  start('/dashboard', 12);
  await waitFor(() => expect(decodeURIComponent(icon.href)).toContain('>9+</text>'));
  icon.remove();
});

it('counts unread chats beyond those that are loaded', async () => {
  const { api, socket } = start('/dashboard', 2, 'more');
  socket.answer('sync', () => ({ ok: true, cursor: 'c', reset: false, changed: [], removed: [], chats: [] }));
  api.on('GET /inbox/counts', { counts: { waiting: 0, active: 0, snoozed: 0, assistant: 0, unread: 63 } });
  await screen.findByRole('button', { name: /^Notifications/ });
  act(() => socket.connect());
  await waitFor(() => expect(document.title).toMatch(/^\(63\)/));
  api.on('GET /inbox/counts', { counts: { waiting: 0, active: 0, snoozed: 0, assistant: 0, unread: 62 } });
  act(() => socket.tell('chat_updated', { chat: makeChat({ unread: 0 }) }));
  await waitFor(() => expect(document.title).toMatch(/^\(62\)/));
});

it("has the screens without a place in the phone's bar behind More, with the administration for platform admins", async () => {
  const { user, path } = start('/dashboard', 0, null, makeUser({ role: 'parley_admin' }));
  await screen.findByText('Onward');
  await user.click(screen.getByRole('button', { name: 'More' }));
  const items = await screen.findAllByRole('menuitem');
  const screens = ['Team', 'Settings', 'Docs', 'Help', 'Visitors now', 'Reports', 'Self-check', 'Administration'];
  expect(items.map((item) => item.textContent).slice(0, screens.length)).toEqual(screens);
  await user.click(screen.getByRole('menuitem', { name: 'Administration' }));
  await waitFor(() => expect(path()).toBe('/admin'));
});

it('says at the switch why no chats come, while the office hours end and begin', async () => {
  const { socket } = start();
  await screen.findByText('Onward');
  act(() => socket.connect());
  const said = async (text: RegExp) => {
    const described = await screen.findByText(text);
    expect(described.id).toBe(screen.getByRole('switch', { name: 'Online' }).getAttribute('aria-describedby'));
  };
  await said(/^You get new chats/);
  const tell = (parts: { open: boolean; online: boolean }) =>
    act(() => socket.tell('site_availability', { sites: [{ siteId: OAK._id, ...parts }] }));
  tell({ open: false, online: false });
  await said(/outside the office hours/);
  tell({ open: true, online: true });
  await said(/^You get new chats/);
});

describe('a user who is away without input', () => {
  const ana = makeUser({ autoAwayMinutes: 5 });
  const away = { kind: 'agent', userId: ana._id, siteId: OAK._id, away: true } as const;

  it('is told so beside the switch, and comes back with the next input', async () => {
    const { user, socket } = start('/dashboard', 0, null, ana);
    socket.answer('report_activity', () => ({ ok: true, away: false }));
    await screen.findByText('Onward');
    act(() => socket.connect());
    await waitFor(() => expect(socket.sent('report_activity')).toHaveLength(1));
    // Input within the minute is not told again.
    await user.keyboard('j');
    expect(socket.sent('report_activity')).toHaveLength(1);
    act(() => socket.tell('user_offline', away));
    expect(await screen.findByText('Away')).toBeTruthy();
    const online = screen.getByRole('switch', { name: 'Online' });
    expect(online.getAttribute('aria-checked')).toBe('true');
    expect(screen.getByText(/no input for 5 minutes/).id).toBe(online.getAttribute('aria-describedby'));
    await user.keyboard('j');
    expect(await screen.findByText('Welcome back. You get new chats again.')).toBeTruthy();
    expect(screen.queryByText('Away')).toBeNull();
    expect(socket.sent('report_activity')).toHaveLength(2);
  });

  it('sends nothing if it was not chosen', async () => {
    const { user, socket } = start();
    await screen.findByText('Onward');
    act(() => socket.connect());
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('switch', { name: 'Online' }).disabled).toBe(false));
    await user.keyboard('j');
    expect(socket.sent('report_activity')).toEqual([]);
  });
});

it('names the visitor of the open chat in the title, and tells screen readers that it was opened', async () => {
  const { api } = start('/dashboard/inbox?chat=1');
  api.on('GET /chats/:id', { chat: makeChat({ _id: '1' }) });
  expect(await screen.findByText('Chat with Mina Park opened')).toBeTruthy();
  expect(document.title).toBe('Mina Park · Chat Inbox · Parley');
  act(() => screen.getByRole('link', { name: 'Home' }).click());
  await waitFor(() => expect(document.title).toBe('Parley'));
  expect(screen.queryByText('Chat with Mina Park opened')).toBeNull();
});
