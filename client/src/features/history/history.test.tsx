import { act, screen, waitFor, within } from '@testing-library/react';
import type { BulkBody, HistoryRow } from 'server/contract';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../test/api.ts';
import { makeMessage } from '../chats/testing.ts';
// A lazy module: imported here, so that no test waits for it.
import '../selection/SelectBox.tsx';
import { BEN, makeRow, OAK, startHistory } from './testing.ts';

const DOWN = new Refusal(503, { code: 'UNAVAILABLE', message: 'Not now' });
const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const visitor = (parts: object) => ({ ...makeRow().visitorInfo, ...parts });
const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => makeRow({ visitorInfo: visitor({ name: `Visitor ${index}` }) }));

async function openFilters(user: ReturnType<typeof startHistory>['user']) {
  await user.click(await screen.findByRole('button', { name: 'Filters' }));
  return within(screen.getByRole('region', { name: 'Filters' }));
}

describe('the table', () => {
  it('has the columns and placeholder texts of the spec', async () => {
    const full = makeRow({
      visitorInfo: visitor({ name: 'Mina Park', email: 'mina@example.com' }),
      claimedBy: BEN,
      durationMinutes: 12,
      createdAt: '2026-01-05T12:00:00.000Z',
    });
    const bare = makeRow({
      visitorInfo: visitor({ name: null, email: null }),
      site: { _id: OAK._id, name: '' },
      durationMinutes: 0,
    });
    startHistory({ rows: [full, bare] });
    expect(await screen.findByText('2 chat(s) found')).toBeTruthy();
    const columns = screen.getAllByRole('columnheader').map((head) => head.textContent);
    expect(columns).toEqual(['Visitor', 'Website', 'Supporter', 'Duration', 'Date', 'Actions']);
    const [first, second] = screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => within(row).getAllByRole('cell'));
    expect(first?.slice(1, 4).map((cell) => cell.textContent)).toEqual(['Oak and Line', 'Ben Ito', '12 min']);
    for (const text of ['Mina Park', 'mina@example.com']) expect(within(first?.[0] as HTMLElement).getByText(text));
    expect(first?.[4]?.textContent).toContain('Jan 5, 2026');
    for (const text of ['Anonymous', 'No email']) expect(within(second?.[0] as HTMLElement).getByText(text));
    expect(second?.slice(1, 4).map((cell) => cell.textContent)).toEqual(['Unknown', 'Unclaimed', '0 min']);
  });

  it('shows an error when the end date is before the start date', async () => {
    startHistory({ path: '/dashboard/history?startDate=2026-02-02&endDate=2026-01-01' });
    expect(await screen.findByText('The end date is before the start date.')).toBeTruthy();
  });

  it('shows when nothing was found', async () => {
    startHistory();
    expect(await screen.findByText('No chats found')).toBeTruthy();
    expect(screen.getByText('Try adjusting your search criteria')).toBeTruthy();
    expect(screen.getByText('0 chat(s) found')).toBeTruthy();
  });

  it('loads page by page, shows that there are more, and renders long lists in part', async () => {
    const { api } = startHistory();
    const all = rows(150);
    api.on('GET /chats/history', ({ query }) =>
      query.cursor === 'second'
        ? { chats: all.slice(100), nextCursor: null, total: null }
        : { chats: all.slice(0, 100), nextCursor: 'second', total: 150 },
    );
    expect(await screen.findByText('150 chat(s) found')).toBeTruthy();
    expect(api.asked('GET /chats/history').map(({ query }) => [query.limit, query.cursor])).toEqual([
      ['100', undefined],
      ['100', 'second'],
    ]);
    expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('151');
    await waitFor(() => expect(screen.getAllByRole('row').length).toBeLessThan(150));
  });

  it('keeps the loaded pages and offers a retry when the next one fails', async () => {
    const { user, api } = startHistory();
    api.on('GET /chats/history', ({ query }) =>
      query.cursor ? DOWN : { chats: rows(3), nextCursor: 'second', total: null },
    );
    expect(await screen.findByText('More chats could not be loaded.')).toBeTruthy();
    expect(screen.getByText('3+ chat(s) found')).toBeTruthy();
    api.on('GET /chats/history', { chats: rows(1), nextCursor: null, total: null });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('4 chat(s) found')).toBeTruthy();
  });

  it('shows an error when it cannot be loaded, and retries', async () => {
    const { user, api } = startHistory();
    api.on('GET /chats/history', DOWN);
    expect(await screen.findByText('The chat history could not be loaded.')).toBeTruthy();
    api.on('GET /chats/history', { chats: rows(1), nextCursor: null, total: null });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('1 chat(s) found')).toBeTruthy();
  });

  it('reloads after a reconnect', async () => {
    const { api, socket } = startHistory({ rows: rows(1) });
    await screen.findByText('1 chat(s) found');
    act(() => socket.connect());
    await waitFor(() => expect(api.asked('GET /chats/history')).toHaveLength(2));
    act(() => socket.drop());
    api.on('GET /chats/history', { chats: rows(2), nextCursor: null, total: null });
    act(() => socket.connect());
    expect(await screen.findByText('2 chat(s) found')).toBeTruthy();
  });

  it('follows changes of its chats', async () => {
    const [kept, gone] = [makeRow(), makeRow({ visitorInfo: visitor({ name: 'Second' }) })];
    const { socket } = startHistory({ rows: [kept, gone] });
    await screen.findByText('2 chat(s) found');
    const metadata = { lastMessage: '', lastActivity: '2026-01-05T09:45:30.000Z' };
    const { durationMinutes: _, ...chat } = kept;
    act(() => socket.tell('chat_updated', { chat: { ...chat, rev: 2, claimedBy: BEN, metadata } }));
    expect(await screen.findByText('45 min')).toBeTruthy();
    expect(screen.getByTitle('Ben Ito')).toBeTruthy();
    act(() => socket.tell('chat_deleted', { chatId: gone._id }));
    expect(await screen.findByText('1 chat(s) found')).toBeTruthy();
  });
});

