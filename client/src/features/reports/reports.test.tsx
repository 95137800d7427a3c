import { act, screen, waitFor, within } from '@testing-library/react';
import { createElement } from 'react';
import type { AgentReport, Department, DepartmentReport, Report } from 'server/contract';
import { describe, expect, it, vi } from 'vitest';
import { fakeApi, Refusal } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { makeChat, makeSite, makeUser } from '../../../test/make.ts';
import { useAuth } from '../../lib/auth.tsx';
import { localTimeZone } from '../../lib/format.ts';
import ReportsPage from './ReportsPage.tsx';

const [OAK, ELM] = [makeSite(), makeSite({ name: 'Elm Books', role: 'agent', isOwner: false })];

const agentOf = (name: string | null, parts: Partial<AgentReport> = {}): AgentReport => ({
  agent: { _id: `${name}`.padStart(24, '0'), name },
  answered: 0,
  responseMinutes: null,
  resolved: 0,
  resolutionMinutes: null,
  ratings: 0,
  rating: null,
  ...parts,
});

const REPORT: Report = {
  stars: [1, 0, 0, 2, 7],
  rating: 4.4,
  perDay: Array.from({ length: 30 }, (_, at) => ({
    day: `2026-01-${String(at + 1).padStart(2, '0')}`,
    ratings: at === 29 ? 2 : 0,
    rating: at === 29 ? 4.5 : null,
  })),
  perHour: Array.from({ length: 24 }, (_, hour) => (hour === 15 ? 9 : 1)),
  suggestionsUsed: 1_234,
  departments: [],
  agents: [
    agentOf('Ana Lind', {
      answered: 12,
      responseMinutes: 3.4,
      resolved: 9,
      resolutionMinutes: 300,
      ratings: 3,
      rating: 5,
    }),
    agentOf('Ben Ito', { answered: 7, responseMinutes: 1, resolved: 20, resolutionMinutes: 5_760 }),
    agentOf(null, { answered: 2, responseMinutes: 60 }),
    { ...agentOf(''), agent: null, resolved: 1, ratings: 1, rating: 1 },
  ],
};

const asDepartment = ({ department: { _id, name } }: DepartmentReport): Department => ({
  _id,
  name: name ?? '',
  members: [],
  hours: null,
  visible: true,
  helpAfterMinutes: null,
  rev: 1,
});

/** As the guard of the real routes does. */
function Framed() {
  return useAuth().user && createElement(ReportsPage);
}

function start(report: Partial<Report> = {}, { sites = [OAK, ELM], path = '/dashboard/reports' } = {}) {
  const api = fakeApi();
  api.on('GET /reports', { ...REPORT, ...report });
  api.on('GET /sites', { sites, limit: 3 });
  api.on('GET /sites/:id/departments', ({ params }) => ({
    departments: params.id === OAK._id ? (report.departments ?? []).slice(0, 1).map(asDepartment) : [],
  }));
  const routes = [{ path: '/dashboard/reports', Component: Framed }];
  return startApp(routes, path, { api, signedInAs: makeUser() });
}

const table = async () => within(await screen.findByRole('table', { name: 'Agents' }));
const names = async () => (await table()).getAllByRole('rowheader').map((cell) => cell.textContent);
const cellsOf = async (name: string) => {
  const row = (await table()).getByRole('rowheader', { name }).closest('tr');
  return within(row as HTMLElement)
    .getAllByRole('cell')
    .map((cell) => cell.textContent);
};

it('says how many suggestions were used, where a site has switched them on', async () => {
  start();
  const card = (await screen.findByRole('heading', { name: /^Suggestions used/ })).closest('section');
  expect(card?.textContent).toContain('1,234');
});

