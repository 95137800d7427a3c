import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { createElement } from 'react';
import { type Chat, OVERVIEW_DAYS, type Overview } from 'server/contract';
import { describe, expect, it, vi } from 'vitest';
import { fakeApi, Refusal } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { makeChat, makeSite, makeUser, visitorMessage } from '../../../test/make.ts';
import type { FakeSocket } from '../../../test/socket.ts';
import { useAuth } from '../../lib/auth.tsx';
import { useLive } from '../chats/live/live.ts';
import { useOverviewLive } from './live.ts';
import OverviewPage from './OverviewPage.tsx';

const NEXT_WEEK = '2026-01-12T09:00:00.000Z';
const BEN = { _id: 'b'.repeat(24), name: 'Ben Ito' };
const SITE = makeSite();

const perDay = Array.from({ length: OVERVIEW_DAYS }, (_, index) => ({
  day: `2026-01-${String(index + 1).padStart(2, '0')}`,
  chats: index,
  responseMinutes: index === 3 ? null : index / 2,
}));

const FIGURES: Overview = {
  totalChats: 1_234,
  activeChats: 7,
  sites: 2,
  visitors: 900,
  growthPercent: 12,
  avgResponseMinutes: 3.4,
  avgResponseMinutesLastWeek: 5,
  recent: [],
  perDay,
};

const visitor = (name: string | null) => ({ ...makeChat().visitorInfo, name });
const chatOf = (name: string, minute: number, parts: Partial<Chat> = {}) =>
  makeChat({
    visitorInfo: visitor(name),
    metadata: { lastMessage: '', lastActivity: new Date(Date.UTC(2026, 0, 5, 10, minute)).toISOString() },
    ...parts,
  });

/** As the frame and the guard of the real routes do. */
function Framed() {
  useLive();
  useOverviewLive();
  return useAuth().user && createElement(OverviewPage);
}

function start(figures: Partial<Overview> = {}, sites = [SITE], chats: Chat[] = []) {
  const api = fakeApi();
  api.on('GET /overview', { ...FIGURES, ...figures });
  api.on('GET /sites', { sites, limit: 3 });
  api.on('GET /chats', { chats, nextCursor: null });
  const routes = [{ path: '/dashboard', Component: Framed }];
  return startApp(routes, '/dashboard', { api, signedInAs: makeUser({ name: 'Ana Lind' }) });
}

function connect(socket: FakeSocket, changed: Chat[] = []): void {
  socket.answer('sync', () => ({ ok: true, cursor: 'c', reset: false, changed, removed: [], chats: [] }));
  act(() => socket.connect());
}

const cardOf = async (label: string) =>
  within((await screen.findByRole('heading', { name: label })).closest('li') ?? document.body);
const recentNames = () =>
  within(screen.getByRole('list', { name: 'Recent chats' }))
    .getAllByRole('listitem')
    .map((row) => row.querySelector('.font-medium')?.textContent);
const feed = () => screen.findByRole('list', { name: 'Recent activity' });

