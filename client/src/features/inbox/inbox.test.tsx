import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../../../test/api.ts';
import { makeChat, makeSite } from '../../../test/make.ts';
import { ANA, makeMessage, NOTHING_KNOWN, NOTHING_READ, OAK, oakChat, rowOf, startInbox } from '../chats/testing.ts';

beforeEach(() => {
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
});

describe('the list', () => {
  it('shows name, start of the last message, website and unread count', async () => {
    await startInbox({
      chats: [
        oakChat({ lastMessage: 'I ordered two chairs last week and only one came', unread: 3 }),
        oakChat({
          visitorInfo: { name: null, email: null, userAgent: '', location: null },
          site: { _id: 'x', name: '' },
        }),
      ],
    });
    const first = within(await rowOf(/Mina Park/));
    expect(first.getByText('I ordered two chairs last week…')).toBeTruthy();
    expect(first.getByText('waiting')).toBeTruthy();
    expect(first.getByText('Oak and Line')).toBeTruthy();
    expect(first.getByText('unread').parentElement?.textContent).toContain('3');
    expect(within(await rowOf(/Anonymous/)).getByText('Unknown Site')).toBeTruthy();
  });

  it('shows who waits for an answer and since when, and who is blocked', async () => {
    const since = new Date(Date.now() - 7.5 * 60_000).toISOString();
    await startInbox({ chats: [oakChat({ waitingSince: since, status: 'active', blocked: true })] });
    const row = within(await rowOf(/Mina Park/));
    expect(row.getByText('Waits for an answer:').parentElement?.textContent).toContain('7 min');
    expect(row.getByText('Blocked')).toBeTruthy();
  });

  it('keeps ‘Mine’, the order and the search in the address, and sends them to the server', async () => {
    const { api, user, path } = await startInbox({ chats: [oakChat()] });
    await user.click(screen.getByRole('switch', { name: 'Mine' }));
    expect(path()).toBe('/dashboard/inbox?agent=me');
    await waitFor(() => expect(api.asked('GET /chats').at(-1)?.query).toEqual({ status: 'all', claimedBy: ANA._id }));
    await user.keyboard('f');
    await user.click(await screen.findByRole('combobox', { name: 'Sort by' }));
    await user.click(await screen.findByRole('option', { name: 'Longest waiting' }));
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(path()).toBe('/dashboard/inbox?agent=me&sort=waiting');
    await waitFor(() => expect(api.asked('GET /chats').at(-1)?.query.sort).toBe('waiting'));
    await user.click(document.body);
    await user.keyboard('/');
    const box = screen.getByRole('searchbox', { name: 'Search in the list' });
    expect(document.activeElement).toBe(box);
    await user.type(box, 'chairs');
    await waitFor(() => expect(path()).toBe('/dashboard/inbox?agent=me&sort=waiting&search=chairs'));
    await waitFor(() => expect(api.asked('GET /chats').at(-1)?.query.search).toBe('chairs'));
    api.on('GET /chats', { chats: [], nextCursor: null });
    await user.type(box, ' x{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Show all chats' }));
    expect(path()).toBe('/dashboard/inbox');
    expect(box).toHaveProperty('value', '');
  });

  it('renders only a part of ten thousand chats', async () => {
    const chats = Array.from({ length: 10_000 }, (_, index) => oakChat({ rev: index + 1 }));
    await startInbox({ chats, connected: false });
    const list = await screen.findByRole('list', { name: 'Chats' });
    expect(within(list).queryAllByRole('listitem').length).toBeLessThan(100);
    expect(Number.parseInt(list.style.height, 10)).toBe(10_000 * 76);
  });

  it('shows what to do when there are no chats', async () => {
    await startInbox({ chats: [] });
    expect(await screen.findByText('No chats found')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Get the embed code' }).getAttribute('href')).toBe('/dashboard/sites');
    expect(screen.getByText('Select a chat to start messaging')).toBeTruthy();
  });

  it('keeps the filter in the address, and offers all chats when nothing matches', async () => {
    const { user, path } = await startInbox({ chats: [oakChat()] });
    await user.click(await screen.findByRole('button', { name: 'closed' }));
    expect(await screen.findByText('No chats found')).toBeTruthy();
    expect(path()).toBe('/dashboard/inbox?status=closed');
    await user.click(screen.getByRole('button', { name: 'Show all chats' }));
    expect(await screen.findByRole('link', { name: /Mina Park/ })).toBeTruthy();
    expect(path()).toBe('/dashboard/inbox');
  });

  it('shows an error when it cannot be loaded, and retries', async () => {
    const { api, user } = await startInbox({ path: '/dashboard/inbox?status=active', connected: false });
    api.on('GET /chats', new Refusal(500, { code: 'INTERNAL', message: 'A bug' }));
    await user.click(screen.getByRole('button', { name: 'waiting' }));
    const error = await screen.findByRole('alert');
    expect(error.textContent).toContain('Your chats could not be loaded.');
    api.on('GET /chats', { chats: [oakChat()], nextCursor: null });
    await user.click(within(error).getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('link', { name: /Mina Park/ })).toBeTruthy();
  });

  it('loads one site with the call of that site', async () => {
    const { api } = await startInbox({ chats: [oakChat()], path: `/dashboard/inbox?site=${OAK._id}` });
    expect(await screen.findByRole('link', { name: /Mina Park/ })).toBeTruthy();
    expect(api.asked('GET /chats/site/:siteId')[0]?.params).toEqual({ siteId: OAK._id });
  });

  it('starts at the top after the filter changes', async () => {
    const { user } = await startInbox({ chats: [oakChat(), oakChat({ status: 'active' })] });
    const scroller = async () => (await screen.findByRole('list', { name: 'Chats' })).parentElement as HTMLElement;
    await user.click(screen.getByRole('button', { name: 'active' }));
    await user.click(screen.getByRole('button', { name: 'all' }));
    (await scroller()).scrollTop = 500;
    // The rows are in the cache already, so no skeleton replaces the list meanwhile.
    await user.click(screen.getByRole('button', { name: 'active' }));
    expect((await scroller()).scrollTop).toBe(0);
  });

  it('loads only one page while the list is not on the screen', async () => {
    const { api } = await startInbox({ connected: false, path: '/dashboard/inbox?status=active' });
    api.on('GET /chats', ({ query }) => {
      const page = Number(query.cursor ?? 1);
      return { chats: [oakChat()], nextCursor: page < 5 ? String(page + 1) : null };
    });
    (await screen.findByRole('button', { name: 'waiting' })).click();
    const row = await rowOf(/Mina Park/);
    // A part of nobody knows how many.
    expect([row.getAttribute('aria-posinset'), row.getAttribute('aria-setsize')]).toEqual(['1', '-1']);
    const before = api.asked('GET /chats').length;
    // Renders again, as with each chat that changes.
    (await screen.findByRole('link', { name: /Mina Park/ })).click();
    await waitFor(() => expect(screen.queryByText('Select a chat to start messaging')).toBeNull());
    expect(api.asked('GET /chats')).toHaveLength(before);
  });

  it('loads the next page by cursor', async () => {
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
    const { api } = await startInbox({ connected: false, path: '/dashboard/inbox?status=active' });
    api.on('GET /chats', ({ query }) =>
      query.cursor === 'next'
        ? { chats: [oakChat({ visitorInfo: { ...makeChat().visitorInfo, name: 'Second Page' } })], nextCursor: null }
        : { chats: [oakChat()], nextCursor: 'next' },
    );
    (await screen.findByRole('button', { name: 'waiting' })).click();
    expect(await screen.findByRole('link', { name: /Second Page/ })).toBeTruthy();
    expect(screen.getByRole('link', { name: /Mina Park/ })).toBeTruthy();
  });
});

