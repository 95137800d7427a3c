import { act, screen, waitFor, within } from '@testing-library/react';
import type { Chat, TeamMember } from 'server/contract';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../../../test/api.ts';
import { makeSite } from '../../../test/make.ts';
import * as files from '../../lib/download.ts';
import { ANA, makeMessage, OAK, oakChat, openChat, rowOf } from './testing.ts';

beforeEach(() => {
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
});

const ana = { _id: ANA._id, name: ANA.name };
const mine = (parts: Partial<Chat> = {}) => oakChat({ status: 'active', claimedBy: ana, ...parts });
const head = () => within(screen.getByRole('region', { name: 'Chat' }));
/** Waits until the header shows this status; it has a place for it on phones and another one on larger screens. */
const statusIs = (status: string) => waitFor(() => expect(head().getAllByText(status)).toHaveLength(2));
const member = (name: string, parts: Partial<TeamMember> = {}): TeamMember => ({
  _id: `id-${name}`,
  name,
  email: `${name}@example.com`,
  role: 'agent',
  isOwner: false,
  online: false,
  sites: [{ _id: OAK._id, role: 'agent' }],
  ...parts,
});
type User = Awaited<ReturnType<typeof openChat>>['user'];
const menu = async (user: User, item: string) => {
  await user.click(screen.getByRole('button', { name: 'More' }));
  await user.click(await screen.findByRole('menuitem', { name: item }));
};

describe('transferring a chat', () => {
  it('lists the people who can answer, online ones first, and shows the new claimer at once', async () => {
    const { api, user } = await openChat({ chat: mine() });
    const members = [
      member('Away'),
      member('Zoe', { online: true }),
      member('Looker', { role: 'viewer', sites: [{ _id: OAK._id, role: 'viewer' }] }),
      member(ANA.name, { _id: ANA._id }),
    ];
    api.on('GET /team/members', { members });
    api.on('POST /chats/:id/transfer', () => new Promise<never>(() => undefined));
    await user.keyboard('t');
    const dialog = within(await screen.findByRole('dialog', { name: 'Hand to a teammate' }));
    const list = within(await dialog.findByRole('list', { name: 'Teammates' }));
    expect((await list.findAllByRole('button')).map(({ textContent }) => textContent)).toEqual([
      'ZZoeOnline',
      'AAwayOffline',
    ]);
    await user.keyboard('zo{Enter}');
    expect(api.asked('POST /chats/:id/transfer')[0]?.body).toEqual({ userId: 'id-Zoe' });
    expect(await head().findByTitle('Claimed by Zoe')).toBeTruthy();
    expect(within(await rowOf(/Mina Park/)).getByTitle('Claimed by Zoe')).toBeTruthy();
  });

  it('returns the chat to the queue, and rolls back with the reason when the server refuses', async () => {
    const { api, user } = await openChat({ chat: mine() });
    let refuse: (() => void) | undefined;
    api.on('POST /chats/:id/transfer', async () => {
      await new Promise<void>((resolve) => {
        refuse = resolve;
      });
      return new Refusal(409, { code: 'CHAT_ALREADY_CLAIMED', message: 'This chat was already claimed by Ben.' });
    });
    await menu(user, 'Back to the queue');
    await statusIs('waiting');
    refuse?.();
    expect(await screen.findByText('This chat was already claimed by Ben.')).toBeTruthy();
    await statusIs('active');
  });
});

describe('marking a chat as unread', () => {
  it('leaves the chat and shows its row as unread at once; undone, the chat is open again', async () => {
    const { api, user, chat } = await openChat({ chat: mine({ unread: 0 }) });
    api.on('POST /chats/:id/unread', { chat: { ...chat, unread: 1, rev: 2 } });
    await user.keyboard('u');
    expect(await screen.findByText('Select a chat to start messaging')).toBeTruthy();
    const row = within(await rowOf(/Mina Park/));
    expect(row.getByText('unread').parentElement?.textContent).toBe('1unread');
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('region', { name: /^Conversation with/ })).toBeTruthy();
  });

  it('comes after the report of what was read before, which would make the chat read again', async () => {
    let answer: (() => void) | undefined;
    const { api, user, chat, socket } = await openChat({ chat: mine({ unread: 0 }) });
    socket.answer('read', () => new Promise((resolve) => (answer = () => resolve({ ok: true }))));
    api.on('POST /chats/:id/unread', { chat: { ...chat, unread: 1, rev: 2 } });
    act(() => socket.tell('new_message', { chatId: chat._id, message: makeMessage({ seq: 2, chatId: chat._id }) }));
    await waitFor(() => expect(answer).toBeTruthy());
    await user.keyboard('u');
    expect(await screen.findByText('Select a chat to start messaging')).toBeTruthy();
    expect(api.asked('POST /chats/:id/unread')).toEqual([]);
    answer?.();
    await waitFor(() => expect(api.asked('POST /chats/:id/unread')).toHaveLength(1));
  });

  it('says why it could not', async () => {
    const { api, user } = await openChat({ chat: mine({ unread: 0 }) });
    const message = 'The visitor has written nothing in this chat.';
    api.on('POST /chats/:id/unread', new Refusal(409, { code: 'NOTHING_TO_READ', message }));
    await menu(user, 'Mark as unread');
    expect(await screen.findByText(message)).toBeTruthy();
    expect(within(await rowOf(/Mina Park/)).queryByText('unread')).toBeNull();
  });
});