describe('selecting', () => {
  it('tags all loaded chats at once; closing and assigning are offered for those that are open', async () => {
    const held = [
      makeRow({ status: 'closed', visitorInfo: visitor({ name: 'Dora' }) }),
      makeRow({ status: 'active', visitorInfo: visitor({ name: 'Carl' }) }),
    ];
    const { user, api } = startHistory({ rows: held });
    api.on('GET /inbox/tags', { tags: ['refund'] });
    api.on('POST /chats/bulk', ({ body }) => ({
      results: (body as BulkBody).chatIds.map((chatId, at) => {
        const { durationMinutes: _, ...chat } = held[at] as HistoryRow;
        return { chatId, outcome: 'done', chat: { ...chat, rev: 2, tags: ['refund'] } };
      }),
    }));
    await user.click(await screen.findByRole('checkbox', { name: 'Select the chat of Dora' }));
    const bar = within(screen.getByRole('region', { name: 'Selected chats' }));
    expect(bar.queryByRole('button', { name: 'Close' })).toBeNull();
    const all = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all loaded chats' });
    expect(all.indeterminate).toBe(true);
    await user.click(all);
    expect(bar.getByText('2 selected')).toBeTruthy();
    for (const name of ['Close', 'Assign']) expect(bar.getByRole('button', { name })).toBeTruthy();
    await user.click(bar.getByRole('button', { name: 'Tag' }));
    await user.click(await screen.findByRole('button', { name: 'refund' }));
    expect(await screen.findByText('2 chats tagged ‘refund’')).toBeTruthy();
    expect(api.asked('POST /chats/bulk')[0]?.body).toEqual({
      action: 'tag',
      tag: 'refund',
      chatIds: held.map(({ _id }) => _id),
    });
    expect(await screen.findByText('2 chat(s) found')).toBeTruthy();
  });
});

