import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { FILE_MAX_BYTES, TYPING_ENDS_MS, TYPING_EVERY_MS } from 'server/contract';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeUploads } from '../../../../test/upload.ts';
import { ANA, makeMessage, makeNote, OAK, oakChat, openChat } from '../testing.ts';

beforeEach(() => {
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
});

const thread = () => screen.getByRole('region', { name: /^Conversation with/ });
const button = (name: string) => screen.getByRole('button', { name });

describe('notes', () => {
  it('are shown among the messages by time, marked as internal', async () => {
    const at = (minute: number) => ({ timestamp: `2026-01-05T12:0${minute}:00.000Z` });
    const note = makeNote({ content: 'Wants a refund', createdAt: '2026-01-05T12:01:30.000Z' });
    await openChat({
      messages: [makeMessage({ seq: 1, ...at(1) }), makeMessage({ seq: 2, ...at(2) })],
      notes: [note],
    });
    expect(thread().textContent).toMatch(/Message 1.*Ben Okafor.*Only your team sees this.*Wants a refund.*Message 2/);
  });

  it('arrive live and are announced to screen readers', async () => {
    const { socket, chat } = await openChat();
    act(() => socket.tell('note_added', { chatId: chat._id, note: makeNote({ chatId: chat._id, content: 'VIP' }) }));
    expect(await within(thread()).findByRole('article', { name: 'Note by Ben Okafor' })).toBeTruthy();
    expect(within(screen.getByRole('log')).getByText('Note by Ben Okafor: VIP')).toBeTruthy();
  });

  it('are written behind a switch, never reach the visitor, and show once although their event comes first', async () => {
    const { api, socket, user, chat, field } = await openChat();
    let answer = (): void => undefined;
    api.on('POST /chats/:id/notes', async ({ body }) => {
      const { clientId, content } = body as { clientId: string; content: string };
      const author = { _id: ANA._id, name: ANA.name };
      const note = makeNote({ chatId: chat._id, clientId, content, author, createdAt: new Date().toISOString() });
      act(() => socket.tell('note_added', { chatId: chat._id, note }));
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return { note };
    });
    await user.type(field, 'Half an answer');
    await user.click(button('Note'));
    expect(field.value).toBe('');
    await user.type(screen.getByRole('textbox', { name: 'Note' }), 'Be kind{Enter}');
    await waitFor(() => expect(api.asked('POST /chats/:id/notes')).toHaveLength(1));
    await act(async () => answer());
    expect(within(thread()).getAllByText('Be kind')).toHaveLength(1);
    expect(socket.sent('send_message')).toEqual([]);
    await user.click(button('Reply'));
    expect(field.value).toBe('Half an answer');
  });

  it('can be added to a closed chat, whose reply is locked', async () => {
    const { socket, user, field } = await openChat({ chat: oakChat({ status: 'closed' }) });
    expect(screen.getByText('This chat is closed. When the visitor writes again, a new chat begins.')).toBeTruthy();
    expect(field.placeholder).toBe('Write a note. Only your team sees this.');
    await user.click(button('Reply'));
    await user.type(field, 'Too late{Enter}');
    expect([field.value, button('Send')]).toEqual(['Too late', expect.objectContaining({ disabled: true })]);
    expect([socket.sent('send_message'), socket.sent('typing')]).toEqual([[], []]);
  });

  it('are loaded as far back as the messages', async () => {
    const at = (minute: number) => `2026-01-05T09:${String(minute).padStart(2, '0')}:30.000Z`;
    const page = Array.from({ length: 50 }, (_, minute) =>
      makeNote({ content: `Note ${minute}`, createdAt: at(minute + 5) }),
    );
    const olderNotes = [makeNote({ content: 'The first note', createdAt: at(2) })];
    const { api } = await openChat({ notes: page, olderNotes });
    expect(await within(thread()).findByText('The first note')).toBeTruthy();
    const asked = api.asked('GET /chats/:id/notes').flatMap(({ query }) => query.before ?? []);
    expect(asked).toEqual([page[0]?._id]);
  });
});

