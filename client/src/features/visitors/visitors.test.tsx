import { act, screen, waitFor, within } from '@testing-library/react';
import type { LiveVisitor, Site } from 'server/contract';
import { expect, it } from 'vitest';
import { fakeApi, Refusal } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { id, makeChat, makeSite, makeUser } from '../../../test/make.ts';
import VisitorsPage from './VisitorsPage.tsx';

const OFF = makeSite({ name: 'Oak and Line' });
const OAK: Site = { ...OFF, settings: { ...OFF.settings, visitorPages: true } };

const visitor = (parts: Partial<LiveVisitor> = {}): LiveVisitor => ({
  _id: id(),
  name: 'Mina Park',
  email: null,
  location: 'Lisbon, Portugal',
  page: { url: 'https://oak.example/tables', title: 'Tables' },
  userId: null,
  verified: false,
  attributes: [],
  since: new Date().toISOString(),
  openChatId: null,
  blocked: false,
  ...parts,
});

const ROUTES = [
  { path: '/dashboard/visitors', Component: VisitorsPage },
  { path: '/dashboard/sites/:siteId/visitors', Component: VisitorsPage },
  { path: '/dashboard/inbox', Component: () => 'Inbox screen' },
];

function start(visitors: LiveVisitor[], site: Site = OAK, path = '/dashboard/visitors') {
  const api = fakeApi();
  api.on('GET /sites', { sites: [site], limit: 3 });
  api.on('GET /sites/:id/visitors', { visitors, nextCursor: null });
  return startApp(ROUTES, path, { api, signedInAs: makeUser() });
}

const rows = async () => within(await screen.findByRole('list', { name: 'Visitors' })).getAllByRole('listitem');

it('shows who is online, on which page, from where, and since when', async () => {
  start([visitor()], OAK, `/dashboard/sites/${OAK._id}/visitors`);
  const [row] = await rows();
  const mina = within(row ?? document.body);
  for (const text of ['Mina Park', 'Lisbon, Portugal', 'Tables', 'https://oak.example/tables', 'now'])
    expect(mina.getByText(text)).toBeTruthy();
  expect(screen.getByText('Who is on Oak and Line at this moment.')).toBeTruthy();
});

it('starts a chat and opens it in the inbox; keeps the text when the server refuses', async () => {
  const mina = visitor();
  const { user, api, path, socket } = start([mina]);
  const gone = 'This visitor has left the site.';
  api.on('POST /visitors/:id/chats', new Refusal(409, { code: 'VISITOR_OFFLINE', message: gone }));
  await user.click(await screen.findByRole('button', { name: 'Start chat' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Start a chat with Mina Park' }));
  expect(dialog.getByRole('button', { name: 'Send' })).toHaveProperty('disabled', true);
  await user.type(dialog.getByRole('textbox', { name: 'Message' }), 'May I help?');
  await user.click(dialog.getByRole('button', { name: 'Send' }));
  expect(await dialog.findByText(gone)).toBeTruthy();
  expect(dialog.getByRole('textbox')).toHaveProperty('value', 'May I help?');
  // Nobody is left in the list: what is typed stays, for the visitor may come back.
  api.on('GET /sites/:id/visitors', { visitors: [], nextCursor: null });
  act(() => socket.tell('user_offline', { kind: 'visitor', visitorId: mina._id, siteId: OAK._id }));
  expect(await screen.findByText('Nobody is on the website right now')).toBeTruthy();
  expect(dialog.getByRole('textbox')).toHaveProperty('value', 'May I help?');
  const chat = makeChat();
  const message = { _id: id(), chatId: chat._id, seq: 1, clientId: 'c', at: chat.createdAt };
  api.on('POST /visitors/:id/chats', { chat, message: message as never });
  await user.click(dialog.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(path()).toBe(`/dashboard/inbox?chat=${chat._id}`));
  // Under one id, so that a try whose answer was lost is not taken for a second chat.
  const [first, second, ...more] = api.asked('POST /visitors/:id/chats');
  expect(second).toMatchObject({
    params: { id: mina._id },
    body: { content: 'May I help?', clientId: expect.stringMatching(/^[\da-f-]{36}$/) },
  });
  expect([first?.body, more]).toEqual([second?.body, []]);
});

it('shows no link for a page that is not a web address', async () => {
  start([visitor({ page: { url: 'javascript:alert(1)', title: 'Tables' } })]);
  await rows();
  expect(screen.getByText('Tables').closest('a')).toBeNull();
});

it('updates when visitors come and go', async () => {
  const [mina, tom] = [visitor(), visitor({ name: 'Tom Vega', page: null, openChatId: id() })];
  const { api, socket } = start([mina]);
  expect(await rows()).toHaveLength(1);
  api.on('GET /sites/:id/visitors', { visitors: [tom, mina], nextCursor: null });
  act(() => socket.tell('user_online', { kind: 'visitor', visitorId: tom._id, siteId: OAK._id }));
  expect(await screen.findByText('Tom Vega')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Open chat' }).getAttribute('href')).toBe(
    `/dashboard/inbox?chat=${tom.openChatId}`,
  );
  api.on('GET /sites/:id/visitors', { visitors: [], nextCursor: null });
  act(() => socket.tell('user_offline', { kind: 'visitor', visitorId: tom._id, siteId: OAK._id }));
  expect(await screen.findByText('Nobody is on the website right now')).toBeTruthy();
});

it('updates when a visitor changes the page or is identified', async () => {
  const [mina, tom] = [visitor(), visitor({ name: 'Tom Vega' })];
  const { socket } = start([mina, tom]);
  await rows();
  expect(screen.queryByText('Verified')).toBeNull();
  const page = { url: 'https://oak.example/chairs', title: 'Chairs' };
  const fact = { ...mina, visitorId: mina._id, siteId: OAK._id, page, pages: [], name: 'Mina P. Park', verified: true };
  act(() => socket.tell('visitor_updated', fact));
  const [first, second] = await rows();
  for (const text of ['Mina P. Park', 'Verified', 'Chairs']) within(first ?? document.body).getByText(text);
  for (const text of ['Tom Vega', 'Tables']) within(second ?? document.body).getByText(text);
});

it('is off by default; an admin can turn it on here', async () => {
  const { user, api } = start([visitor()], OFF);
  api.on('PATCH /sites/:id', { site: OAK });
  await user.click(await screen.findByRole('button', { name: 'Switch on' }));
  expect(await rows()).toHaveLength(1);
  expect(api.asked('PATCH /sites/:id')[0]?.body).toEqual({ settings: { visitorPages: true } });
});

it('tells other members who can turn it on', async () => {
  start([], { ...OFF, role: 'agent', isOwner: false });
  expect(await screen.findByText(/^An admin can switch it on/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Switch on' })).toBeNull();
});

it('is read-only for a viewer', async () => {
  start([visitor()], { ...OAK, role: 'viewer', isOwner: false });
  expect(await rows()).toHaveLength(1);
  expect(screen.queryByRole('button', { name: 'Start chat' })).toBeNull();
});

it('offers no chat with a blocked visitor', async () => {
  start([visitor({ blocked: true })]);
  expect(await screen.findByText('Blocked')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Start chat' })).toBeNull();
});

it('shows an error when it cannot be loaded, and retries', async () => {
  const { user, api } = start([visitor()]);
  api.on('GET /sites/:id/visitors', new Refusal(403, { code: 'FORBIDDEN', message: 'No.' }));
  expect(await screen.findByText('The visitors could not be loaded.')).toBeTruthy();
  api.on('GET /sites/:id/visitors', { visitors: [visitor()], nextCursor: null });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await rows()).toHaveLength(1);
});
