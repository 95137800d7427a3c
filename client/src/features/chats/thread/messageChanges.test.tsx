import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../../../../test/api.ts';
import { ANA, makeMessage, oakChat, openChat } from '../testing.ts';

beforeEach(() => {
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
});

const chat = oakChat({ status: 'active', claimedBy: { _id: ANA._id, name: ANA.name } });
const hello = makeMessage({ seq: 1, chatId: chat._id, content: 'Hello there' });
const own = (parts: Parameters<typeof makeMessage>[0]) =>
  makeMessage({
    chatId: chat._id,
    sender: 'agent',
    senderId: ANA._id,
    timestamp: new Date().toISOString(),
    ...parts,
  });
const thread = () => within(screen.getByRole('region', { name: /^Conversation with/ }));
const open = (mine = own({ seq: 2, content: 'We open at eigth' })) => openChat({ chat, messages: [hello, mine] });
const press = async (user: Awaited<ReturnType<typeof open>>['user'], name: 'Edit message' | 'Delete message') =>
  user.click(await thread().findByRole('button', { name }));

describe('correcting a message', () => {
  it('begins with the up arrow in an empty composer, saves with Enter, and goes back to the composer', async () => {
    const mine = own({ seq: 2, content: 'We open at eigth' });
    const { api, user, field } = await open(mine);
    const now = { ...mine, content: 'We open at eight', text: '', edit: 1, editedAt: new Date().toISOString() };
    api.on('PATCH /chats/:id/messages/:messageId', { message: now });
    await user.click(field);
    await user.keyboard('{ArrowUp}');
    const editor = await thread().findByRole('textbox', { name: 'Edit message' });
    await waitFor(() => expect(document.activeElement).toBe(editor));
    expect((editor as HTMLTextAreaElement).value).toBe('We open at eigth');
    await user.keyboard('{Backspace}{Backspace}h**t**{Enter}');
    const [asked] = api.asked('PATCH /chats/:id/messages/:messageId');
    expect([asked?.params, asked?.body]).toEqual([
      { id: chat._id, messageId: mine._id },
      { content: 'We open at eigh**t**', formatted: true, edit: 0 },
    ]);
    expect(await thread().findByText('We open at eight')).toBeTruthy();
    expect(thread().getByText('edited')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(field));
  });

  describe('with the up arrow while the newest message is being sent', () => {
    const sending = async () => {
      const { socket, user, field } = await open();
      let confirm = () => {};
      socket.answer('send_message', async ({ clientId, content }) => {
        await new Promise<void>((resolve) => (confirm = resolve));
        return { ok: true, message: own({ seq: 3, clientId, content }) };
      });
      await user.type(field, 'Or at nine{Enter}{ArrowUp}');
      expect(thread().queryByRole('textbox', { name: 'Edit message' })).toBeNull();
      await waitFor(() => expect(socket.sent('send_message')).toHaveLength(1));
      return { user, confirm: () => confirm() };
    };

    it('begins when it is sent, and never with an older one', async () => {
      const { confirm } = await sending();
      confirm();
      const editor = await thread().findByRole('textbox', { name: 'Edit message' });
      expect((editor as HTMLTextAreaElement).value).toBe('Or at nine');
    });

    it('does not begin if something else was written meanwhile', async () => {
      const { user, confirm } = await sending();
      await user.keyboard('By the way');
      confirm();
      expect(await thread().findByText('Sent')).toBeTruthy();
      expect(thread().queryByRole('textbox', { name: 'Edit message' })).toBeNull();
    });
  });

  it('is cancelled with Escape, and leaves a draft alone', async () => {
    const { api, user, field, path } = await open();
    await user.type(field, 'A draft{ArrowUp}');
    expect(screen.queryByRole('textbox', { name: 'Edit message' })).toBeNull();
    await press(user, 'Edit message');
    await user.keyboard(' or nine{Escape}');
    expect(await thread().findByText('We open at eigth')).toBeTruthy();
    expect([field.value, path()]).toEqual(['A draft', `/dashboard/inbox?chat=${chat._id}`]);
    expect(api.asked('PATCH /chats/:id/messages/:messageId')).toEqual([]);
  });

  it('keeps what was typed when the server refuses, and says why', async () => {
    const { api, user } = await open();
    const message = 'A message can be corrected or deleted for 15 minutes.';
    api.on('PATCH /chats/:id/messages/:messageId', new Refusal(409, { code: 'TOO_LATE', message }));
    await press(user, 'Edit message');
    const editor = await thread().findByRole('textbox', { name: 'Edit message' });
    await user.type(editor, '!');
    await user.click(thread().getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(message)).toBeTruthy();
    expect((editor as HTMLTextAreaElement).value).toBe('We open at eigth!');
  });

  it('is not offered for old messages, those of others, and files only can be deleted', async () => {
    const file = { url: '/f', name: 'a.txt', size: 1, mime: 'text/plain' };
    const old = own({ seq: 2, timestamp: new Date(Date.now() - 15 * 60_000).toISOString() });
    const messages = [hello, old, own({ seq: 3, type: 'file', content: 'a.txt', file })];
    await openChat({ chat, messages });
    expect(await thread().findAllByRole('button', { name: 'Delete message' })).toHaveLength(1);
    expect(thread().queryByRole('button', { name: 'Edit message' })).toBeNull();
  });
});

it('deletes a message after a question, and shows that there was one', async () => {
  const mine = own({ seq: 2, content: 'A secret' });
  const { api, user } = await open(mine);
  const gone = { ...mine, content: '', text: '', edit: 1, deletedAt: new Date().toISOString() };
  api.on('DELETE /chats/:id/messages/:messageId', { message: gone });
  await press(user, 'Delete message');
  expect(api.asked('DELETE /chats/:id/messages/:messageId')).toEqual([]);
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete message' }));
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  expect(await thread().findByText('Message deleted')).toBeTruthy();
  expect(thread().queryByText('A secret')).toBeNull();
  expect(thread().queryByRole('button', { name: 'Delete message' })).toBeNull();
});

describe('changes by others', () => {
  it('show at once, and an older state that comes late changes nothing', async () => {
    const { socket } = await open();
    const changed = (edit: number, content: string) => ({ ...hello, content, edit, editedAt: hello.timestamp });
    act(() => socket.tell('message_changed', { chatId: chat._id, message: changed(2, 'Good morning') }));
    expect(await thread().findByText('Good morning')).toBeTruthy();
    act(() => socket.tell('message_changed', { chatId: chat._id, message: changed(1, 'Good mornin') }));
    expect(thread().getByText('Good morning')).toBeTruthy();
  });

  it('are asked for after a disconnection, from the last one that a sync brought', async () => {
    const { socket } = await open();
    const asked: (number | undefined)[] = [];
    const now = { ...hello, content: 'While you were away', edit: 7 };
    socket.answer('sync', ({ chats }) => {
      asked.push(chats[0]?.afterEdit);
      const receipts = { visitor: { delivered: 0, read: 0 }, staff: { delivered: 0, read: 0 } };
      const thread = { chatId: chat._id, messages: [], more: false, receipts, edited: [now], lastEdit: 7 };
      return { ok: true, cursor: 'c', reset: false, changed: [], removed: [], chats: [thread] };
    });
    act(() => socket.drop());
    act(() => socket.connect());
    expect(await thread().findByText('While you were away')).toBeTruthy();
    act(() => socket.drop());
    act(() => socket.connect());
    await waitFor(() => expect(asked.slice(-1)).toEqual([7]));
    expect(asked[0]).toBe(0);
  });
});