describe('the filters', () => {
  it('are hidden by default, and kept in the address', async () => {
    const { user, api, path } = startHistory({ rows: rows(1) });
    await screen.findByText('1 chat(s) found');
    expect(screen.queryByRole('region', { name: 'Filters' })).toBeNull();
    const filters = await openFilters(user);
    await user.click(filters.getByRole('combobox', { name: 'Website' }));
    const websites = await screen.findAllByRole('option');
    expect(websites.map((option) => option.textContent)).toEqual(['All Websites', 'Oak and Line']);
    await user.click(screen.getByRole('option', { name: 'Oak and Line' }));
    await user.click(filters.getByRole('combobox', { name: 'Supporter' }));
    const supporters = await screen.findAllByRole('option');
    expect(supporters.map((option) => option.textContent)).toEqual(['All Supporters', 'Ben Ito']);
    await user.click(screen.getByRole('option', { name: 'Ben Ito' }));
    await user.type(filters.getByLabelText('Start date'), '2026-01-02');
    await user.type(filters.getByLabelText('End date'), '2026-01-09');
    await user.type(filters.getByRole('searchbox', { name: 'Search' }), 'mina park');
    const wanted = {
      siteId: OAK._id,
      supporter: BEN._id,
      startDate: '2026-01-02',
      endDate: '2026-01-09',
      search: 'mina park',
    };
    await waitFor(() =>
      expect(api.asked('GET /chats/history').at(-1)?.query).toEqual({ ...wanted, tz: timeZone, limit: '100' }),
    );
    expect(Object.fromEntries(new URL(path(), 'http://x').searchParams)).toEqual(wanted);
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    await waitFor(() => expect(path()).toBe('/dashboard/history'));
    expect(filters.getByRole<HTMLInputElement>('searchbox').value).toBe('');
  });

  it('are read from the address and then shown, without invalid values', async () => {
    const { api } = startHistory({ path: '/dashboard/history?search=tea&startDate=soon&siteId=x' });
    await screen.findByText('0 chat(s) found');
    expect(screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search' }).value).toBe('tea');
    expect(api.asked('GET /chats/history')[0]?.query).toEqual({ search: 'tea', tz: timeZone, limit: '100' });
    expect(screen.getByRole('button', { name: 'Show all chats' })).toBeTruthy();
  });
});

it.each([
  ['websites', 'GET /sites', { sites: [OAK], limit: 3 }],
  ['supporters', 'GET /chats/supporters', { supporters: [BEN] }],
] as const)('show an error when the %s cannot be loaded, and retry', async (what, name, answer) => {
  const { user, api } = startHistory();
  api.on(name, new Refusal(403, { code: 'FORBIDDEN', message: 'No' }));
  const filters = await openFilters(user);
  expect((await filters.findByRole('alert')).textContent).toContain(`The ${what} could not be loaded.`);
  api.on(name, answer as never);
  await user.click(filters.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(filters.queryByRole('alert')).toBeNull());
});

describe('a transcript', () => {
  it('opens beside the list, from the beginning, and closes', async () => {
    const row = makeRow();
    const { user, api, path } = startHistory({ rows: [row] });
    const said = [makeMessage({ seq: 1 }), makeMessage({ seq: 2, sender: 'agent', senderName: 'Ben Ito' })];
    api.on('GET /chats/:id/messages', ({ query }) =>
      query.after === '0' ? { messages: said, more: true } : { messages: [makeMessage({ seq: 3 })], more: false },
    );
    await user.click(await screen.findByRole('button', { name: 'View transcript of Mina Park' }));
    const panel = within(await screen.findByRole('dialog', { name: 'Mina Park' }));
    for (const text of ['Message 1', 'Message 2', 'Ben Ito']) expect(await panel.findByText(text)).toBeTruthy();
    expect(path()).toBe(`/dashboard/history?chat=${row._id}`);
    await user.click(panel.getByRole('button', { name: 'Show more messages' }));
    expect(await panel.findByText('Message 3')).toBeTruthy();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(path()).toBe('/dashboard/history');
  });

  it('of a closed chat offers to reopen it, and goes on in the inbox', async () => {
    const row = makeRow({ status: 'closed' });
    const { user, api, path } = startHistory({ rows: [row], path: `/dashboard/history?chat=${row._id}` });
    api.on('GET /chats/:id/messages', { messages: [makeMessage({ seq: 1 })], more: false });
    api.on('POST /chats/:id/reopen', { chat: { ...row, status: 'active', rev: 2 } });
    await user.click(await screen.findByRole('button', { name: 'Reopen' }));
    expect(api.asked('POST /chats/:id/reopen')[0]?.params).toEqual({ id: row._id });
    await waitFor(() => expect(path()).toBe(`/dashboard/inbox?chat=${row._id}`));
  });

  it('shows an error when it cannot be loaded, and retries', async () => {
    const row = makeRow();
    const { user, api } = startHistory({ rows: [row], path: `/dashboard/history?chat=${row._id}` });
    api.on('GET /chats/:id/messages', DOWN);
    expect(await screen.findByText('The transcript could not be loaded.')).toBeTruthy();
    api.on('GET /chats/:id/messages', { messages: [], more: false });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('This chat has no messages')).toBeTruthy();
  });
});
