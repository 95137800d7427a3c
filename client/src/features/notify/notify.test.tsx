import { act, screen, waitFor } from '@testing-library/react';
import type { Chat } from 'server/contract';
import { afterEach, expect, it, vi } from 'vitest';
import { makeChat, makeSettings, makeUser, visitorMessage } from '../../../test/make.ts';
import { ALL_ON, CHAT, fakeBrowser, freeLocks, NEWS, OAK, STRANGER, start, withLocks } from './testing.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('plays a sound and shows a notification when a visitor writes, and opens the chat on click', async () => {
  const { rings, shown } = fakeBrowser();
  const { socket, path } = await start();
  socket.tell('new_message', NEWS);
  await waitFor(() => expect(shown).toHaveLength(1));
  expect(rings()).toBe(1);
  expect(shown[0]).toMatchObject({
    title: 'Mina Park · Oak and Line',
    options: { body: 'Is it in stock?', tag: CHAT._id },
  });
  shown[0]?.onclick?.();
  await waitFor(() => expect(path()).toBe(`/dashboard/inbox?chat=${CHAT._id}`));
});

it('rings for a chat that is back from a snooze, with a link, but not for that of a colleague', async () => {
  const { rings, shown } = fakeBrowser();
  const { socket, user, path } = await start();
  const ben = { _id: makeUser()._id, name: 'Ben' };
  socket.tell('chat_woken', { chat: { ...CHAT, status: 'active', claimedBy: ben } });
  socket.tell('chat_woken', { chat: CHAT });
  await waitFor(() => expect(shown).toHaveLength(1));
  expect(shown[0]?.options).toMatchObject({ body: 'This chat is back: its snooze is over.', tag: CHAT._id });
  expect(rings()).toBe(1);
  await user.click(await screen.findByRole('button', { name: 'Open' }));
  expect(path()).toBe(`/dashboard/inbox?chat=${CHAT._id}`);
});

it('also works without storage, locks and service workers', async () => {
  const { rings, shown } = fakeBrowser();
  const refuse = () => Promise.reject(new DOMException('The request was denied.', 'SecurityError'));
  const serviceWorker = Object.assign(new EventTarget(), { register: refuse, getRegistration: refuse });
  const locks = { request: refuse, query: refuse };
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { locks, serviceWorker }));
  const { socket } = await start();
  socket.tell('new_message', NEWS);
  await waitFor(() => expect(shown).toHaveLength(1));
  expect(rings()).toBe(1);
});

it('plays a sound and shows a notification when a colleague mentions the user, which opens the note', async () => {
  const { rings, shown } = fakeBrowser();
  const { api, socket, path } = await start();
  api.on('GET /mentions', { mentions: [] });
  const to = `/dashboard/inbox?chat=${CHAT._id}&at=3&note=1`;
  const mention = {
    _id: '1',
    chatId: CHAT._id,
    siteName: OAK.name,
    visitorName: 'Mina Park',
    by: { _id: '2', name: 'Ben Okafor' },
    preview: '@Ana Lind, please look',
    path: to,
    createdAt: new Date().toISOString(),
  };
  socket.tell('mentioned', { mention });
  await waitFor(() => expect(shown).toHaveLength(1));
  expect(rings()).toBe(1);
  expect(shown[0]).toMatchObject({
    title: 'Mina Park · Oak and Line',
    options: { body: 'Ben Okafor: @Ana Lind, please look', tag: CHAT._id },
  });
  shown[0]?.onclick?.();
  await waitFor(() => expect(path()).toBe(to));
});

it('only plays the sound while the dashboard is visible', async () => {
  const { rings, shown } = fakeBrowser();
  const { socket } = await start({}, { focused: true });
  socket.tell('new_message', NEWS);
  await waitFor(() => expect(rings()).toBe(1));
  expect(shown).toEqual([]);
});

it('follows the settings', async () => {
  const { rings, shown } = fakeBrowser();
  const { socket } = await start({ soundEnabled: false });
  socket.tell('new_message', NEWS);
  await waitFor(() => expect(shown).toHaveLength(1));
  expect(rings()).toBe(0);
});

it('shows no notification without permission, and asks only on request', async () => {
  const { rings, shown, ask } = fakeBrowser('default');
  const { socket, user } = await start();
  socket.tell('new_message', NEWS);
  await waitFor(() => expect(rings()).toBe(1));
  expect(shown).toEqual([]);
  expect(ask).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Turn on' }));
  expect(ask).toHaveBeenCalledOnce();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Turn on' })).toBeNull());
});

it('stays silent for a chat that a colleague has claimed', async () => {
  const { rings, shown } = fakeBrowser();
  const taken = { ...CHAT, status: 'active' as const, claimedBy: { _id: makeUser()._id, name: 'Ben' } };
  const { socket } = await start({}, { chats: [taken] });
  socket.tell('new_message', NEWS);
  socket.tell('new_message', visitorMessage(STRANGER, 'Is it in stock?'));
  await waitFor(() => expect(shown).toHaveLength(1));
  expect(shown[0]?.title).toBe('Visitor · Oak and Line');
  expect(rings()).toBe(1);
});

it('stays silent while another tab plays the sound, and takes over when that tab closes', async () => {
  const { rings } = fakeBrowser();
  let takeOver: () => void = () => undefined;
  const request = (name: string, _: object, got: () => Promise<void>) => {
    if (name === 'parley-ringer') takeOver = got;
    return new Promise(() => undefined);
  };
  withLocks({ ...freeLocks(), request });
  const { socket } = await start();
  socket.tell('new_message', NEWS);
  takeOver();
  socket.tell('new_message', NEWS);
  await waitFor(() => expect(rings()).toBe(1));
});

