import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { makeChat } from '../../../../test/make.ts';
import { makeMessage, OAK, oakChat, rowOf, startInbox } from '../../chats/testing.ts';

beforeEach(() => {
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
});

const HERE = `/dashboard/sites/${OAK._id}/chats`;
const startConsole = (world: Parameters<typeof startInbox>[0] = {}) =>
  startInbox({ path: HERE, heading: 'Chats - Oak and Line', ...world });
const NOBODY = { name: null, email: null, userAgent: '', location: null };

describe('the list of the console', () => {
  it('shows name, email, first message and claimer', async () => {
    await startConsole({
      chats: [
        oakChat({
          visitorInfo: { ...makeChat().visitorInfo, email: 'mina@example.com' },
          messages: [makeMessage({ seq: 1, content: 'Do you have this in blue, and in a size for two?' })],
          lastMessage: 'Never mind',
          status: 'active',
          claimedBy: { _id: 'b', name: 'Ben Ode' },
        }),
        oakChat({ visitorInfo: NOBODY }),
      ],
    });
    const first = within(await rowOf(/Mina Park/));
    for (const text of [
      'mina@example.com',
      'Do you have this in blue, and in a size for two?',
      'active',
      'Claimed by Ben Ode',
    ]) {
      expect(first.getByText(text)).toBeTruthy();
    }
    expect(first.queryByText('Never mind')).toBeNull();
    const second = within(await rowOf(/Anonymous Visitor/));
    expect(second.getByText('No email')).toBeTruthy();
    expect(second.getByText('No messages yet')).toBeTruthy();
  });

  it('shows what to do when there are no chats', async () => {
    await startConsole();
    expect(await screen.findByText('No chats yet')).toBeTruthy();
    expect(screen.getByText('Chats from your website will appear here')).toBeTruthy();
    expect(screen.getByText('Select a chat')).toBeTruthy();
    expect(screen.getByText('Choose a chat from the list to start messaging')).toBeTruthy();
  });

  it('lists one website, filtered by status, and searches on Enter only', async () => {
    const { api, user, path } = await startConsole({ chats: [oakChat()] });
    await rowOf(/Mina Park/);
    await user.click(screen.getByRole('combobox', { name: 'Status' }));
    const options = await screen.findAllByRole('option');
    expect(options.map(({ textContent }) => textContent)).toEqual(['All Chats', 'Active', 'Waiting', 'Closed']);
    await user.click(screen.getByRole('option', { name: 'Waiting' }));
    await waitFor(() => expect(path()).toBe(`${HERE}?status=waiting`));
    const box = screen.getByRole('searchbox', { name: 'Search chats' });
    await user.type(box, 'chairs');
    expect(path()).toBe(`${HERE}?status=waiting`);
    await user.type(box, '{Enter}');
    expect(path()).toBe(`${HERE}?status=waiting&search=chairs`);
    await waitFor(() =>
      expect(api.asked('GET /chats/site/:siteId').at(-1)).toMatchObject({
        params: { siteId: OAK._id },
        query: { status: 'waiting', search: 'chairs' },
      }),
    );
    expect(api.asked('GET /chats')).toHaveLength(0);
  });

  it('shows an error for an unknown website', async () => {
    await startInbox({ path: '/dashboard/sites/nowhere/chats', heading: 'Chats' });
    expect(await screen.findByText('Invalid Site')).toBeTruthy();
  });
});

describe('a chat in the console', () => {
  it('shows the visitor and the messages, and sends an answer', async () => {
    const chat = oakChat({ visitorInfo: NOBODY });
    const { user, socket } = await startConsole({
      chats: [chat],
      messages: [makeMessage({ seq: 1, chatId: chat._id, content: 'Hello there' })],
    });
    await user.click(await screen.findByRole('link', { name: /Anonymous Visitor/ }));
    const open = within(await screen.findByRole('region', { name: 'Chat' }));
    expect(await open.findByText('Unknown location')).toBeTruthy();
    expect(open.getByText('No email')).toBeTruthy();
    expect(await open.findByText('Hello there')).toBeTruthy();
    const send = open.getByRole('button', { name: 'Send' });
    expect(send).toHaveProperty('disabled', true);
    await user.type(open.getByRole('textbox', { name: 'Message' }), '   ');
    expect(send).toHaveProperty('disabled', true);
    await user.type(open.getByRole('textbox', { name: 'Message' }), 'Welcome{Enter}');
    await waitFor(() => expect(socket.sent('send_message')).toHaveLength(1));
  });

  it('offers Claim only for an unclaimed chat that is not closed', async () => {
    const free = oakChat({ visitorInfo: { ...NOBODY, name: 'Free' } });
    const taken = oakChat({ visitorInfo: { ...NOBODY, name: 'Taken' }, claimedBy: { _id: 'b', name: 'Ben' } });
    const over = oakChat({ visitorInfo: { ...NOBODY, name: 'Over' }, status: 'closed' });
    const { user, api } = await startConsole({ chats: [free, taken, over] });
    api.on('POST /chats/:id/claim', () => new Promise<never>(() => undefined));
    for (const [name, buttons] of [
      ['Free', ['Claim', 'Close']],
      ['Taken', ['Close']],
      ['Over', []],
    ] as const) {
      await user.click(await screen.findByRole('link', { name: new RegExp(name) }));
      await screen.findByRole('heading', { name });
      for (const button of ['Claim', 'Close']) {
        expect(screen.queryAllByRole('button', { name: button })).toHaveLength(
          buttons.some((each) => each === button) ? 1 : 0,
        );
      }
    }
    await user.click(await screen.findByRole('link', { name: /Free/ }));
    await user.click(await screen.findByRole('button', { name: 'Claim' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Claim' })).toBeNull());
    expect(within(await rowOf(/Free/)).getByText('Claimed by Ana Lind')).toBeTruthy();
  });

  it('is deselected and cleared after closing', async () => {
    const chat = oakChat();
    const { user, api, path } = await startConsole({
      chats: [chat],
      messages: [makeMessage({ seq: 1, chatId: chat._id, content: 'Hello there' })],
      path: `${HERE}?chat=${chat._id}`,
    });
    api.on('POST /chats/:id/close', { chat: { ...chat, status: 'closed', rev: 2 } });
    expect(await screen.findByText('Hello there')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(path()).toBe(HERE);
    expect(await screen.findByText('Select a chat')).toBeTruthy();
    expect(screen.queryByText('Hello there')).toBeNull();
    expect(within(await rowOf(/Mina Park/)).getByText('closed')).toBeTruthy();
  });

  it('follows new messages, status changes and claims by others', async () => {
    const chat = oakChat();
    const { socket } = await startConsole({ chats: [chat], path: `${HERE}?chat=${chat._id}` });
    await screen.findByRole('region', { name: /^Conversation with/ });
    const message = makeMessage({ seq: 1, chatId: chat._id, content: 'Still there?' });
    act(() => {
      socket.tell('new_message', { chatId: chat._id, message });
      socket.tell('chat_updated', {
        chat: { ...chat, status: 'active', claimedBy: { _id: 'b', name: 'Ben Ode' }, messages: [message], rev: 2 },
      });
    });
    const thread = within(screen.getByRole('region', { name: /^Conversation with/ }));
    expect(await thread.findByText('Still there?')).toBeTruthy();
    const row = within(await rowOf(/Mina Park/));
    expect(await row.findByText('Claimed by Ben Ode')).toBeTruthy();
    expect(row.getByText('Still there?')).toBeTruthy();
  });
});