describe('closing a chat', () => {
  it('updates at once on the shortcut, and rolls back with a lasting retry when the request fails', async () => {
    const { api, user, chat } = await openChat({ chat: mine() });
    api.on('POST /chats/:id/close', () => {
      throw new TypeError('offline');
    });
    await user.keyboard('e');
    const again = await screen.findByRole('button', { name: 'Try again' });
    expect(screen.getByText('The chat could not be closed. The server cannot be reached.')).toBeTruthy();
    await statusIs('active');
    api.on('POST /chats/:id/close', { chat: { ...chat, status: 'closed', rev: 2 } });
    await user.click(again);
    await statusIs('closed');
  });

  it('can be undone in the toast: the user has the chat again, and can answer', async () => {
    const { api, user, chat } = await openChat({ chat: mine() });
    api.on('POST /chats/:id/close', { chat: { ...chat, status: 'closed', rev: 2 } });
    api.on('POST /chats/:id/reopen', { chat: { ...chat, rev: 3 } });
    await user.keyboard('e');
    expect(
      await screen.findByText('This chat is closed. When the visitor writes again, a new chat begins.'),
    ).toBeTruthy();
    expect(screen.getByText('Closed the chat with Mina Park')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(api.asked('POST /chats/:id/reopen')[0]?.params).toEqual({ id: chat._id });
    await statusIs('active');
    expect(screen.getByRole('textbox', { name: 'Message' })).toBeTruthy();
    await waitFor(() => expect(screen.queryByText('Closed the chat with Mina Park')).toBeNull());
  });
});

it.each([
  ['closed', 'POST /chats/:id/close', (user: User) => user.keyboard('{Escape}e')],
  ['waiting', 'POST /chats/:id/transfer', (user: User) => menu(user, 'Back to the queue')],
] as const)('a chat is %s only after what was written before has arrived', async (status, change, ask) => {
  const { api, user, chat, socket, field } = await openChat({ chat: mine() });
  let confirm = () => {};
  socket.answer('send_message', async ({ clientId, content }) => {
    await new Promise<void>((resolve) => (confirm = resolve));
    return { ok: true, message: makeMessage({ seq: 2, chatId: chat._id, clientId, content, sender: 'agent' }) };
  });
  api.on(change, { chat: { ...chat, status, rev: 2 } });
  await user.type(field, 'Goodbye{Enter}');
  await waitFor(() => expect(socket.sent('send_message')).toHaveLength(1));
  await ask(user);
  await statusIs(status);
  expect(api.asked(change)).toEqual([]);
  confirm();
  await waitFor(() => expect(api.asked(change)).toHaveLength(1));
});

it('shows what was chosen last, and sends two changes in their order, whatever is heard of the first one meanwhile', async () => {
  const { api, user, chat, socket } = await openChat({ chat: mine() });
  const closed = { ...chat, status: 'closed' as const, closedAt: '2026-01-05T10:00:00.000Z', rev: 2 };
  let answer = () => {};
  api.on('POST /chats/:id/close', async () => {
    await new Promise<void>((resolve) => (answer = resolve));
    return { chat: closed };
  });
  api.on('POST /chats/:id/reopen', { chat: { ...chat, rev: 3 } });
  await user.keyboard('e');
  await user.click(await head().findByRole('button', { name: 'Reopen' }));
  await statusIs('active');
  act(() => socket.tell('chat_updated', { chat: closed }));
  await statusIs('active');
  expect(head().getByRole('button', { name: 'Close' })).toBeTruthy();
  expect(api.asked('POST /chats/:id/reopen')).toEqual([]);
  act(() => answer());
  await waitFor(() => expect(api.asked('POST /chats/:id/reopen')).toHaveLength(1));
  await statusIs('active');
});

describe('reopening a chat', () => {
  const closed = () => mine({ status: 'closed', closedAt: '2026-01-05T10:00:00.000Z', claimedBy: null });

  it('makes the user its claimer at once, by the button or the key', async () => {
    const { api, user, chat } = await openChat({ chat: closed() });
    api.on('POST /chats/:id/reopen', { chat: { ...chat, status: 'active', claimedBy: ana, closedAt: null, rev: 2 } });
    expect(head().getByRole('button', { name: 'Reopen' })).toBeTruthy();
    await user.keyboard('o');
    await statusIs('active');
    expect(head().getByTitle('Claimed by you')).toBeTruthy();
    expect(head().queryByRole('button', { name: 'Reopen' })).toBeNull();
    await user.keyboard('o');
    expect(api.asked('POST /chats/:id/reopen')).toHaveLength(1);
  });

  it('rolls back, and says that the visitor has begun a newer chat', async () => {
    const { api, user } = await openChat({ chat: closed() });
    const message = 'This visitor has begun a newer chat. Continue there.';
    api.on('POST /chats/:id/reopen', new Refusal(409, { code: 'NEWER_CHAT', message }));
    await user.click(head().getByRole('button', { name: 'Reopen' }));
    expect(await screen.findByText(message)).toBeTruthy();
    await statusIs('closed');
  });

  it('is not offered to viewers', async () => {
    await openChat({ chat: closed(), sites: [makeSite({ ...OAK, role: 'viewer', isOwner: false })] });
    expect(head().queryByRole('button', { name: 'Reopen' })).toBeNull();
  });
});

it('distinguishes a chat assigned by the server from a claimed one', async () => {
  await openChat({ chat: mine({ assignedAt: '2026-01-05T09:00:00.000Z' }) });
  expect(head().getByTitle('Assigned to you')).toBeTruthy();
  expect(within(await rowOf(/Mina Park/)).getByTitle('Assigned to you')).toBeTruthy();
});

it('shows who else is viewing the chat', async () => {
  const { chat, socket } = await openChat();
  const tell = (...names: string[]) =>
    act(() =>
      socket.tell('viewers', { chatId: chat._id, users: [ana, ...names.map((name) => ({ _id: name, name }))] }),
    );
  tell('Ben');
  expect(await head().findByText('Ben is looking at this')).toBeTruthy();
  tell('Ben', 'Cleo');
  expect(await head().findByText('Ben and Cleo are looking at this')).toBeTruthy();
  tell('Ben', 'Cleo', 'Dan');
  expect(await head().findByText('Ben and 2 others are looking at this')).toBeTruthy();
  tell();
  await waitFor(() => expect(head().queryByText(/looking/)).toBeNull());
});

it('saves the chat as a file', async () => {
  const download = vi.spyOn(files, 'download').mockResolvedValue();
  const { user, chat } = await openChat();
  await menu(user, 'Save as PDF');
  expect(download.mock.calls[0]?.[0]).toContain(`/chats/${chat._id}/export?format=pdf&tz=`);
  expect(download.mock.calls[0]?.[1]).toBe(`chat-${chat._id}.pdf`);
  await menu(user, 'Save as TXT');
  expect(download.mock.calls[1]?.[1]).toBe(`chat-${chat._id}.txt`);
});

describe('deleting a chat', () => {
  it('asks first, then removes it from the screen', async () => {
    const { api, user, chat, path } = await openChat();
    api.on('DELETE /chats/:id', {});
    await menu(user, 'Delete chat');
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete chat' }));
    expect(api.asked('DELETE /chats/:id')).toHaveLength(0);
    await user.click(dialog.getByRole('button', { name: 'Delete chat' }));
    await waitFor(() => expect(path()).toBe('/dashboard/inbox'));
    expect(api.asked('DELETE /chats/:id')[0]?.params).toEqual({ id: chat._id });
    expect(await screen.findByText('No chats found')).toBeTruthy();
  });

  it('is not offered to agents', async () => {
    const { user } = await openChat({ sites: [makeSite({ ...OAK, role: 'agent', isOwner: false })] });
    await user.click(screen.getByRole('button', { name: 'More' }));
    expect(await screen.findByRole('menuitem', { name: 'Save as TXT' })).toBeTruthy();
    expect(screen.queryByRole('menuitem', { name: 'Delete chat' })).toBeNull();
  });

  it('removes a chat that somebody else deleted from the list, with its draft, and says so when it is open', async () => {
    const { api, chat, socket, user } = await openChat();
    await user.type(screen.getByRole('textbox', { name: 'Message' }), 'Half an answer');
    const drafts = () => Object.keys(localStorage).filter((key) => key.startsWith('parley_draft:'));
    expect(drafts()).toHaveLength(1);
    api.on('GET /chats/:id', new Refusal(404, { code: 'NOT_FOUND', message: 'Not found' }));
    act(() => socket.tell('chat_deleted', { chatId: chat._id }));
    expect(await screen.findByText('This chat does not exist')).toBeTruthy();
    expect(await screen.findByText('No chats found')).toBeTruthy();
    expect(drafts()).toEqual([]);
  });
});