describe('satisfaction', () => {
  it('shows the average, and how many ratings there are with each number of stars', async () => {
    start();
    const card = within(await screen.findByRole('region', { name: 'Satisfaction' }));
    expect(card.getByText('4.4')).toBeTruthy();
    expect(card.getByText('of 5, 10 ratings')).toBeTruthy();
    const rows = within(card.getByRole('list', { name: 'Ratings by stars' })).getAllByRole('listitem');
    expect(rows.map((row) => row.firstElementChild?.textContent)).toEqual([
      '5 stars: 7 ratings',
      '4 stars: 2 ratings',
      '3 stars: 0 ratings',
      '2 stars: 0 ratings',
      '1 star: 1 rating',
    ]);
  });

  it('and hours of the day are charts that can be read with the keyboard, and tables', async () => {
    const { user } = start();
    const hours = await screen.findByRole('slider', { name: 'Conversations by hour' });
    act(() => hours.focus());
    await user.keyboard('{Home}');
    expect(hours.getAttribute('aria-valuetext')).toMatch(/^(12 AM|00|0).*: 1 conversation$/);
    expect(screen.getByRole('slider', { name: 'Average rating per day' }).getAttribute('aria-valuetext')).toBe(
      'Jan 30: 4.5 stars',
    );
    await user.click(screen.getByRole('button', { name: 'Table of Conversations by hour' }));
    const shown = within(screen.getByRole('region', { name: 'Conversations by hour, table' }));
    expect(shown.getByRole('columnheader', { name: 'Hour' })).toBeTruthy();
    expect(shown.getAllByRole('row')).toHaveLength(25);
  });
});

describe('the table of agents', () => {
  it('has what each did, also of deleted accounts and of nobody', async () => {
    start();
    expect(await names()).toEqual(['Ana Lind', 'Ben Ito', 'Deleted account', 'Nobody']);
    expect(await cellsOf('Ana Lind')).toEqual(['12', '3.4 min', '9', '5 hr', '3', '5.00']);
    expect(await cellsOf('Ben Ito')).toEqual(['7', '1 min', '20', '4 days', '0', '–']);
    expect(screen.queryByText(/your own figures/)).toBeNull();
  });

  it('is sorted by any column, in both directions, and what has no value stays last', async () => {
    const { user } = start();
    const head = async (name: string) => (await table()).getByRole('columnheader', { name });
    expect((await head('Answered')).getAttribute('aria-sort')).toBe('descending');
    await user.click(screen.getByRole('button', { name: 'Average rating' }));
    expect(await names()).toEqual(['Ana Lind', 'Nobody', 'Ben Ito', 'Deleted account']);
    await user.click(screen.getByRole('button', { name: 'Average rating' }));
    expect(await names()).toEqual(['Nobody', 'Ana Lind', 'Ben Ito', 'Deleted account']);
    expect((await head('Average rating')).getAttribute('aria-sort')).toBe('ascending');
    expect((await head('Answered')).getAttribute('aria-sort')).toBe('none');
    await user.click(screen.getByRole('button', { name: 'Agent' }));
    expect(await names()).toEqual(['Ana Lind', 'Ben Ito', 'Deleted account', 'Nobody']);
  });

  it('says where only the own figures are shown', async () => {
    start({}, { path: `/dashboard/reports?siteId=${ELM._id}` });
    expect(await screen.findByText(/You see your own figures/)).toBeTruthy();
  });

  it('is saved as a file with the same site and days', async () => {
    const { user, api } = start({}, { path: `/dashboard/reports?siteId=${OAK._id}&days=7` });
    api.on('GET /reports/export', new Refusal(503, { code: 'UNAVAILABLE', message: 'Not now' }));
    await user.click(await screen.findByRole('button', { name: 'Export CSV' }));
    expect(await screen.findByText('Not now')).toBeTruthy();
    expect(api.asked('GET /reports/export')[0]?.query).toEqual({
      table: 'agents',
      siteId: OAK._id,
      days: '7',
      tz: localTimeZone(),
    });
  });
});

