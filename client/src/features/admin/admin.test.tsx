import { screen, waitFor, within } from '@testing-library/react';
import type { AuditEntry, PlatformAccount, PlatformFigures } from 'server/contract';
import { expect, it } from 'vitest';
import { fakeApi, Refusal } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { id, makeUser } from '../../../test/make.ts';
import AdminPage from './AdminPage.tsx';

const ANA = makeUser({ role: 'parley_admin' });
const AT = '2026-01-05T09:00:00.000Z';

const account = (parts: Partial<PlatformAccount> = {}): PlatformAccount => ({
  _id: id(),
  name: 'Ben Roy',
  email: 'ben@example.com',
  role: 'user',
  suspended: false,
  twoFactorEnabled: true,
  sites: 2,
  createdAt: AT,
  lastSeenAt: null,
  ...parts,
});
const OWN = account({ _id: ANA._id, name: 'Ana Lind', email: 'ana@example.com', role: 'parley_admin', sites: 1 });

const FIGURES: PlatformFigures = {
  accounts: 1_204,
  sites: 37,
  messages: 1_000_000,
  perDay: [
    { day: '2026-01-04', chats: 3 },
    { day: '2026-01-05', chats: 12 },
  ],
  sockets: { dashboards: 4, widgets: 58 },
  version: '0.1.0',
  startedAt: AT,
  nodes: [],
  storage: { engine: 'embedded', bytes: 3.4 * 2 ** 20, disk: { used: 83 * 2 ** 30, total: 100 * 2 ** 30 } },
  backups: null,
};

const entry = (parts: Partial<AuditEntry>): AuditEntry => ({
  _id: id(),
  at: AT,
  action: 'signed_in',
  actor: { _id: ANA._id, name: 'Ana Lind' },
  site: null,
  subject: null,
  detail: {},
  ...parts,
});

function start(accounts = [OWN, account()], entries: AuditEntry[] | Refusal = [], figures = FIGURES) {
  const api = fakeApi();
  api.on('GET /admin/overview', figures);
  api.on('GET /admin/users', ({ query }) => ({
    users: accounts.filter(({ name }) => name.toLowerCase().startsWith(query.search ?? '')),
    nextCursor: null,
  }));
  api.on('GET /admin/audit', entries instanceof Refusal ? entries : { entries, nextCursor: null });
  return startApp([{ path: '/', Component: AdminPage }], '/', { api, signedInAs: ANA });
}

const accountRow = async (name: string) => {
  const list = within(await screen.findByRole('list', { name: 'Accounts' }));
  return within(list.getByText(name).closest('li') ?? document.body);
};

it('shows the title, the line below it and the figures of the server', async () => {
  const { user } = start();
  expect(screen.getByRole('heading', { level: 1, name: 'Administration' })).toBeTruthy();
  expect(screen.getByText('administration panel')).toBeTruthy();
  for (const [label, value] of [
    ['Accounts', '1,204'],
    ['Messages', '1,000,000'],
    ['Open connections', '62'],
    ['Storage', '3.4 MB'],
    ['Version', '0.1.0'],
  ] as const) {
    const term = await screen.findByText(label, { selector: 'dt' });
    expect(term.nextElementSibling?.firstElementChild?.textContent).toBe(value);
  }
  const chart = screen.getByRole('slider', { name: 'Chats per day' });
  expect(chart.getAttribute('aria-valuetext')).toBe('Jan 5: 12 chats');
  await user.click(screen.getByRole('button', { name: 'Table of Chats per day' }));
  const rows = within(screen.getByRole('region', { name: 'Chats per day, table' })).getAllByRole('row');
  expect(rows.slice(1).map(({ textContent }) => textContent)).toEqual(['Jan 43', 'Jan 512']);
});

it('shows the newest backup, and why the last try failed', async () => {
  const last = { at: AT, bytes: 3 * 2 ** 20 };
  const failure = { at: AT, reason: 'The disk is full.' };
  start(undefined, undefined, { ...FIGURES, backups: { last, count: 3, keep: 7, failure } });
  const term = await screen.findByText('Backups', { selector: 'dt' });
  const said = term.nextElementSibling?.textContent;
  expect(said).toMatch(/Jan 5.*3 MB, checked, 3 of at most 7 kept/);
  expect(said).toMatch(/Failed Jan 5.*: The disk is full\./);
});

it('says when the database does not tell how full its disk is', async () => {
  start(undefined, undefined, { ...FIGURES, storage: { engine: 'mongodb', bytes: 1, disk: null } });
  expect(await screen.findByText(/does not say how full its disk is/)).toBeTruthy();
});

