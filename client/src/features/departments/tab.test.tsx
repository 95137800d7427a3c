import { screen, within } from '@testing-library/react';
import type { Department } from 'server/contract';
import { expect, it } from 'vitest';
import { Refusal } from '../../../test/api.ts';
import { ANA, OAK, startSites } from '../sites/testing.ts';

const ORDERS: Department = {
  _id: 'd'.repeat(24),
  name: 'Orders',
  members: [ANA._id],
  hours: null,
  visible: true,
  helpAfterMinutes: 5,
  rev: 3,
};
const BILLS: Department = { ...ORDERS, _id: 'e'.repeat(24), name: 'Invoices', members: [], visible: false, rev: 1 };
const TEAM = [{ userId: { _id: ANA._id, name: ANA.name, email: ANA.email }, role: 'admin' as const }];

async function openTab(departments: Department[]) {
  const site = { ...OAK, team: TEAM };
  const started = startSites(`/dashboard/sites/${OAK._id}?tab=departments`, { sites: [site] });
  started.api.on('GET /sites/:id/departments', { departments });
  return { ...started, tab: within(await screen.findByRole('tabpanel', { name: 'Departments' })) };
}

it('adds a department with its members, and shows a name that is taken at its field', async () => {
  const { user, api, tab } = await openTab([]);
  expect(await tab.findByText('No departments: every chat goes to everybody who may answer.')).toBeTruthy();
  await user.click(tab.getByRole('button', { name: 'Add department' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add department' }));
  await user.click(dialog.getByRole('button', { name: 'Add department' }));
  expect(await dialog.findByText('Enter a name')).toBeTruthy();
  await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'Orders');
  await user.click(dialog.getByRole('checkbox', { name: ANA.name }));
  const taken = 'There is already a department with this name.';
  api.on('POST /sites/:id/departments', new Refusal(409, { code: 'DEPARTMENT_EXISTS', message: taken }));
  await user.click(dialog.getByRole('button', { name: 'Add department' }));
  expect(await dialog.findByText(taken)).toBeTruthy();
  api.on('POST /sites/:id/departments', { departments: [ORDERS] });
  await user.click(dialog.getByRole('button', { name: 'Add department' }));
  expect(within(await tab.findByRole('listitem', { name: 'Orders' })).getByText(ANA.name)).toBeTruthy();
  expect(api.asked('POST /sites/:id/departments').at(-1)?.body).toEqual({
    name: 'Orders',
    members: [ANA._id],
    hours: null,
    visible: true,
    helpAfterMinutes: 5,
  });
});

it('changes, sorts and deletes departments, and says what becomes of their chats', async () => {
  const { user, api, tab } = await openTab([ORDERS, BILLS]);
  api.on('PUT /sites/:id/departments', { departments: [BILLS, ORDERS] });
  await user.click(await tab.findByRole('button', { name: 'Move Invoices up' }));
  expect(api.asked('PUT /sites/:id/departments')[0]?.body).toEqual({ ids: [BILLS._id, ORDERS._id] });
  expect(tab.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Invoices',
    'Orders',
  ]);

  await user.click(tab.getByRole('button', { name: 'Edit Orders' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit department' }));
  await user.click(dialog.getByRole('checkbox', { name: 'Visitors can choose it' }));
  const changed = new Refusal(409, { code: 'SETTINGS_CHANGED', message: 'Somebody else has changed this meanwhile.' });
  api.on('PATCH /sites/:id/departments/:departmentId', changed);
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText(/^Somebody else has changed this department meanwhile/)).toBeTruthy();
  api.on('PATCH /sites/:id/departments/:departmentId', { departments: [BILLS, { ...ORDERS, visible: false }] });
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await tab.findAllByText(/Only the team can choose it/)).toHaveLength(2);
  expect(api.asked('PATCH /sites/:id/departments/:departmentId')[0]?.body).toMatchObject({ visible: false, rev: 3 });

  await user.click(tab.getByRole('button', { name: 'Delete Orders' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Delete department' }));
  expect(question.getByText(/^The chats of Orders are kept/)).toBeTruthy();
  api.on('DELETE /sites/:id/departments/:departmentId', { departments: [BILLS] });
  await user.click(question.getByRole('button', { name: 'Delete' }));
  expect(await tab.findAllByRole('listitem')).toHaveLength(1);
});

it('is for those who may change the website', async () => {
  startSites(`/dashboard/sites/${OAK._id}?tab=departments`, { sites: [{ ...OAK, role: 'agent', isOwner: false }] });
  await screen.findByRole('tab', { name: 'General' });
  expect(screen.queryByRole('tab', { name: 'Departments' })).toBeNull();
});
