import { act, screen, within } from '@testing-library/react';
import type { Chat, Department } from 'server/contract';
import { expect, it } from 'vitest';
import { id } from '../../../test/make.ts';
import { ANA, makeNote, oakChat, openChat } from '../chats/testing.ts';
import { BEN, makeRow, startHistory } from '../history/testing.ts';
// Lazy modules: imported here, so that no test waits for them.
import '../selection/SelectBox.tsx';

const ORDERS: Department = {
  _id: id(),
  name: 'Orders',
  members: [BEN._id],
  hours: null,
  visible: true,
  helpAfterMinutes: 10,
  rev: 1,
};
const INVOICES: Department = { ...ORDERS, _id: id(), name: 'Invoices', helpAfterMinutes: null };
const DEPARTMENTS = { departments: [ORDERS, INVOICES] };
const inOrders = () => ({ _id: ORDERS._id, name: 'Orders', since: new Date().toISOString() });

it('shows who is told of a chat and until when, and puts it into another department', async () => {
  const [moved, transferred, removed] = [
    makeNote({ event: 'department', department: ORDERS, author: BEN }),
    makeNote({ event: 'transferred', to: null, department: INVOICES, author: ANA }),
    makeNote({ event: 'department', department: null, author: BEN }),
  ];
  const chat = oakChat({ department: inOrders() });
  const { api, user } = await openChat({ chat, notes: [moved, transferred, removed] });
  api.on('GET /sites/:id/departments', DEPARTMENTS);
  for (const text of [
    'Ben Ito put this chat into Orders',
    'Ana Lind handed this chat to Invoices',
    'Ben Ito took this chat out of its department',
  ])
    expect(await screen.findByText(text, { exact: false })).toBeTruthy();
  const section = within(await screen.findByRole('region', { name: 'Department' }));
  expect(await section.findByText(/^Others may help from .*\d?\d:\d\d/)).toBeTruthy();
  const change = async (name: string) => {
    await user.click(section.getByRole('combobox', { name: 'Department' }));
    await user.click(await screen.findByRole('option', { name }));
  };
  const invoices = { ...chat, rev: 2, department: { ...inOrders(), _id: INVOICES._id, name: 'Invoices' } };
  api.on('PUT /chats/:id/department', { chat: invoices });
  await change('Invoices');
  expect(await section.findByText('Only its members are told of this chat.')).toBeTruthy();
  const { department: _, ...none } = { ...invoices, rev: 3 };
  api.on('PUT /chats/:id/department', { chat: none });
  await change('No department');
  expect(section.queryByText('Only its members are told of this chat.')).toBeNull();
  const asked = api.asked('PUT /chats/:id/department').map(({ body }) => body);
  expect(asked).toEqual([{ department: INVOICES._id }, { department: null }]);
});

it('gives several chats to a department, and finds chats of one in the history', async () => {
  const rows = [makeRow({ department: inOrders() }), makeRow()];
  const { api, user } = startHistory({ rows });
  api.on('GET /sites/:id/departments', DEPARTMENTS);
  api.on('GET /team/members', { members: [] });
  const [box] = await screen.findAllByRole('checkbox', { name: /^Select the chat of/ });
  expect(screen.getAllByText('Orders')).toBeTruthy();
  await user.click(box as HTMLElement);
  await user.click(await screen.findByRole('button', { name: 'Assign' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Assign 1 chat' }));
  const chat = rows[0] as Chat;
  api.on('POST /chats/bulk', { results: [{ chatId: chat._id, outcome: 'done', chat: { ...chat, rev: 2 } }] });
  await user.click(await dialog.findByRole('button', { name: 'Invoices' }));
  expect(await screen.findByText('1 chat assigned to Invoices')).toBeTruthy();
  const change = { action: 'department', department: INVOICES._id, chatIds: [chat._id] };
  expect(api.asked('POST /chats/bulk')[0]?.body).toEqual(change);
  await user.click(screen.getByRole('button', { name: 'Filters' }));
  await user.click(await screen.findByRole('combobox', { name: 'Department' }));
  await user.click(await screen.findByRole('option', { name: 'Orders' }));
  await act(async () => undefined);
  expect(api.asked('GET /chats/history').at(-1)?.query).toMatchObject({ department: ORDERS._id });
});