describe('claiming', () => {
  it('is offered only for chats that can be claimed, to those who are allowed to', async () => {
    const elsewhere = makeSite({ name: 'Read only', role: 'viewer', isOwner: false });
    await startInbox({
      sites: [OAK, elsewhere],
      chats: [
        oakChat({ visitorInfo: { ...makeChat().visitorInfo, name: 'Free' } }),
        oakChat({ visitorInfo: { ...makeChat().visitorInfo, name: 'Taken' }, claimedBy: { _id: 'b', name: 'Ben' } }),
        oakChat({ visitorInfo: { ...makeChat().visitorInfo, name: 'Over' }, status: 'closed' }),
        oakChat({
          visitorInfo: { ...makeChat().visitorInfo, name: 'Foreign' },
          site: { _id: elsewhere._id, name: '' },
        }),
      ],
    });
    expect(await within(await rowOf(/Free/)).findByRole('button', { name: /Claim/ })).toBeTruthy();
    for (const name of [/Taken/, /Over/, /Foreign/]) {
      expect(within(await rowOf(name)).queryByRole('button')).toBeNull();
    }
  });

  it('opens the chat and shows at once, before the server has answered', async () => {
    const { api, user } = await startInbox({ chats: [oakChat()] });
    api.on('POST /chats/:id/claim', () => new Promise<never>(() => undefined));
    await user.click(await within(await rowOf(/Mina Park/)).findByRole('button', { name: /Claim/ }));
    expect(within(await rowOf(/Mina Park/)).getByText('active')).toBeTruthy();
    expect((await rowOf(/Mina Park/)).querySelector('a[aria-current]')).toBeTruthy();
  });

  it("shows the winner's name when somebody else was faster, and the current chat", async () => {
    const chat = oakChat();
    const { api, user, socket } = await startInbox({ chats: [chat] });
    const claimed = { ...chat, status: 'active' as const, claimedBy: { _id: 'b', name: 'Ben Ode' }, rev: 2 };
    api.on('POST /chats/:id/claim', () => {
      act(() => socket.tell('chat_updated', { chat: claimed }));
      api.on('GET /chats', { chats: [claimed], nextCursor: null });
      return new Refusal(409, { code: 'CHAT_ALREADY_CLAIMED', message: 'Ben Ode has already claimed this chat.' });
    });
    await user.click(await within(await rowOf(/Mina Park/)).findByRole('button', { name: /Claim/ }));
    expect(await screen.findByText('Ben Ode has already claimed this chat.')).toBeTruthy();
    expect(within(await rowOf(/Mina Park/)).queryByRole('button')).toBeNull();
  });
});