describe('files', () => {
  const file = (name: string, size = 2_000) => {
    const made = new File(['x'], name, { type: 'application/pdf' });
    Object.defineProperty(made, 'size', { value: size });
    return made;
  };
  const attached = (chatId: string, clientId: string) =>
    makeMessage({
      seq: 3,
      chatId,
      clientId,
      sender: 'agent',
      senderId: ANA._id,
      type: 'file',
      content: 'offer.pdf',
      file: { url: '/api/files/k', name: 'offer.pdf', size: 2_000, mime: 'application/pdf' },
    });

  it('are sent after the message, show progress, and become download cards', async () => {
    const sent = fakeUploads();
    const { socket, user, chat, field } = await openChat();
    let confirm = () => {};
    socket.answer('send_message', async ({ clientId, content }) => {
      await new Promise<void>((resolve) => (confirm = resolve));
      return { ok: true, message: makeMessage({ seq: 2, chatId: chat._id, clientId, content, sender: 'agent' }) };
    });
    await user.upload(screen.getByLabelText('Files'), [file('offer.pdf'), file('terms.pdf')]);
    const tray = within(screen.getByRole('list', { name: 'Files to send' }));
    await user.click(tray.getByRole('button', { name: 'Remove terms.pdf' }));
    await user.type(field, 'Here it is{Enter}');
    await waitFor(() => expect(socket.sent('send_message')).toHaveLength(1));
    expect(within(thread()).getByRole('progressbar', { name: 'Sending offer.pdf' }).ariaValueNow).toBe('0');
    expect(sent).toEqual([]);
    confirm();
    await waitFor(() => expect(sent).toHaveLength(1));
    const [upload] = sent;
    expect(upload).toMatchObject({
      path: `/api/chats/${chat._id}/files`,
      bearer: 'stored-token',
      query: { name: 'offer.pdf' },
    });
    act(() => upload?.progress(0.4));
    expect(within(thread()).getByRole('progressbar', { name: 'Sending offer.pdf' }).ariaValueNow).toBe('40');
    await act(async () =>
      upload?.answer(200, { success: true, data: { message: attached(chat._id, upload.query.clientId ?? '') } }),
    );
    const card = await within(thread()).findByRole('link', { name: /^Download\s*offer\.pdf\s*2 kB$/ });
    expect(card.getAttribute('href')).toBe('/api/files/k');
    expect(within(thread()).queryByRole('progressbar')).toBeNull();
  });

  it('are retried with the same id, or deleted, or cancelled while they are sent', async () => {
    const sent = fakeUploads();
    const { user } = await openChat();
    await user.upload(screen.getByLabelText('Files'), file('offer.pdf'));
    await user.click(button('Send'));
    await act(async () => sent[0]?.drop());
    expect(await within(thread()).findByText('Not sent. The server cannot be reached.')).toBeTruthy();
    await user.click(within(thread()).getByRole('button', { name: 'Retry' }));
    expect(sent[1]?.query).toEqual(sent[0]?.query);
    const refusal = { success: false, code: 'CHAT_CLOSED', message: 'This chat is closed.' };
    await act(async () => sent[1]?.answer(409, refusal));
    expect(await within(thread()).findByText('Not sent. This chat is closed.')).toBeTruthy();
    await user.click(within(thread()).getByRole('button', { name: 'Delete' }));
    expect(within(thread()).queryByText('offer.pdf')).toBeNull();
    await user.upload(screen.getByLabelText('Files'), file('terms.pdf'));
    await user.click(button('Send'));
    await user.click(within(thread()).getByRole('button', { name: 'Cancel terms.pdf' }));
    expect([sent[2]?.aborted, within(thread()).queryByText('terms.pdf')]).toEqual([true, null]);
  });

  it('are refused before sending when they are too large', async () => {
    const sent = fakeUploads();
    const { user } = await openChat();
    await user.upload(screen.getByLabelText('Files'), file('film.mov', FILE_MAX_BYTES + 1));
    expect(screen.getByRole('alert').textContent).toBe(
      '“film.mov” is too large and was not added. A file can have at most 10 MB.',
    );
    expect(button('Send')).toHaveProperty('disabled', true);
    expect(sent).toEqual([]);
  });

  it('can be dropped onto the chat or pasted into the field', async () => {
    const { field } = await openChat();
    const chat = screen.getByRole('region', { name: 'Chat' });
    // Dropped files go to the visitor, so the composer leaves the note for the reply.
    fireEvent.click(button('Note'));
    const dataTransfer = { types: ['Files'], files: [file('dropped.pdf')] };
    fireEvent.dragEnter(chat, { dataTransfer });
    expect(screen.getByText('Drop files to send them')).toBeTruthy();
    fireEvent.drop(chat, { dataTransfer });
    expect(screen.queryByText('Drop files to send them')).toBeNull();
    fireEvent.paste(field, { clipboardData: { files: [file('pasted.pdf')] } });
    const tray = within(screen.getByRole('list', { name: 'Files to send' }));
    expect(tray.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'dropped.pdf2 kB',
      'pasted.pdf2 kB',
    ]);
  });

  it('reserve the size of a picture before it loads, and show a card when it cannot be displayed', async () => {
    const picture = {
      url: '/api/files/p',
      name: 'shop.png',
      size: 90_000,
      mime: 'image/png',
      width: 1600,
      height: 800,
    };
    await openChat({ messages: [makeMessage({ seq: 1, type: 'file', content: 'shop.png', file: picture })] });
    const image = within(thread()).getByRole('img', { name: 'Picture: shop.png' });
    expect([image.getAttribute('width'), image.getAttribute('height')]).toEqual(['320', '160']);
    fireEvent.error(image);
    expect(within(thread()).getByRole('link', { name: /^Download\s*shop\.png/ })).toBeTruthy();
  });
});

