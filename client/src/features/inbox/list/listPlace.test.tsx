import { act, screen, waitFor } from '@testing-library/react';
import type { Chat } from 'server/contract';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { makeChat } from '../../../../test/make.ts';
import { ANA, oakChat, rowOf, startInbox } from '../../chats/testing.ts';

beforeEach(() => {
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
});

describe('the keys of the list', () => {
  const focused = () => document.activeElement?.closest('[data-row]')?.textContent ?? '';
  const named = (name: string) => ({ visitorInfo: { ...makeChat().visitorInfo, name } });

  it.each([
    { how: 'claimed', key: 'c', path: '/dashboard/inbox?status=waiting' },
    { how: 'closed', key: 'e', path: '/dashboard/inbox' },
  ])('go on with a new chat when the only one was $how', async ({ how, key, path }) => {
    const [mina, tom] = [oakChat(), oakChat({ ...named('Tom Vega'), rev: 1 })];
    const { api, socket, user } = await startInbox({ chats: [mina], path });
    const claimedBy = { _id: ANA._id, name: ANA.name };
    api.on('POST /chats/:id/claim', { chat: { ...mina, rev: 9, status: 'active', claimedBy } });
    api.on('POST /chats/:id/close', { chat: { ...mina, rev: 9, status: 'closed' } });
    await rowOf(/Mina Park/);
    await user.keyboard('j{Enter}');
    await screen.findByRole('region', { name: /^Conversation with Mina/ });
    await user.keyboard(key);
    await waitFor(() => expect(api.asked(`POST /chats/:id/${how === 'closed' ? 'close' : 'claim'}`)).toHaveLength(1));
    await user.keyboard('{Escape}');
    act(() => socket.tell('new_chat', { chat: tom }));
    await rowOf(/Tom Vega/);
    await user.keyboard('j');
    expect(focused()).toContain('Tom Vega');
  });

  it('begin at the top or the end when the open chat is not in the list', async () => {
    const chats = ['Ana', 'Ben', 'Cem'].map((name) => oakChat(named(name)));
    const closed = oakChat({ ...named('Zoe'), status: 'closed' });
    const path = `/dashboard/inbox?status=waiting&chat=${closed._id}`;
    const { user } = await startInbox({ chats: [...chats, closed], path });
    await rowOf(/Ana/);
    await user.keyboard('k');
    // The newest stands at the top.
    expect(focused()).toContain('Ana');
  });

  it('go on behind a chat that was claimed from its row', async () => {
    const chats = ['Ana', 'Ben', 'Cem'].map((name) => oakChat(named(name)));
    const { api, user } = await startInbox({ chats, path: '/dashboard/inbox?status=waiting' });
    const claimedBy = { _id: ANA._id, name: ANA.name };
    api.on('POST /chats/:id/claim', { chat: { ...(chats[1] as Chat), rev: 9, status: 'active', claimedBy } });
    await rowOf(/Ana/);
    await user.keyboard('jj');
    expect(focused()).toContain('Ben');
    await user.keyboard('c');
    await waitFor(() => expect(screen.queryByRole('link', { name: /Ben/ })).toBeNull());
    await user.keyboard('j');
    expect(focused()).toContain('Ana');
  });
});