describe('live updates', () => {
  it('put new chats on top and move changed ones between filters', async () => {
    const chat = oakChat();
    const { socket, user } = await startInbox({ chats: [chat] });
    await rowOf(/Mina Park/);
    const later = { lastMessage: '', lastActivity: '2026-01-05T10:00:00.000Z' };
    const fresh = oakChat({ visitorInfo: { ...chat.visitorInfo, name: 'Newcomer' }, metadata: later });
    act(() => socket.tell('new_chat', { chat: fresh }));
    await rowOf(/Newcomer/);
    const names = within(screen.getByRole('list', { name: 'Chats' }))
      .getAllByRole('link')
      .map((link) => link.textContent);
    expect(names[0]).toContain('Newcomer');

    await user.click(screen.getByRole('button', { name: 'waiting' }));
    await rowOf(/Mina Park/);
    act(() => socket.tell('chat_updated', { chat: { ...chat, status: 'closed', rev: 2 } }));
    await waitFor(() => expect(screen.queryByRole('link', { name: /Mina Park/ })).toBeNull());
    // A stale version of the row; once the new chat is shown, both events were handled.
    const last = oakChat({ visitorInfo: { ...chat.visitorInfo, name: 'Latecomer' } });
    act(() => {
      socket.tell('chat_updated', { chat });
      socket.tell('new_chat', { chat: last });
    });
    await rowOf(/Latecomer/);
    expect(screen.queryByRole('link', { name: /Mina Park/ })).toBeNull();
  });

  it('are not undone by a list that was requested earlier', async () => {
    const chat = oakChat();
    const { socket, api, user } = await startInbox({ chats: [chat] });
    await rowOf(/Mina Park/);
    let answer: (() => void) | undefined;
    api.on('GET /chats', async () => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return { chats: [chat], nextCursor: null };
    });
    await user.click(screen.getByRole('button', { name: 'waiting' }));
    await waitFor(() => expect(api.asked('GET /chats').at(-1)?.query.status).toBe('waiting'));
    act(() => socket.tell('chat_updated', { chat: { ...chat, status: 'closed', rev: 2 } }));
    answer?.();
    expect(await screen.findByText('No chats found')).toBeTruthy();
  });

  it('are caught up after a reconnect, in the list and the open thread', async () => {
    const chat = oakChat();
    const { socket } = await startInbox({
      chats: [chat],
      messages: [makeMessage({ seq: 1 })],
      path: `/dashboard/inbox?chat=${chat._id}`,
    });
    await screen.findByText('Message 1');
    act(() => socket.drop());
    socket.answer('open_chat', () => ({
      ok: true,
      messages: [],
      more: false,
      visitor: { _id: chat.visitorId, online: false, ...NOTHING_KNOWN },
      receipts: NOTHING_READ,
    }));
    socket.answer('sync', () => ({
      ok: true,
      cursor: 'later',
      reset: false,
      changed: [{ ...chat, status: 'closed', rev: 9 }],
      removed: [],
      chats: [{ chatId: chat._id, messages: [makeMessage({ seq: 2 })], more: false, receipts: NOTHING_READ }],
    }));
    act(() => socket.connect());
    expect(await screen.findByText('Message 2')).toBeTruthy();
    expect(await within(await rowOf(/Mina Park/)).findByText('closed')).toBeTruthy();
    expect(socket.sent('open_chat').at(-1)).toEqual({ chatId: chat._id, afterSeq: 1, afterEdit: 0 });
    const held = { chatId: chat._id, afterSeq: 1, afterEdit: 0 };
    expect(socket.sent('sync').at(-1)).toEqual({ cursor: 'c', chats: [held] });
  });
});

describe('keyboard shortcuts', () => {
  it('move in the list, open, claim, answer and go back', async () => {
    const other = oakChat({ visitorInfo: { ...makeChat().visitorInfo, name: 'Second' } });
    const { user, path, api } = await startInbox({
      chats: [oakChat({ metadata: { lastMessage: '', lastActivity: '2026-02-01T00:00:00.000Z' } }), other],
    });
    api.on('POST /chats/:id/claim', { chat: { ...other, status: 'active', claimedBy: ANA, rev: 2 } });
    await rowOf(/Second/);
    await user.keyboard('j');
    expect(document.activeElement?.textContent).toContain('Mina Park');
    await user.keyboard('j{Enter}');
    expect(path()).toBe(`/dashboard/inbox?chat=${other._id}`);
    await screen.findByRole('textbox', { name: 'Message' });
    await user.keyboard('c');
    await waitFor(() => expect(api.asked('POST /chats/:id/claim')).toHaveLength(1));
    await user.keyboard('r');
    await user.keyboard('jck');
    expect(screen.getByRole('textbox', { name: 'Message' })).toHaveProperty('value', 'jck');
    await user.keyboard('{Escape}');
    expect(document.activeElement?.textContent).toContain('Second');
  });
});