describe('the report', () => {
  it('is of 30 days and all websites, until others are chosen, which the address keeps', async () => {
    const { user, api, path } = start();
    await table();
    expect(api.asked('GET /reports')[0]?.query).toEqual({ days: '30', tz: localTimeZone() });
    await user.click(screen.getByRole('combobox', { name: 'Period' }));
    await user.click(await screen.findByRole('option', { name: 'Last 90 days' }));
    await waitFor(() => expect(path()).toBe('/dashboard/reports?days=90'));
    await user.click(screen.getByRole('combobox', { name: 'Website' }));
    await user.click(await screen.findByRole('option', { name: 'Elm Books' }));
    await waitFor(() => expect(path()).toBe(`/dashboard/reports?days=90&siteId=${ELM._id}`));
    await waitFor(() =>
      expect(api.asked('GET /reports').at(-1)?.query).toEqual({ siteId: ELM._id, days: '90', tz: localTimeZone() }),
    );
  });

  it('follows a laptop into another time zone, and so does its file', async () => {
    const { user, api } = start();
    await table();
    vi.stubEnv('TZ', 'Asia/Tokyo');
    document.dispatchEvent(new Event('visibilitychange'));
    await waitFor(() => expect(api.asked('GET /reports').at(-1)?.query).toEqual({ days: '30', tz: 'Asia/Tokyo' }));
    api.on('GET /reports/export', new Refusal(503, { code: 'UNAVAILABLE', message: 'Not now' }));
    await user.click(await screen.findByRole('button', { name: 'Export CSV' }));
    await waitFor(() => expect(api.asked('GET /reports/export')[0]?.query.tz).toBe('Asia/Tokyo'));
    vi.unstubAllEnvs();
  });

  it('has a card for departments, named with their websites where there are several, and a filter that the address keeps', async () => {
    const figures = agentOf('x', { answered: 3, responseMinutes: 4, resolved: 5 });
    const ofDepartment = (_id: string, name: string | null, siteId: string, chats: number) => ({
      ...figures,
      department: { _id, name },
      siteId,
      chats,
      missed: chats - 3,
    });
    const [orders, gone] = ['c'.repeat(24), 'd'.repeat(24)];
    const departments = [ofDepartment(orders, 'Orders', OAK._id, 4), ofDepartment(gone, null, ELM._id, 9)];
    const { user, api } = start({ departments });
    const card = within(await screen.findByRole('table', { name: 'Departments' }));
    const heads = () => card.getAllByRole('rowheader').map((cell) => cell.textContent);
    expect(heads()).toEqual([`Deleted department · ${ELM.name}`, `Orders · ${OAK.name}`]);
    await user.click(card.getByRole('button', { name: 'Missed' }));
    await user.click(card.getByRole('button', { name: 'Missed' }));
    expect(heads()[0]).toBe(`Orders · ${OAK.name}`);
    await user.click(screen.getByRole('combobox', { name: 'Department' }));
    await user.click(await screen.findByRole('option', { name: 'Orders' }));
    await waitFor(() => expect(api.asked('GET /reports').at(-1)?.query.department).toBe(orders));
    await user.click(screen.getByRole('combobox', { name: 'Website' }));
    await user.click(await screen.findByRole('option', { name: ELM.name }));
    await waitFor(() => expect(api.asked('GET /reports').at(-1)?.query).not.toHaveProperty('department'));
  });

  it('is read again soon after a chat was closed or rated', async () => {
    const { api, socket } = start();
    await table();
    act(() => {
      socket.tell('chat_updated', { chat: makeChat() });
      socket.tell('chat_updated', { chat: makeChat({ rating: { score: 5, comment: null } }) });
      socket.tell('chat_closed', { chatId: makeChat()._id, closedBy: null });
    });
    await waitFor(() => expect(api.asked('GET /reports')).toHaveLength(2));
  });

  it('says what is missing where there is nothing to show', async () => {
    const perDay = REPORT.perDay.map(({ day }) => ({ day, ratings: 0, rating: null }));
    start({
      stars: [0, 0, 0, 0, 0],
      rating: null,
      perDay,
      perHour: Array(24).fill(0),
      agents: [],
      departments: [],
      suggestionsUsed: null,
    });
    expect(await screen.findByText('No figures in these days')).toBeTruthy();
    expect(screen.getAllByText('No chats were rated in these days')).toHaveLength(2);
    expect(screen.getByText('No conversations in these days')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Export CSV' })).toBeNull();
  });

  it('begins with a website', async () => {
    start({}, { sites: [] });
    expect(await screen.findByRole('link', { name: 'Add Website' })).toBeTruthy();
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('shows an error when it cannot be loaded, and retries', async () => {
    const { user, api } = start();
    api.on('GET /reports', new Refusal(503, { code: 'UNAVAILABLE', message: 'Not now' }));
    expect(await screen.findByText('The report could not be loaded.')).toBeTruthy();
    api.on('GET /reports', REPORT);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await names()).toHaveLength(4);
  });
});
