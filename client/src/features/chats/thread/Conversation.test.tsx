import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { MESSAGE_MAX_LENGTH, type StaffMessage } from 'server/contract';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../../../../test/api.ts';
import { makeChat, makeSite } from '../../../../test/make.ts';
import { ANA, makeMessage, NOTHING_READ, OAK, oakChat, openChat, rowOf, startInbox } from '../testing.ts';

beforeEach(() => {
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
});

const mine = (parts: Partial<StaffMessage> & { seq: number }) =>
  makeMessage({ sender: 'agent', senderId: ANA._id, senderName: ANA.name, ...parts });

const thread = () => screen.getByRole('region', { name: /^Conversation with/ });

describe('the header', () => {
  it('shows whether the visitor is online', async () => {
    const { socket, chat } = await openChat();
    const head = within(screen.getByRole('region', { name: 'Chat' }));
    expect(await head.findByText('Online')).toBeTruthy();
    act(() => socket.tell('user_offline', { kind: 'visitor', visitorId: chat.visitorId, siteId: OAK._id }));
    expect(await head.findByText('Offline')).toBeTruthy();
    act(() => socket.tell('user_online', { kind: 'agent', userId: chat.visitorId, siteId: OAK._id }));
    expect(head.getByText('Offline')).toBeTruthy();
    act(() => socket.drop());
    await waitFor(() => expect(head.queryByText(/^(On|Off)line$/)).toBeNull());
  });

  it('closes the chat, and then hides what a closed chat cannot do', async () => {
    const { api, user, chat } = await openChat();
    api.on('POST /chats/:id/close', { chat: { ...chat, status: 'closed', rev: 2 } });
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(await screen.findByText(/^This chat is closed/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
    expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull();
  });

  it('leads back to the list', async () => {
    const { user, path } = await openChat();
    await user.click(screen.getByRole('button', { name: 'Back to the list' }));
    expect(path()).toBe('/dashboard/inbox');
  });
});

it('shows who the visitor is', async () => {
  const chat = oakChat({
    visitorInfo: {
      name: 'Mina Park',
      email: 'mina@example.com',
      location: null,
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
    },
  });
  await openChat({ chat });
  const details = within(screen.getByRole('complementary', { name: 'Visitor details' }));
  for (const text of ['mina@example.com', 'Unknown location', 'Firefox 133', 'Linux', 'Oak and Line']) {
    expect(details.getByText(text)).toBeTruthy();
  }
});

it('shows that a chat does not exist', async () => {
  await startInbox({ path: `/dashboard/inbox?chat=${makeChat()._id}` });
  expect(await screen.findByText('This chat does not exist')).toBeTruthy();
});

describe('the thread', () => {
  it('groups messages by author and minute, separates days, and centres system messages', async () => {
    const at = (time: string) => ({ timestamp: `2026-01-0${time}:00.000Z` });
    await openChat({
      messages: [
        makeMessage({ seq: 1, ...at('5T12:00') }),
        makeMessage({ seq: 2, ...at('5T12:00') }),
        makeMessage({ seq: 3, ...at('5T12:01') }),
        mine({ seq: 4, ...at('5T12:01') }),
        makeMessage({ seq: 5, ...at('7T12:00'), sender: 'system', type: 'system', content: 'Ana closed the chat' }),
      ],
    });
    const view = within(thread());
    expect(view.getAllByText('Mina Park')).toHaveLength(2);
    expect(view.getAllByText('You')).toHaveLength(1);
    expect(view.getByText('Monday, January 5')).toBeTruthy();
    expect(view.getByText('Wednesday, January 7')).toBeTruthy();
    expect(view.getByText(/Ana closed the chat/)).toBeTruthy();
  });

  it('turns web addresses into links, and nothing else', async () => {
    await openChat({
      messages: [makeMessage({ seq: 1, content: 'See https://a.example/x. <b>javascript:alert(1)</b>' })],
    });
    const [link, ...others] = within(thread()).getAllByRole('link');
    expect(link?.getAttribute('href')).toBe('https://a.example/x');
    expect(link?.getAttribute('rel')).toContain('noopener');
    expect(others).toEqual([]);
    expect(within(thread()).getByText(/<b>javascript/)).toBeTruthy();
  });

  it('draws the line above the first unread message', async () => {
    await openChat({
      messages: [mine({ seq: 1, content: 'Welcome' }), makeMessage({ seq: 2 })],
    });
    expect(await screen.findByText('New messages')).toBeTruthy();
    expect(thread().textContent).toMatch(/Welcome.*New messages.*Message 2/);
  });

  it('draws no line above messages that arrive while the chat is open', async () => {
    const { socket, chat } = await openChat({ messages: [mine({ seq: 1, content: 'Welcome' })] });
    await waitFor(() => expect(socket.sent('read')).toContainEqual({ chatId: chat._id, seq: 1 }));
    const message = makeMessage({ seq: 2, chatId: chat._id, content: 'And again' });
    act(() => socket.tell('new_message', { chatId: chat._id, message }));
    expect(await within(thread()).findByText('And again')).toBeTruthy();
    expect(screen.queryByText('New messages')).toBeNull();
  });

  it('loads a page once, however often it is scrolled meanwhile', async () => {
    const scrolled = vi.spyOn(Element.prototype, 'scrollTop', 'get').mockReturnValue(10_000);
    const { api } = await openChat({ messages: [makeMessage({ seq: 3 })], older: [makeMessage({ seq: 2 })] });
    const pages = () => api.asked('GET /chats/:id/messages').filter(({ query }) => query.before);
    expect(pages()).toEqual([]);
    scrolled.mockReturnValue(0);
    fireEvent.scroll(thread());
    fireEvent.scroll(thread());
    expect(await screen.findByText('Message 2')).toBeTruthy();
    expect(pages()).toHaveLength(1);
  });

  it('loads older messages before the first loaded one', async () => {
    const { api } = await openChat({
      messages: [makeMessage({ seq: 3 })],
      older: [makeMessage({ seq: 1 }), makeMessage({ seq: 2 })],
    });
    expect(await screen.findByText('Message 1')).toBeTruthy();
    expect(thread().textContent).toMatch(/Message 1.*Message 2.*Message 3/);
    expect(api.asked('GET /chats/:id/messages').filter(({ query }) => query.before)).toHaveLength(1);
  });

  it('shows live messages, announces them, and marks them as read', async () => {
    const { socket, chat } = await openChat();
    await waitFor(() => expect(socket.sent('read')).toContainEqual({ chatId: chat._id, seq: 1 }));
    act(() =>
      socket.tell('new_message', {
        chatId: chat._id,
        message: makeMessage({ seq: 2, chatId: chat._id, content: 'And again' }),
      }),
    );
    expect(await within(thread()).findByText('And again')).toBeTruthy();
    expect(within(screen.getByRole('log')).getByText('Mina Park: And again')).toBeTruthy();
    await waitFor(() => expect(socket.sent('read')).toContainEqual({ chatId: chat._id, seq: 2 }));
    expect(socket.sent('received')).toContainEqual({ chatId: chat._id, seq: 2 });
  });

  it('does not mark messages as read while the page is hidden', async () => {
    vi.spyOn(document, 'hasFocus').mockReturnValue(false);
    const { socket, chat } = await openChat();
    await waitFor(() => expect(socket.sent('received')).toContainEqual({ chatId: chat._id, seq: 1 }));
    expect(socket.sent('read')).toEqual([]);
    vi.spyOn(document, 'hasFocus').mockReturnValue(true);
    act(() => void window.dispatchEvent(new Event('focus')));
    await waitFor(() => expect(socket.sent('read')).toEqual([{ chatId: chat._id, seq: 1 }]));
  });

  it('holds messages back behind a gap, and loads the missing ones', async () => {
    const { socket, chat } = await openChat();
    const missing = makeMessage({ seq: 2, chatId: chat._id });
    socket.answer('sync', () => ({
      ok: true,
      cursor: 'd',
      reset: false,
      changed: [],
      removed: [],
      chats: [{ chatId: chat._id, messages: [missing], more: false, receipts: NOTHING_READ }],
    }));
    act(() => socket.tell('new_message', { chatId: chat._id, message: makeMessage({ seq: 3, chatId: chat._id }) }));
    expect(within(thread()).queryByText('Message 3')).toBeNull();
    expect(await within(thread()).findByText('Message 3')).toBeTruthy();
    expect(thread().textContent).toMatch(/Message 2.*Message 3/);
  });
});

describe('writing', () => {
  it('shows the bubble at once, then its delivery state', async () => {
    const { socket, user, chat, field } = await openChat();
    await user.type(field, 'Hi{Shift>}{Enter}{/Shift}Mina{Enter}');
    const bubble = within(thread()).getByText(/Hi\s+Mina/);
    expect(field.value).toBe('');
    expect(within(thread()).getByText('Sending')).toBeTruthy();
    const ask = socket.sent('send_message')[0] as { clientId: string; content: string };
    expect(ask.content).toBe('Hi\nMina');

    const message = mine({ seq: 2, chatId: chat._id, clientId: ask.clientId, content: ask.content });
    act(() => socket.tell('new_message', { chatId: chat._id, message }));
    expect(await within(thread()).findByText('Sent')).toBeTruthy();
    expect(within(thread()).getByText(/Hi\s+Mina/)).toBe(bubble);
    act(() => socket.tell('receipts', { chatId: chat._id, party: 'visitor', delivered: 2, read: 0 }));
    expect(await within(thread()).findByText('Delivered')).toBeTruthy();
    act(() => socket.tell('receipts', { chatId: chat._id, party: 'visitor', delivered: 2, read: 2 }));
    expect(await within(thread()).findByText('Read')).toBeTruthy();
    act(() => socket.tell('receipts', { chatId: chat._id, party: 'visitor', delivered: 1, read: 1 }));
    expect(within(thread()).getByText('Read')).toBeTruthy();
  });

  it('uses HTTP while the socket is disconnected', async () => {
    const { api, user, chat, field } = await openChat({ connected: false });
    api.on('POST /chats/:id/messages', ({ body }) => {
      const { clientId, content } = body as { clientId: string; content: string };
      return { message: mine({ seq: 2, chatId: chat._id, clientId, content }) };
    });
    await user.type(field, 'Hello{Enter}');
    expect(await within(thread()).findByText('Sent')).toBeTruthy();
    expect(within(thread()).getAllByText('Hello')).toHaveLength(1);
  });

  it('keeps a refused message with the reason, to retry or delete', async () => {
    const { socket, user, field } = await openChat();
    socket.answer('send_message', () => ({
      ok: false,
      code: 'CHAT_CLOSED',
      message: 'This chat is closed.',
      retryable: false,
    }));
    await user.type(field, 'Too late{Enter}');
    expect(await within(thread()).findByText('Not sent. This chat is closed.')).toBeTruthy();
    await user.click(within(thread()).getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(socket.sent('send_message')).toHaveLength(2));
    const [first, second] = socket.sent('send_message') as { clientId: string }[];
    expect(second?.clientId).toBe(first?.clientId);
    await user.click(await within(thread()).findByRole('button', { name: 'Delete' }));
    expect(within(thread()).queryByText('Too late')).toBeNull();
  });

  it('shows when a message is late', async () => {
    const { user, field } = await openChat();
    await user.type(field, 'Hello{Enter}');
    expect(within(thread()).queryByText('not sent yet, retrying')).toBeNull();
    // Written half a minute ago: messages from another tab or from before a reload are that old.
    const key = Object.keys(localStorage).find((each) => each.startsWith('parley_outbox')) ?? '';
    const stored = JSON.parse(localStorage.getItem(key) ?? '') as { at: number };
    localStorage.setItem(key, JSON.stringify({ ...stored, at: stored.at - 30_000 }));
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key })));
    expect(await within(thread()).findByText('not sent yet, retrying')).toBeTruthy();
  });

  it('sends neither blank nor too long texts', async () => {
    const { socket, user, field } = await openChat();
    await user.type(field, '   {Enter}');
    expect(screen.getByRole('button', { name: 'Send' })).toHaveProperty('disabled', true);
    await user.clear(field);
    await user.click(field);
    await user.paste('x'.repeat(MESSAGE_MAX_LENGTH + 2));
    expect(screen.getByRole('alert').textContent).toBe('2 characters too long. A message has at most 5,000.');
    await user.keyboard('{Enter}');
    expect(socket.sent('send_message')).toEqual([]);
    await user.keyboard('{Backspace}{Backspace}');
    expect(screen.getByText('0 characters left')).toBeTruthy();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(socket.sent('send_message')).toHaveLength(1));
  });

  it('keeps a draft for each chat', async () => {
    const other = oakChat({ visitorInfo: { ...makeChat().visitorInfo, name: 'Second' } });
    const chat = oakChat();
    const { user, field } = await openChat({ chat, chats: [chat, other] });
    await user.type(field, 'Half a tho');
    await user.click(within(await rowOf(/Second/)).getByRole('link'));
    expect(await screen.findByRole('textbox', { name: 'Message' })).toHaveProperty('value', '');
    await user.click(within(await rowOf(/Mina Park/)).getByRole('link'));
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Message' })).toHaveProperty('value', 'Half a tho'));
  });

  it('is not possible for viewers, who see why', async () => {
    await openChat({ sites: [{ ...makeSite({ role: 'viewer', isOwner: false }), _id: OAK._id }] });
    expect(screen.getByText(/your role on this website is viewer/)).toBeTruthy();
    expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Claim' })).toBeNull();
  });

  it('sends what was written before the page was loaded', async () => {
    const chat = oakChat();
    localStorage.setItem(
      `parley_outbox:${ANA._id}:left-over`,
      JSON.stringify({ clientId: 'left-over', chatId: chat._id, content: 'Still here', at: Date.now(), failed: null }),
    );
    const { socket } = await openChat({ chat });
    expect(await within(thread()).findByText('Still here')).toBeTruthy();
    await waitFor(() =>
      expect(socket.sent('send_message')).toEqual([{ chatId: chat._id, clientId: 'left-over', content: 'Still here' }]),
    );
  });
});

it('shows why a claim from the header was refused', async () => {
  const { api, user } = await openChat();
  api.on('POST /chats/:id/claim', new Refusal(409, { code: 'CHAT_ALREADY_CLAIMED', message: 'Ben was quicker.' }));
  await user.click(screen.getByRole('button', { name: 'Claim' }));
  expect(await screen.findByText('Ben was quicker.')).toBeTruthy();
  expect(await screen.findByRole('button', { name: 'Claim' })).toBeTruthy();
});
