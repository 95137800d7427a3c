import { act, screen, within } from '@testing-library/react';
import type { MessageMail } from 'server/contract';
import { expect, it } from 'vitest';
import { Refusal } from '../../../test/api.ts';
import { makeMessage, oakChat, openChat } from '../chats/testing.ts';
import './WholeMail.tsx';

const chat = oakChat();
const yes = (mail: MessageMail) => makeMessage({ seq: 1, chatId: chat._id, content: 'Yes, please', mail });
const start = async (mail: MessageMail) => {
  const message = yes(mail);
  return { message, ...(await openChat({ chat, messages: [message] })) };
};
const thread = () => within(screen.getByRole('region', { name: /^Conversation with/ }));
const show = () => thread().findByRole('button', { name: 'Show the whole mail' });

it('says of a message that it came by mail, and of no other one', async () => {
  const { socket } = await start({});
  expect(await thread().findAllByText('answered by mail')).toHaveLength(1);
  expect(thread().queryByRole('button', { name: /whole mail/ })).toBeNull();
  const here = makeMessage({ seq: 2, chatId: chat._id, content: 'Typed here' });
  act(() => socket.tell('new_message', { chatId: chat._id, message: here }));
  expect(await thread().findByText('Typed here')).toBeTruthy();
  expect(thread().getAllByText('answered by mail')).toHaveLength(1);
});

it('names another address than the one that was written to', async () => {
  await start({ from: 'boss@other.example' });
  expect((await thread().findByText('boss@other.example')).tagName).toBe('BDI');
  expect(thread().getByText(/answered from another address/)).toBeTruthy();
});

it('unfolds the whole mail below its message, loaded once, and folds it again', async () => {
  const { api, user, message } = await start({ more: true });
  const text = 'Yes, please\n\n> Shall we send it?\n> Oak and Line';
  api.on('GET /chats/:id/messages/:messageId/mail', {
    mail: { from: 'mina@example.com', subject: 'Re: Your chat', text },
  });
  await user.click(await show());
  const whole = within(await thread().findByRole('region', { name: 'Whole mail' }));
  expect(whole.getByText('Re: Your chat')).toBeTruthy();
  expect(whole.getByText('mina@example.com')).toBeTruthy();
  expect(whole.getByText(/Shall we send it/).textContent).toBe(text);
  await user.click(thread().getByRole('button', { name: 'Hide the whole mail', expanded: true }));
  expect(thread().queryByRole('region', { name: 'Whole mail' })).toBeNull();
  await user.click(await show());
  expect(await thread().findByText(/Shall we send it/)).toBeTruthy();
  expect(api.asked('GET /chats/:id/messages/:messageId/mail').map(({ params }) => params)).toEqual([
    { id: chat._id, messageId: message._id },
  ]);
});

it('says that the mail could not be loaded, and tries again', async () => {
  const { api, user } = await start({ more: true });
  api.on('GET /chats/:id/messages/:messageId/mail', new Refusal(404, { code: 'NOT_FOUND', message: 'Not found' }));
  await user.click(await show());
  const alert = within(await thread().findByRole('alert'));
  expect(alert.getByText('The mail could not be loaded.')).toBeTruthy();
  api.on('GET /chats/:id/messages/:messageId/mail', { mail: { from: null, subject: '', text: 'Here it is' } });
  await user.click(alert.getByRole('button', { name: 'Try again' }));
  expect(await thread().findByText('Here it is')).toBeTruthy();
  expect(thread().getByText('No subject')).toBeTruthy();
});

it('goes with its message when that is deleted', async () => {
  const { api, user, socket, message } = await start({ more: true });
  api.on('GET /chats/:id/messages/:messageId/mail', { mail: { from: null, subject: 'Re', text: 'A secret' } });
  await user.click(await show());
  expect(await thread().findByText('A secret')).toBeTruthy();
  const gone = { ...message, content: '', text: '', edit: 1, deletedAt: message.timestamp };
  act(() => socket.tell('message_changed', { chatId: chat._id, message: gone }));
  expect(await thread().findByText('Message deleted')).toBeTruthy();
  expect(thread().queryByText('A secret')).toBeNull();
  expect(thread().queryByText('answered by mail')).toBeNull();
});
