import { act, screen, waitFor, within } from '@testing-library/react';
import type { AnswerSource, Chat } from 'server/contract';
import { expect, it } from 'vitest';
import { makeMessage, OAK, oakChat, openChat, rowOf, startInbox } from '../../chats/testing.ts';

const assisted = (parts: Partial<Chat> = {}) =>
  oakChat({ assistant: { active: true, answers: 1 }, waitingSince: '2026-01-05T09:00:00.000Z', ...parts });

const SOURCES: AnswerSource[] = [
  { title: 'Returning a table', article: 'a1', lang: 'en', url: 'https://help.example/en/returning-a-table' },
  { title: 'Prices', article: 'a2', lang: 'en', url: null },
];

const thread = (chat: Chat, parts = {}) => [
  makeMessage({ seq: 1, chatId: chat._id, content: 'Can I return it?' }),
  makeMessage({
    seq: 2,
    chatId: chat._id,
    sender: 'assistant',
    senderName: null,
    content: 'Within 30 days.',
    sources: SOURCES,
  }),
  ...[parts].map((more) => makeMessage({ seq: 3, chatId: chat._id, ...more })),
];

it('marks the chats that the assistant has, counts them, and shows them alone', async () => {
  const chat = assisted();
  const { api, socket, user, path } = await startInbox({ chats: [chat], connected: false });
  api.on('GET /inbox/counts', { counts: { waiting: 0, active: 0, snoozed: 0, assistant: 1, unread: 0 } });
  act(() => socket.connect());
  const row = within(await rowOf(/Mina Park/));
  expect(row.getByText('Assistant')).toBeTruthy();
  expect(row.queryByText('Waits for an answer:')).toBeNull();
  await user.click(await screen.findByRole('button', { name: 'assistant1' }));
  expect(path()).toBe('/dashboard/inbox?status=assistant');
  act(() => socket.tell('chat_updated', { chat }));
  await rowOf(/Mina Park/);
  act(() =>
    socket.tell('chat_updated', {
      chat: { ...chat, assistant: { active: false, answers: 1, reason: 'asked' }, rev: 2 },
    }),
  );
  await screen.findByText('No chats found');
});

it('does not list what the assistant has among the waiting ones', async () => {
  const { socket } = await startInbox({ chats: [], path: '/dashboard/inbox?status=waiting' });
  await screen.findByText('No chats found');
  const chat = assisted();
  act(() => socket.tell('chat_updated', { chat }));
  act(() => socket.tell('chat_updated', { chat: oakChat({ visitorInfo: { ...chat.visitorInfo, name: 'Ivo' } }) }));
  await rowOf(/Ivo/);
  expect(screen.queryByRole('link', { name: /Mina Park/ })).toBeNull();
});

it('shows its answers with their sources, and why it handed over', async () => {
  const chat = assisted({ assistant: { active: false, answers: 1, reason: 'unhelpful' } });
  const over = { sender: 'system', type: 'system', event: 'handed_over', content: 'Ein Mensch antwortet Ihnen.' };
  await openChat({ chat, messages: thread(chat, over) });
  const conversation = within(screen.getByRole('region', { name: /^Conversation with/ }));
  expect(conversation.getByText('Assistant')).toBeTruthy();
  const sources = within(conversation.getByRole('list', { name: 'Sources' })).getAllByRole('link');
  expect(sources.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Returning a table', 'https://help.example/en/returning-a-table'],
    ['Prices', '/dashboard/help/a2'],
  ]);
  expect(conversation.getByText(/The assistant handed over to a person · Two answers did not help/)).toBeTruthy();
  expect(screen.queryByText(/Ein Mensch/)).toBeNull();
});

it('is taken over with one press, as any chat is claimed', async () => {
  const chat = assisted();
  const { api, user } = await openChat({ chat, messages: thread(chat) });
  const claimed = {
    ...chat,
    status: 'active' as const,
    assistant: { active: false, answers: 1, reason: 'agent' as const },
    rev: 2,
  };
  api.on('POST /chats/:id/claim', { chat: claimed });
  const bar = within(screen.getByRole('region', { name: 'Assistant' }));
  await user.click(bar.getByRole('button', { name: 'Take over' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Assistant' })).toBeNull());
  expect(api.asked('POST /chats/:id/claim')).toHaveLength(1);
});

it('has a list of its own, also empty, where a website lets it answer', async () => {
  const { user, path } = await startInbox({ chats: [], sites: [{ ...OAK, assistantStep: 'answer' }] });
  await user.click(await screen.findByRole('button', { name: 'assistant' }));
  expect(path()).toBe('/dashboard/inbox?status=assistant');
});

it('is stopped without taking the chat, and shows what a model was given', async () => {
  const chat = assisted();
  const { api, user } = await openChat({ chat, messages: thread(chat) });
  api.on('GET /chats/:id/assistant', {
    runs: [
      {
        _id: 'r1',
        chatId: chat._id,
        at: chat.createdAt,
        question: 'Can I return it?',
        words: ['return'],
        outcome: 'answered',
        passages: SOURCES,
        sent: [{ role: 'user', content: 'The passages, and the question.' }],
        answer: 'Within 30 days.',
        model: 'llama-3',
        tokens: 812,
        ms: 900,
      },
    ],
  });
  const bar = within(screen.getByRole('region', { name: 'Assistant' }));
  await user.click(bar.getByRole('button', { name: 'What was sent' }));
  const panel = within(await screen.findByRole('dialog', { name: 'What was sent' }));
  expect(await panel.findByText('llama-3 · 812 tokens · 0.9 s')).toBeTruthy();
  expect(panel.getByText('The passages, and the question.')).toBeTruthy();
  await user.click(panel.getByRole('button', { name: 'Close' }));
  api.on('POST /chats/:id/assistant', {
    chat: { ...chat, assistant: { active: false, answers: 1, reason: 'agent' }, rev: 2 },
  });
  await user.click(bar.getByRole('button', { name: 'Stop the assistant' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Assistant' })).toBeNull());
  expect(api.asked('POST /chats/:id/assistant')[0]?.body).toEqual({ on: false });
});
