import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { makeMessage, makeNote, oakChat, openChat, rowOf, startInbox } from '../testing.ts';

beforeEach(() => {
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
});

describe('opening a chat', () => {
  it('shows messages that arrive while the first page is loading', async () => {
    const chat = oakChat();
    const page = [makeMessage({ seq: 1, chatId: chat._id })];
    const { socket, api } = await startInbox({ chats: [chat], messages: page, connected: false });
    let answer: (() => void) | undefined;
    api.on('GET /chats/:id/messages', () => {
      const messages = [...page];
      return new Promise((done) => {
        answer = () => done({ messages, more: false });
      });
    });
    (await rowOf(/Mina Park/)).querySelector('a')?.click();
    await waitFor(() => expect(answer).toBeDefined());
    act(() => {
      socket.tell('new_message', {
        chatId: chat._id,
        message: makeMessage({ seq: 2, chatId: chat._id, content: 'Still there?' }),
      });
      socket.tell('note_added', {
        chatId: chat._id,
        note: makeNote({ chatId: chat._id, content: 'She called before' }),
      });
      answer?.();
    });
    expect(await within(await screen.findByRole('region', { name: /^Conversation with/ })).findByText('Still there?'));
    expect(screen.getByText('She called before')).toBeTruthy();
  });

  it('retries when the room could not be joined', async () => {
    const chat = oakChat();
    const { socket } = await startInbox({ chats: [chat] });
    const slow = { ok: false, code: 'RATE_LIMITED', message: 'Slow down', retryable: true } as const;
    socket.answer('open_chat', () => slow);
    vi.useFakeTimers({ shouldAdvanceTime: true });
    (await rowOf(/Mina Park/)).querySelector('a')?.click();
    await waitFor(() => expect(socket.sent('open_chat').length).toBeGreaterThan(0));
    await screen.findByRole('region', { name: /^Conversation with/ });
    const before = socket.sent('open_chat').length;
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    vi.useRealTimers();
    expect(socket.sent('open_chat').length).toBeGreaterThan(before);
  });

  it('keeps files to send with their own chat while another chat is open', async () => {
    const [chat, other] = [oakChat(), oakChat({ visitorInfo: { ...oakChat().visitorInfo, name: 'Other' } })];
    const { user } = await openChat({ chat, chats: [chat, other] });
    await user.upload(screen.getByLabelText('Files'), new File(['x'], 'offer.pdf'));
    await user.click(screen.getByRole('link', { name: /Other/ }));
    await screen.findByRole('heading', { name: 'Other' });
    expect(screen.queryByText('offer.pdf')).toBeNull();
    await user.click(screen.getByRole('link', { name: /Mina Park/ }));
    expect(await screen.findByText('offer.pdf')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Remove offer.pdf' }));
  });
});