it('lists several nodes under a heading, with their connections and problems', async () => {
  const node = { address: 'one:3000', version: '0.1.0', startedAt: AT, sockets: { dashboards: 4, widgets: 50 } };
  const silent = {
    ...node,
    address: 'two:3000',
    sockets: { dashboards: 0, widgets: 0 },
    problems: ['silent' as const],
  };
  start(undefined, undefined, { ...FIGURES, nodes: [{ ...node, problems: [] }, silent] });
  expect(await screen.findByRole('heading', { level: 2, name: 'Nodes' })).toBeTruthy();
  const list = within(screen.getByRole('list', { name: 'Nodes' }));
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'one:300054 connections · 0.1.0, running since Jan 5',
    'two:3000does not answer · 0 connections · 0.1.0, running since Jan 5',
  ]);
});

it('finds accounts by the beginning of a name', async () => {
  const { user, api } = start();
  await accountRow('Ben Roy');
  await user.type(screen.getByRole('searchbox', { name: 'Search accounts' }), 'ana');
  await waitFor(() => expect(screen.queryByText('Ben Roy')).toBeNull());
  expect(api.asked('GET /admin/users').at(-1)?.query).toEqual({ search: 'ana' });
  await user.type(screen.getByRole('searchbox'), 'zz');
  expect(await screen.findByText('No accounts found')).toBeTruthy();
});

it('suspends an account after a confirmation, and ends the suspension', async () => {
  const ben = account();
  const { user, api } = start([OWN, ben]);
  api.on('PATCH /admin/users/:id', ({ body }) => ({ user: { ...ben, ...(body as object) } }));
  const row = await accountRow('Ben Roy');
  await user.click(row.getByRole('button', { name: 'Actions for Ben Roy' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Suspend' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Suspend?' }));
  expect(api.asked('PATCH /admin/users/:id')).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Suspend' }));
  expect(await row.findByText('Suspended')).toBeTruthy();
  await user.click(row.getByRole('button', { name: 'Actions for Ben Roy' }));
  await user.click(await screen.findByRole('menuitem', { name: 'End suspension' }));
  await user.click(await screen.findByRole('button', { name: 'End suspension' }));
  await waitFor(() => expect(row.queryByText('Suspended')).toBeNull());
});

it('does not offer to suspend your own account, and says who cannot be demoted', async () => {
  const { user, api } = start();
  const last = 'This is the last account that can administer this server.';
  api.on('PATCH /admin/users/:id', new Refusal(409, { code: 'LAST_ADMIN', message: last }));
  const row = await accountRow('Ana Lind');
  expect(row.getByText('Platform admin')).toBeTruthy();
  await user.click(row.getByRole('button', { name: 'Actions for Ana Lind' }));
  expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual([
    'Remove platform admin',
  ]);
  await user.click(screen.getByRole('menuitem'));
  await user.click(await screen.findByRole('button', { name: 'Remove platform admin' }));
  expect(await screen.findByText(last)).toBeTruthy();
});

it('shows the audit trail as sentences', async () => {
  const ben = { _id: id(), name: 'Ben $& Roy' };
  const site = { _id: id(), name: 'Oak and Line' };
  start(undefined, [
    entry({}),
    entry({ action: 'member_role_set', subject: ben, site, detail: { role: 'viewer' } }),
    entry({ action: 'sign_ins_refused', actor: null, subject: { _id: id(), name: null } }),
    entry({ action: 'two_factor_disabled', detail: { reason: 'owner' } }),
    entry({ action: 'two_factor_disabled', actor: null, subject: ben, detail: { reason: 'operator' } }),
    entry({ action: 'something_new', detail: { fields: ['name', 'email'] } }),
    entry({ times: 3, lastAt: new Date().toISOString() }),
  ]);
  const trail = within(await screen.findByRole('list', { name: 'Audit trail' }));
  expect(trail.getAllByRole('listitem').map((row) => row.querySelector('p')?.textContent)).toEqual([
    'Ana Lind signed in',
    'Ana Lind gave Ben $& Roy another role · Oak and Linerole: viewer',
    'A deleted account was refused after too many wrong passwords',
    'Ana Lind turned off two-factor authentication',
    'Ben $& Roy had two-factor authentication turned offoperator',
    'Ana Lind something newname, email',
    'Ana Lind signed in · 3 times',
  ]);
});

it('shows an error for what could not be loaded, and retries', async () => {
  const { user, api } = start(undefined, new Refusal(403, { code: 'FORBIDDEN', message: 'No.' }));
  expect(await screen.findByText('The audit trail could not be loaded.')).toBeTruthy();
  api.on('GET /admin/audit', { entries: [entry({})], nextCursor: null });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Ana Lind signed in')).toBeTruthy();
});