it('plays the sound in the tab that was clicked, because browsers mute the others', async () => {
  const { rings } = fakeBrowser();
  let rob = () => {};
  const request = (name: string, { steal = false }: LockOptions, got: () => Promise<void>) =>
    new Promise<void>((_, reject) => {
      // An older tab, in which nobody has clicked, holds it.
      if (name !== 'parley-ringer' || !steal) return;
      rob = () => reject(new DOMException('Taken away', 'AbortError'));
      void got();
    });
  withLocks({ ...freeLocks(), request });
  const { socket, user } = await start();
  await user.click(document.body);
  socket.tell('new_message', NEWS);
  await waitFor(() => expect(rings()).toBe(1));

  rob();
  await Promise.resolve();
  socket.tell('new_message', NEWS);
  socket.tell('new_message', visitorMessage(makeChat({ site: CHAT.site }), 'Is it in stock?'));
  await act(async () => undefined);
  expect(rings()).toBe(1);
});

it('stays silent as soon as another tab or device turns the sound off', async () => {
  const { rings, shown } = fakeBrowser();
  const { api, socket } = await start();
  api.on('GET /settings', { settings: makeSettings({ notifications: { ...ALL_ON, soundEnabled: false } }) });
  const before = api.asked('GET /settings').length;
  act(() => socket.tell('account_updated'));
  await waitFor(() => expect(api.asked('GET /settings').length).toBeGreaterThan(before));
  await act(async () => undefined);
  socket.tell('new_message', NEWS);
  await waitFor(() => expect(shown).toHaveLength(1));
  expect(rings()).toBe(0);
});

it('announces chats that begin to wait, several in one line, and again when others take their place', async () => {
  fakeBrowser();
  const { socket } = await start();
  const tell = (...chats: Chat[]) =>
    act(() => {
      for (const chat of chats) socket.tell('chat_updated', { chat });
    });
  const waits = () => makeChat({ site: CHAT.site, status: 'waiting', lastSeq: 1 });
  const [first, second] = [waits(), waits()];
  tell(first, second);
  const said = await screen.findByText('3 chats are waiting');
  expect(said.closest('[role=status]')).toBeTruthy();
  tell({ ...first, status: 'active', rev: 2, claimedBy: { _id: makeUser()._id, name: 'Ben' } }, waits());
  await waitFor(() => expect(said.isConnected).toBe(false));
  expect(await screen.findByText('3 chats are waiting')).toBeTruthy();
});

it('repeats the sound while a visitor waits, then shows a notification, until the chat is claimed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  const { rings, shown } = fakeBrowser();
  const chat = { ...CHAT, metadata: { ...CHAT.metadata, lastActivity: new Date().toISOString() } };
  const { socket } = await start({}, { chats: [chat] });
  await vi.advanceTimersByTimeAsync(30_000);
  await waitFor(() => expect(rings()).toBe(1));
  expect(shown).toEqual([]);
  await vi.advanceTimersByTimeAsync(30_000);
  await waitFor(() => expect(shown).toHaveLength(1));
  expect(shown[0]?.options.body).toBe('Still waiting for an answer.');
  expect(rings()).toBe(2);

  const claimedBy = { _id: makeUser()._id, name: 'Ben' };
  act(() => socket.tell('chat_updated', { chat: { ...chat, status: 'active', rev: 2, claimedBy } }));
  await waitFor(() => screen.getByText('active'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(rings()).toBe(2);
  expect(shown).toHaveLength(1);
});

it('is silent for a chat of a department of others, from its first message on, until others may help', async () => {
  const { rings } = fakeBrowser();
  const { api, socket } = await start({}, { chats: [STRANGER] });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const orders = { _id: makeUser()._id, name: 'Orders', members: [makeUser()._id], hours: null, visible: true, rev: 1 };
  api.on('GET /sites/:id/departments', { departments: [{ ...orders, helpAfterMinutes: 5 }] });
  const department = { _id: orders._id, name: 'Orders', since: new Date().toISOString() };
  const begun = { ...CHAT, department, metadata: { ...CHAT.metadata, lastActivity: department.since } };
  const { notice, ...message } = visitorMessage(begun, 'Where is my parcel?');
  // The row may be heard of later than the message.
  act(() => socket.tell('new_message', { ...message, ...(notice && { notice: { ...notice, department } }) }));
  act(() => socket.tell('new_chat', { chat: begun }));
  await vi.advanceTimersByTimeAsync(4 * 60_000 + 59_000);
  expect(rings()).toBe(0);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(rings()).toBe(1);
});

it('is silent while the assistant has a chat, and points to it when a person is to answer', async () => {
  const { rings, shown } = fakeBrowser();
  const assisted = { ...CHAT, assistant: { active: true, answers: 0 } };
  const { socket } = await start({}, { chats: [assisted, STRANGER] });
  socket.tell('new_message', NEWS);
  const { message } = visitorMessage(CHAT, 'A person will answer.');
  const handOver = { ...message, sender: 'system' as const, type: 'system' as const, event: 'handed_over' as const };
  socket.tell('new_message', { chatId: CHAT._id, message: handOver });
  await waitFor(() => expect(shown).toHaveLength(1));
  expect(shown[0]?.options).toMatchObject({ body: 'The assistant handed over to a person', tag: CHAT._id });
  expect(rings()).toBe(1);
  expect(await screen.findByText('The chat with Mina Park waits for a person')).toBeTruthy();
});