describe('the figures', () => {
  it('come from the server, each with a sparkline', async () => {
    const { api } = start();
    expect(await screen.findByRole('heading', { name: 'Welcome back!' })).toBeTruthy();
    const total = await cardOf('Total Chats');
    for (const text of ['1,234', '+12% this week']) expect(total.getByText(text)).toBeTruthy();
    expect((await cardOf('Active Chats')).getByText('7')).toBeTruthy();
    expect((await cardOf('Sites')).getByText('2')).toBeTruthy();
    const response = await cardOf('Avg Response');
    for (const text of ['3.4 min', '5 min last week']) expect(response.getByText(text)).toBeTruthy();
    expect(within(screen.getByRole('list', { name: 'Figures' })).getAllByRole('img')).toHaveLength(4);
    expect(api.asked('GET /overview')[0]?.query.tz).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  });

  it('show – when there is no data', async () => {
    start({ growthPercent: null, avgResponseMinutes: null, avgResponseMinutesLastWeek: null });
    expect((await cardOf('Total Chats')).getByText('– this week')).toBeTruthy();
    const response = await cardOf('Avg Response');
    for (const text of ['–', '– last week']) expect(response.getByText(text)).toBeTruthy();
  });

  it('are reloaded soon after a change', async () => {
    const { api, socket } = start({ growthPercent: -5 });
    expect((await cardOf('Total Chats')).getByText('−5% this week')).toBeTruthy();
    api.on('GET /overview', { ...FIGURES, totalChats: 1_235 });
    act(() => socket.tell('new_chat', { chat: makeChat() }));
    expect(await screen.findByText('1,235')).toBeTruthy();
  });

  it('are rendered with the answer: the charts need no further file', async () => {
    start();
    await cardOf('Total Chats');
    expect(screen.getAllByRole('slider').map((chart) => chart.getAttribute('aria-label'))).toEqual([
      'Conversations per day',
      'Response time',
    ]);
  });

  it('of each day can be read with the arrow keys', async () => {
    const { user } = start();
    const chart = await screen.findByRole('slider', { name: 'Response time' });
    const told = () => chart.getAttribute('aria-valuetext');
    expect(told()).toBe('Jan 14: 6.5 min');
    act(() => chart.focus());
    await user.keyboard('{ArrowLeft}');
    expect(told()).toBe('Jan 13: 6 min');
    expect(within(chart).getByText('6 min')).toBeTruthy();
    await user.keyboard('{Home}{ArrowLeft}{ArrowRight}{ArrowRight}{ArrowRight}');
    expect(told()).toBe('Jan 4: –');
    await user.keyboard('{End}{ArrowRight}');
    expect(told()).toBe('Jan 14: 6.5 min');
    await user.tab();
    expect(within(chart).queryByText('6.5 min')).toBeNull();
  });

  it('are requested once when nothing changes before the socket connects', async () => {
    // On a busy machine the connection could come so late that its first answer no longer covers the list.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    const { api, socket } = start();
    await cardOf('Total Chats');
    connect(socket);
    await waitFor(() => expect(socket.sent('sync')).toHaveLength(1));
    // What would be read again because of the connection comes before this.
    api.on('GET /overview', { ...FIGURES, totalChats: 1_235 });
    act(() => socket.tell('chat_deleted', { chatId: 'c'.repeat(24) }));
    await screen.findByText('1,235');
    expect(api.asked('GET /overview')).toHaveLength(2);
    expect(api.asked('GET /chats').filter(({ query }) => !query.unread)).toHaveLength(1);
  });

  it("are requested again when something changed, or when they are older than the connection's state", async () => {
    const { api, socket } = start();
    await cardOf('Total Chats');
    connect(socket, [makeChat()]);
    await waitFor(() => expect(api.asked('GET /overview')).toHaveLength(2));
    cleanup();
    const later = start();
    await cardOf('Total Chats');
    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now + 10_000);
    connect(later.socket);
    await waitFor(() => expect(later.api.asked('GET /overview')).toHaveLength(2));
    await waitFor(() => expect(later.api.asked('GET /chats').filter(({ query }) => !query.unread)).toHaveLength(2));
  });

  it('of the charts are also in a table', async () => {
    const { user } = start();
    await user.click(await screen.findByRole('button', { name: 'Table of Response time' }));
    const table = screen.getByRole('region', { name: 'Response time, table' });
    const rows = within(table).getAllByRole('row').slice(1);
    expect(rows).toHaveLength(OVERVIEW_DAYS);
    expect(rows[2]?.textContent).toBe('Jan 31');
    expect(rows[3]?.textContent).toBe('Jan 4–');
  });

  it('show an error when they cannot be loaded, and retry', async () => {
    const { user, api } = start();
    api.on('GET /overview', new Refusal(503, { code: 'UNAVAILABLE', message: 'Not now' }));
    expect(await screen.findByText('Your figures could not be loaded.')).toBeTruthy();
    api.on('GET /overview', FIGURES);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('1,234')).toBeTruthy();
  });

  it('come after the first steps when there is no website', async () => {
    start({ totalChats: 0, sites: 0, perDay: perDay.map(({ day }) => ({ day, chats: 0, responseMinutes: null })) }, []);
    expect((await screen.findByRole('link', { name: 'Add your website' })).getAttribute('href')).toBe(
      '/dashboard/sites/new',
    );
    expect(await screen.findByText('No conversations in these days')).toBeTruthy();
    expect(screen.queryByRole('slider')).toBeNull();
  });
});

describe('the welcome card', () => {
  it('links to the inbox when chats are unread', async () => {
    start({}, [SITE], [makeChat({ unread: 2 })]);
    const link = await screen.findByRole('link', { name: '1 unread chat' });
    expect(link.getAttribute('href')).toBe('/dashboard/inbox');
  });

  it('says that everything is read', async () => {
    start();
    expect(await screen.findByText(/you are all caught up\./)).toBeTruthy();
  });
});

describe('the first steps', () => {
  it('stay until the first visitor has written', async () => {
    start({ totalChats: 0 });
    const link = await screen.findByRole('link', { name: 'Get the embed code' });
    expect(link.getAttribute('href')).toBe(`/dashboard/sites/${SITE._id}?tab=embed`);
    expect(screen.getAllByLabelText('Done')).toHaveLength(1);
  });
});

