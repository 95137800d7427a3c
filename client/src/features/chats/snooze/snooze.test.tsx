import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Chat } from 'server/contract';
import { beforeEach, describe, expect, it, test, vi } from 'vitest';
import { formatDayTime } from '../../../lib/format.ts';
import { makeNote, oakChat, openChat, rowOf, startInbox } from '../testing.ts';
import { snoozeTimes } from './times.ts';

const DAY_MS = 86_400_000;
const timeIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const head = () => within(screen.getByRole('region', { name: 'Chat' }));

beforeEach(() => {
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
});

describe('snoozing a chat', () => {
  const answering = async (parts: Partial<Chat> = {}) => {
    const opened = await openChat({ chat: oakChat(parts) });
    let rev = 1;
    opened.api.on('PUT /chats/:id/snooze', ({ body }) => ({
      chat: { ...opened.chat, snoozedUntil: (body as { until: string }).until, rev: ++rev },
    }));
    opened.api.on('DELETE /chats/:id/snooze', () => {
      const { snoozedUntil, ...awake } = opened.chat;
      return { chat: { ...awake, rev: ++rev } };
    });
    return opened;
  };

  it('is one key and one press away; the row says until when; undone, the chat is back', async () => {
    const { api, user } = await answering();
    await user.keyboard('z');
    const dialog = within(await screen.findByRole('dialog', { name: 'Snooze chat' }));
    await user.click(dialog.getByRole('button', { name: /^Tomorrow morning/ }));
    const until =
      snoozeTimes(new Date())
        .find((each) => each.label === 'Tomorrow morning')
        ?.at.toISOString() ?? '';
    expect(api.asked('PUT /chats/:id/snooze')[0]?.body).toEqual({ until });
    const label = `Until ${formatDayTime(until)}`;
    expect(within(await rowOf(/Mina Park/)).getByText(label, { exact: false })).toBeTruthy();
    expect(head().getAllByText(label, { exact: false })).toHaveLength(2);
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(api.asked('DELETE /chats/:id/snooze')).toHaveLength(1);
    await waitFor(() => expect(head().getAllByText('waiting')).toHaveLength(2));
  });

  it('takes a day and a time of the user’s own, in the user’s time zone, and refuses one that is past', async () => {
    const { api, user } = await answering();
    await user.click(screen.getByRole('button', { name: 'More' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Snooze' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Snooze chat' }));
    fireEvent.change(dialog.getByLabelText('Day'), { target: { value: '2020-01-01' } });
    await user.click(dialog.getByRole('button', { name: 'Snooze' }));
    expect(dialog.getByText('Choose a time in the future.')).toBeTruthy();
    const day = timeIn(3).slice(0, 10);
    fireEvent.change(dialog.getByLabelText('Day'), { target: { value: day } });
    fireEvent.change(dialog.getByLabelText('Time'), { target: { value: '14:30' } });
    await user.click(dialog.getByRole('button', { name: 'Snooze' }));
    expect(api.asked('PUT /chats/:id/snooze')[0]?.body).toEqual({ until: new Date(`${day}T14:30`).toISOString() });
  });

  it('of a snoozed chat sets another time, which undone is the one before, or brings it back', async () => {
    const snoozedUntil = timeIn(2);
    const { api, user } = await answering({ snoozedUntil });
    await user.click(screen.getByRole('button', { name: 'More' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Change the snooze' }));
    await user.click(await screen.findByRole('button', { name: /^Tomorrow morning/ }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(api.asked('PUT /chats/:id/snooze')[1]?.body).toEqual({ until: snoozedUntil }));
    await user.keyboard('z');
    await user.click(await screen.findByRole('button', { name: 'Bring back now' }));
    await waitFor(() => expect(api.asked('DELETE /chats/:id/snooze')).toHaveLength(1));
  });

  it('stands in the thread, for the team', async () => {
    const until = timeIn(1);
    const note = makeNote({ event: 'snoozed', content: 'Ben Okafor snoozed this chat', until });
    await openChat({ notes: [note] });
    expect(
      screen.getByText(`Ben Okafor snoozed this chat until ${formatDayTime(until)}`, { exact: false }),
    ).toBeTruthy();
  });
});

describe('the list of snoozed chats', () => {
  const snoozed = { snoozedUntil: timeIn(1), unread: 1 };

  it.each(['status=waiting', 'unread=yes'])(
    '%s: a chat leaves with its snooze and comes back after it',
    async (query) => {
      const chat = oakChat({ unread: 1 });
      const { socket } = await startInbox({ path: `/dashboard/inbox?${query}` });
      act(() => socket.tell('chat_updated', { chat }));
      await rowOf(/Mina Park/);
      act(() => socket.tell('chat_updated', { chat: { ...chat, ...snoozed, rev: 2 } }));
      await screen.findByText('No chats found');
      act(() => socket.tell('chat_updated', { chat: { ...chat, rev: 3 } }));
      await rowOf(/Mina Park/);
    },
  );

  it('has a tab with a count as soon as there is one, and is kept in the address', async () => {
    const { api, socket, user, path } = await startInbox({ connected: false });
    expect(screen.queryByRole('button', { name: /^snoozed/ })).toBeNull();
    api.on('GET /inbox/counts', { counts: { waiting: 0, active: 0, snoozed: 2, assistant: 0, unread: 0 } });
    act(() => socket.connect());
    await user.click(await screen.findByRole('button', { name: 'snoozed2' }));
    expect(path()).toContain('status=snoozed');
    act(() => socket.tell('chat_updated', { chat: oakChat(snoozed) }));
    await rowOf(/Mina Park/);
  });
});

test('the times that are offered are where the user is', () => {
  const labels = (...at: [number, number, number, number, number]) =>
    snoozeTimes(new Date(...at)).map(
      (each) => `${each.label}: ${each.at.getDate()}. ${each.at.toTimeString().slice(0, 5)}`,
    );
  // A Wednesday, the evening of a Saturday, and a Sunday.
  expect(labels(2026, 3, 8, 14, 7)).toEqual([
    'Later today: 8. 17:30',
    'Tomorrow morning: 9. 09:00',
    'Next Monday morning: 13. 09:00',
  ]);
  expect(labels(2026, 3, 11, 21, 0)).toEqual(['Tomorrow morning: 12. 09:00', 'Next Monday morning: 13. 09:00']);
  expect(labels(2026, 3, 12, 10, 45)).toEqual(['Later today: 12. 14:00', 'Tomorrow morning: 13. 09:00']);
  expect(labels(2026, 3, 13, 10, 45).at(-1)).toBe('Next Monday morning: 20. 09:00');
});
