import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Suggestion } from 'server/contract';
import { expect, it } from 'vitest';
import { Refusal } from '../../../test/api.ts';
import { makeSite } from '../../../test/make.ts';
import { OAK, oakChat, openChat } from '../chats/testing.ts';

const SUGGESTIONS: Suggestion[] = [
  { id: '1', kind: 'reply', title: '/glass', text: 'Hello {{visitor.name}}, we send a new glass.' },
  { id: '2', kind: 'article', title: 'Broken glass', text: 'We replace it.', url: 'https://help.oak.example/glass' },
  { id: '3', kind: 'pair', title: 'Is it broken?', text: 'A new one is on its way.', chatId: 'past' },
];
const SITE = { ...OAK, assistantStep: 'suggest' as const };
const WAITING = { waitingSince: '2026-01-05T09:00:00.000Z' };

async function openSuggested(suggestions: Suggestion[] | Refusal = SUGGESTIONS) {
  const chat = oakChat(WAITING);
  // A page asks as soon as the chat is on the screen.
  const opened = openChat({ chat, sites: [SITE] });
  const started = await opened;
  started.api.on('GET /chats/:id/suggestions', suggestions instanceof Refusal ? suggestions : { suggestions });
  started.api.on('POST /chats/:id/suggestions/accepted', {});
  // The visitor writes again: a suggestion is asked for anew.
  act(() => started.socket.tell('chat_updated', { chat: { ...chat, lastSeq: 2, rev: chat.rev + 1 } }));
  return { ...started, chat };
}

const strip = () => screen.findByRole('region', { name: 'Suggested answers' });
const isHidden = () => screen.queryByRole('region', { name: 'Suggested answers' }) === null;
const alt = (code: string, key = '¡') => fireEvent.keyDown(document.body, { altKey: true, code, key });

it('shows up to three suggested answers with their sources, and says so to screen readers', async () => {
  await openSuggested();
  const cards = within(await strip());
  expect(cards.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/Canned reply.*Hello [^{]*, we send a new glass/),
    expect.stringMatching(/Article.*Broken glass/),
    expect.stringMatching(/Answered before.*A new one is on its way/),
  ]);
  expect(cards.getByRole('link', { name: 'Open the chat where it was answered' }).getAttribute('href')).toBe(
    '/dashboard/inbox?chat=past',
  );
  expect(screen.getByText('3 suggested answers')).toBeTruthy();
});

it('inserts by Alt and a digit, whatever the layout types, never sends, and counts what is sent as it was', async () => {
  const { api, field, user, socket, chat } = await openSuggested();
  await strip();
  alt('Digit1');
  expect(field.value).toBe(`Hello ${chat.visitorInfo.name}, we send a new glass.`);
  alt('Digit2', '™');
  expect(field.value).toBe('[Broken glass](https://help.oak.example/glass) ');
  alt('Digit3');
  expect([field.value, document.activeElement]).toEqual(['A new one is on its way.', field]);
  expect(socket.sent('send_message')).toEqual([]);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(socket.sent('send_message')).toHaveLength(1));
  await waitFor(() => expect(api.asked('POST /chats/:id/suggestions/accepted')).toHaveLength(1));
  expect(isHidden()).toBe(true);
});

it('counts nothing that was changed, and leaves once somebody writes something else', async () => {
  const { api, field, user, socket } = await openSuggested();
  await user.click(within(await strip()).getByRole('button', { name: /A new one/ }));
  await strip();
  await user.type(field, ' Promised.');
  expect(isHidden()).toBe(true);
  alt('Digit1');
  expect(field.value).toBe('A new one is on its way. Promised.');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(socket.sent('send_message')).toHaveLength(1));
  expect(api.asked('POST /chats/:id/suggestions/accepted')).toEqual([]);
});

it('can be dismissed until the visitor writes again, and follows what the visitor writes', async () => {
  const { api, user, socket, chat } = await openSuggested();
  await strip();
  await user.click(screen.getByRole('button', { name: 'Hide the suggestions' }));
  expect(isHidden()).toBe(true);
  api.on('GET /chats/:id/suggestions', { suggestions: SUGGESTIONS.slice(2) });
  act(() => socket.tell('chat_updated', { chat: { ...chat, lastSeq: 3, rev: chat.rev + 2 } }));
  expect(within(await strip()).getAllByRole('listitem')).toHaveLength(1);
});

it('asks for none in a note, where the site stops at links, and shows nothing when they cannot be loaded', async () => {
  const { api } = await openChat({ chat: oakChat(WAITING), sites: [makeSite({ ...OAK })] });
  expect([api.asked('GET /chats/:id/suggestions'), isHidden()]).toEqual([[], true]);
});

it('stays away when suggestions cannot be loaded', async () => {
  const { api } = await openSuggested(new Refusal(429, { code: 'RATE_LIMITED', message: 'Later.' }));
  await waitFor(() => expect(api.asked('GET /chats/:id/suggestions').length).toBeGreaterThan(0));
  expect(isHidden()).toBe(true);
});
