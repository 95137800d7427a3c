import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Refusal } from '../../../../test/api.ts';
import { makeMessage, oakChat, startInbox } from '../testing.ts';
import './FindBar.tsx';

const NEWEST = 300;
const messagesFrom = (chatId: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => makeMessage({ seq: from + i, chatId }));

/** A chat of 300 messages, of which the newest fifty are loaded first. @param older how many the server has before them */
async function startLong(query = '', older = NEWEST - 50) {
  const chat = oakChat({ lastSeq: NEWEST });
  const started = await startInbox({
    chats: [chat],
    path: `/dashboard/inbox?chat=${chat._id}${query}`,
    messages: messagesFrom(chat._id, NEWEST - 49, NEWEST),
    older: messagesFrom(chat._id, 1, older),
  });
  return { ...started, chat };
}

const marked = () => document.querySelector('[data-seq][aria-current=true]')?.textContent;

it('opens at the message in the address, and loads both ways from there', async () => {
  const { api, path, chat } = await startLong('&at=100');
  await screen.findByText('Message 100');
  expect(marked()).toContain('Message 100');
  const asked = api.asked('GET /chats/:id/messages').map(({ query }) => query);
  expect(asked).toContainEqual({ after: '74', limit: '50' });
  // The page before the newest one was not needed.
  expect(asked).not.toContainEqual({ before: `${NEWEST - 49}` });
  const view = screen.getByRole('region', { name: /^Conversation with/ });
  await waitFor(() => {
    fireEvent.scroll(view);
    expect(screen.queryByText('Message 1')).toBeTruthy();
    expect(screen.queryByText('Message 300')).toBeTruthy();
  });
  const seqs = [...view.querySelectorAll('[data-seq]')].map((bubble) => Number(bubble.getAttribute('data-seq')));
  expect(seqs).toEqual(Array.from({ length: NEWEST }, (_, i) => i + 1));
  expect(marked()).toContain('Message 100');
  expect(path()).toBe(`/dashboard/inbox?chat=${chat._id}&at=100`);
});

it('marks a message that is loaded already, and ignores what is no seq', async () => {
  const { api } = await startLong('&at=280');
  await screen.findByText('Message 280');
  expect(marked()).toContain('Message 280');
  expect(api.asked('GET /chats/:id/messages').filter(({ query }) => query.after !== undefined)).toEqual([]);
});

it.each(['0', 'x', '-3', '99999'])('shows the newest messages for at=%s', async (at) => {
  await startLong(`&at=${at}`);
  await screen.findByText('Message 300');
  expect(marked()).toBeUndefined();
});

it('says when the message cannot be loaded, and tries again', async () => {
  const { api, user } = await startLong('', 0);
  await screen.findByText('Message 300');
  api.on('GET /chats/:id/search', { seqs: [7], next: null });
  api.on('GET /chats/:id/messages', new Refusal(500, { code: 'INTERNAL', message: 'A bug' }));
  await user.keyboard('s');
  await user.type(await screen.findByRole('searchbox', { name: 'Search in the chat' }), 'refund');
  const alert = await screen.findByText('The message could not be loaded.');
  api.on('GET /chats/:id/messages', { messages: messagesFrom('', 1, 50), more: true });
  await user.click(within(alert).getByRole('button', { name: 'Try again' }));
  await screen.findByText('Message 7');
  expect(marked()).toContain('Message 7');
});

it('searches within the chat: newest hit first, then step by step with the keyboard', async () => {
  const { api, user, path, chat } = await startLong();
  await screen.findByText('Message 300');
  api.on('GET /chats/:id/search', ({ query }) =>
    query.before === undefined ? { seqs: [290, 270], next: 270 } : { seqs: [20], next: null },
  );
  await user.keyboard('s');
  const field = await screen.findByRole('searchbox', { name: 'Search in the chat' });
  expect(document.activeElement).toBe(field);
  await user.type(field, 'refund');
  expect(await screen.findByText('1 of 3')).toBeTruthy();
  expect(marked()).toContain('Message 290');
  await user.keyboard('{Enter}');
  expect(await screen.findByText('2 of 3')).toBeTruthy();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(marked()).toContain('Message 20'));
  expect(path()).toBe(`/dashboard/inbox?chat=${chat._id}&at=20`);
  await user.keyboard('{Enter}');
  expect(await screen.findByText('1 of 3')).toBeTruthy();
  await user.keyboard('{Shift>}{Enter}{/Shift}');
  expect(await screen.findByText('3 of 3')).toBeTruthy();
  api.on('GET /chats/:id/search', { seqs: [], next: null });
  await user.clear(field);
  await user.type(field, 'nowhere');
  expect(await screen.findByText('Nothing found')).toBeTruthy();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('searchbox', { name: 'Search in the chat' })).toBeNull();
});