describe('typing indicators', () => {
  it('show the name, and disappear after a timeout', async () => {
    const { socket, chat } = await openChat();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const tell = (name: string | null, isTyping: boolean) =>
      act(() => socket.tell('typing', { chatId: chat._id, from: name ? 'agent' : 'visitor', name, isTyping }));
    tell(null, true);
    expect(screen.getByText('Mina Park is typing…')).toBeTruthy();
    tell('Ben', true);
    expect(screen.getByText('Mina Park and Ben are typing…')).toBeTruthy();
    tell('Ben', false);
    expect(screen.getByText('Mina Park is typing…')).toBeTruthy();
    act(() => void vi.advanceTimersByTime(TYPING_ENDS_MS));
    expect(screen.queryByText(/typing…$/)).toBeNull();
    vi.useRealTimers();
  });

  it('show what the visitor has typed, until it is sent, deleted or too old', async () => {
    const { socket, chat } = await openChat();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const tell = (text: string, chatId = chat._id) =>
      act(() => socket.tell('typing', { chatId, from: 'visitor', name: null, isTyping: text !== '', text }));
    const hear = (sender: 'agent' | 'visitor', seq: number) =>
      act(() =>
        socket.tell('new_message', { chatId: chat._id, message: makeMessage({ seq, sender, content: 'Sent' }) }),
      );
    const shown = () => screen.queryByText(/^Is the chair/)?.textContent ?? null;
    tell('Is the chair of somebody else', OAK._id);
    expect(shown()).toBeNull();
    tell('Is the chair');
    tell('Is the chair still there');
    hear('agent', 2);
    expect(shown()).toBe('Is the chair still there');
    hear('visitor', 3);
    expect(shown()).toBeNull();
    tell('Is the chair red');
    tell('');
    expect(shown()).toBeNull();
    tell('Is the chair blue');
    act(() => void vi.advanceTimersByTime(TYPING_ENDS_MS));
    expect(shown()).toBeNull();
    vi.useRealTimers();
    tell('Is the chair green');
    act(() => socket.drop());
    await waitFor(() => expect(shown()).toBeNull());
  });

  it('are sent to others at a limited rate, and not for notes', async () => {
    const { socket, user, chat, field } = await openChat();
    const clock = vi.spyOn(Date, 'now');
    const told = () => socket.sent('typing') as { isTyping: boolean }[];
    await user.type(field, 'Hel');
    expect(told()).toEqual([{ chatId: chat._id, isTyping: true }]);
    clock.mockReturnValue(Date.now() + TYPING_EVERY_MS);
    await user.type(field, 'l');
    expect(told()).toHaveLength(2);
    await user.clear(field);
    expect(told().at(-1)).toEqual({ chatId: chat._id, isTyping: false });
    await user.click(button('Note'));
    await user.type(field, 'Secret');
    expect(told()).toHaveLength(3);
  });
});

it('shows that a visitor is blocked', async () => {
  await openChat({ chat: oakChat({ blocked: true }) });
  expect(screen.getByText('This visitor is blocked: what they write does not reach you.')).toBeTruthy();
});

it('shows an error when the emoji cannot be loaded, and retries', async () => {
  const { user } = await openChat();
  await user.click(button('Emoji'));
  expect(await screen.findByText('The emoji could not be loaded.')).toBeTruthy();
  expect(button('Try again')).toBeTruthy();
});
