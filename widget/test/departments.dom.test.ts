import { afterEach, beforeEach, expect, test } from 'vitest';
import { find, leave, parley, texts, visit, write } from './page.ts';
import { type StandIn, startStandIn } from './standin.ts';
import { waitFor } from './wait.ts';

const ORDERS = { _id: 'a'.repeat(24), name: 'Orders', online: true };
const BILLS = { _id: 'b'.repeat(24), name: 'Invoices', online: false, opensAt: '2099-01-05T09:00:00.000Z' };
let server: StandIn;

beforeEach(async () => {
  server = await startStandIn();
  server.config.departments = [ORDERS, BILLS];
});
afterEach(async () => {
  leave();
  localStorage.clear();
  await server.stop();
});

async function open(): Promise<void> {
  visit(server);
  await waitFor(() => find('.launcher'));
  parley().open();
  await waitFor(() => expect(texts('.choices span')).toEqual(['Orders', 'Invoices']));
  await waitFor(() => expect(server.io.of('/visitor').sockets.size).toBe(1));
}

const choose = (id: string) => find<HTMLInputElement>(`.choices [value="${id}"]`).click();
const sent = () => server.asks.flatMap(([event, ask]) => (event === 'send_message' ? [ask] : []));

test('the chosen department goes with the message that begins a chat, and then there is nothing to choose', async () => {
  await open();
  expect(texts('.choices small')).toEqual([expect.stringMatching(/^Back on Monday, January 5 at /)]);
  choose(BILLS._id);
  choose(ORDERS._id);
  write('Where is my parcel?');
  await waitFor(() => expect(sent()).toMatchObject([{ department: ORDERS._id }]));
  await waitFor(() => expect(find('.departments').hidden).toBe(true));
  expect(texts('.choices span')).toEqual([]);
  write('Number 12.');
  await waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()[1]).not.toHaveProperty('department');
});

test('a choice can be taken back, and none is needed', async () => {
  await open();
  choose(ORDERS._id);
  choose(ORDERS._id);
  write('Hello');
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]).not.toHaveProperty('department');
});

test('a department that opens or closes meanwhile says so, and stays chosen', async () => {
  await open();
  choose(BILLS._id);
  find<HTMLInputElement>(`[value="${BILLS._id}"]`).focus();
  const { name: _, ...orders } = { ...ORDERS, online: false, opensAt: BILLS.opensAt };
  server.io
    .of('/visitor')
    .emit('availability', { online: true, departments: [orders, { _id: BILLS._id, online: true }] });
  await waitFor(() => expect(find('.choices label:first-child small')).toBeTruthy());
  expect(texts('.choices span')).toEqual(['Orders', 'Invoices']);
  expect(texts('.choices small')).toHaveLength(1);
  expect(find<HTMLInputElement>(`[value="${BILLS._id}"]`).checked).toBe(true);
  expect(find<HTMLInputElement>(`[value="${BILLS._id}"]`).matches(':focus')).toBe(true);
});

test('of a chosen department that nobody answers for, the panel says so and asks for an address; without it, not', async () => {
  await open();
  const status = () => find('.status').textContent;
  const usual = status();
  choose(BILLS._id);
  await waitFor(() => expect(texts('.form h3')).toHaveLength(1));
  const away = status();
  expect(away).not.toBe(usual);
  await waitFor(() => expect(texts('.opening')).toEqual([expect.stringMatching(/^Back on Monday/)]));
  // What the server says of the site meanwhile changes nothing.
  server.io.of('/visitor').emit('config_changed', { config: { ...server.config, buttonText: 'Ask us' } });
  await waitFor(() => expect(find('.launcher').textContent).toBe('Ask us'));
  expect([status(), ...texts('.form h3')]).toEqual([away, expect.anything()]);
  choose(ORDERS._id);
  await waitFor(() => expect(texts('.form h3')).toEqual([]));
  expect([status(), ...texts('.opening')]).toEqual([usual, '']);
});

test('of the department of a chat that waits, it says so, too, until somebody talks with the visitor', async () => {
  await open();
  choose(ORDERS._id);
  write('Where is my parcel?');
  await waitFor(() => expect(sent()).toHaveLength(1));
  const [orders, bills] = [ORDERS, BILLS].map(({ name: _, ...state }) => ({ ...state, online: false }));
  server.io.of('/visitor').emit('availability', { online: true, departments: [orders, bills] });
  await waitFor(() => expect(texts('.offline:not(.opening)')).toEqual(['Nobody is there.']));
  server.claim({ name: 'Ana', avatar: null });
  await waitFor(() => expect(find('.status').textContent).toBe('Talking with Ana'));
  expect(texts('.offline:not(.opening)')).toEqual(['']);
});