describe('recent chats', () => {
  it('are empty at first', async () => {
    start();
    expect(await screen.findByText('No recent chats')).toBeTruthy();
    expect(screen.getByText('No recent activity')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'View all' }).getAttribute('href')).toBe('/dashboard/inbox');
  });

  it('show 50 characters of the last message, and link to the chat', async () => {
    const chat = chatOf('', 0, { visitorInfo: visitor(null), lastMessage: `${'x'.repeat(49)}yz`, status: 'active' });
    start({ recent: [chat] });
    expect(await screen.findByText(`${'x'.repeat(49)}y…`)).toBeTruthy();
    const row = within(screen.getByRole('list', { name: 'Recent chats' })).getByRole('link');
    for (const text of ['Anonymous', 'active', 'Oak and Line']) expect(within(row).getByText(text)).toBeTruthy();
    expect(row.getAttribute('href')).toBe(`/dashboard/inbox?chat=${chat._id}`);
  });

  it('grow to ten, newest first, and stay when the figures are reloaded', async () => {
    const recent = [5, 4, 3, 2, 1].map((minute) => chatOf(`Old ${minute}`, minute));
    const { api, socket } = start({ recent });
    await screen.findByText('Old 5');
    const come = [6, 7, 8, 9, 10, 11].map((minute) => chatOf(`New ${minute}`, minute));
    api.on('GET /overview', { ...FIGURES, totalChats: 2_000, recent: come.toReversed().slice(0, 5) });
    act(() => {
      for (const chat of come) socket.tell('new_chat', { chat });
    });
    const shown = ['New 11', 'New 10', 'New 9', 'New 8', 'New 7', 'New 6', 'Old 5', 'Old 4', 'Old 3', 'Old 2'];
    await waitFor(() => expect(recentNames()).toEqual(shown));
    await screen.findByText('2,000');
    expect(recentNames()).toEqual(shown);
  });

  it('follow changes of each chat, and drop deleted ones', async () => {
    const [older, newer] = [chatOf('Older', 1), chatOf('Newer', 2)];
    const { socket } = start({ recent: [newer, older] });
    await screen.findByText('Older');
    const metadata = { lastMessage: 'Me first', lastActivity: NEXT_WEEK };
    act(() => socket.tell('chat_updated', { chat: { ...older, metadata, lastMessage: 'Me first', rev: 2 } }));
    await waitFor(() => expect(recentNames()).toEqual(['Older', 'Newer']));
    expect(screen.getByText('Me first')).toBeTruthy();
    act(() => socket.tell('chat_updated', { chat: { ...older, lastMessage: 'Stale', rev: 1 } }));
    act(() => socket.tell('chat_deleted', { chatId: newer._id }));
    await waitFor(() => expect(recentNames()).toEqual(['Older']));
    expect(screen.queryByText('Stale')).toBeNull();
  });
});

describe('recent activity', () => {
  it('shows new chats, messages, claims and closed chats live', async () => {
    const { socket } = start();
    await screen.findByText('No recent activity');
    const chat = chatOf('Mina Park', 0);
    act(() => {
      socket.tell('new_chat', { chat });
      socket.tell('chat_updated', { chat });
      socket.tell('new_message', visitorMessage(chat, 'z'.repeat(60)));
      socket.tell('chat_claimed', { chatId: chat._id, claimedBy: BEN });
      socket.tell('chat_closed', { chatId: chat._id, closedBy: null });
    });
    for (const text of [
      'Mina Park started a chat on Oak and Line',
      `Mina Park: ${'z'.repeat(50)}…`,
      'Ben Ito claimed the chat with Mina Park',
      'The chat with Mina Park was closed',
    ]) {
      expect(within(await feed()).getByText(text)).toBeTruthy();
    }
  });

  it('starts with the recent chats, each once', async () => {
    const chat = chatOf('Mina Park', 0, { status: 'closed', closedAt: NEXT_WEEK });
    const { socket } = start({ recent: [chat] });
    expect(await screen.findByText('The chat with Mina Park was closed')).toBeTruthy();
    act(() => socket.tell('chat_closed', { chatId: chat._id, closedBy: BEN }));
    await waitFor(() => expect(screen.getByText('Ben Ito closed the chat with Mina Park')).toBeTruthy());
    expect(screen.queryByText('The chat with Mina Park was closed')).toBeNull();
  });

  it('keeps twenty entries', async () => {
    const { socket } = start();
    await screen.findByText('No recent activity');
    act(() => {
      for (let index = 0; index < 25; index += 1) {
        socket.tell('new_chat', { chat: chatOf(`Visitor ${index}`, index, { createdAt: NEXT_WEEK }) });
      }
    });
    expect(within(await feed()).getAllByRole('listitem')).toHaveLength(20);
  });
});
