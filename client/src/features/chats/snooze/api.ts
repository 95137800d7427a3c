import type { Chat } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { formatDayTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { visitorName } from '../../../shared/visitorName.ts';
import { toastAction } from '../../../ui/actionToast.tsx';
import { useChatChange } from '../actions/claim.ts';

/** The chat as it is expected without its snooze. */
export function asAwake({ snoozedUntil, ...chat }: Chat): Chat {
  return chat;
}

/** Brings a snoozed chat back. */
export function useUnsnooze() {
  return useChatChange({
    expected: asAwake,
    ask: ({ _id }) => call('DELETE /chats/:id/snooze', { params: { id: _id } }),
    failure: t('The chat could not be brought back.'),
  });
}

/** Snoozes a chat until a time, and offers in a toast to undo that: to the time that it was snoozed until before, if any. */
export function useSnooze() {
  const unsnooze = useUnsnooze();
  const change = useChatChange<{ until: string; onDone?: (chat: Chat) => void }>({
    expected: (chat, { until }) => ({ ...chat, snoozedUntil: until }),
    ask: async ({ _id }, { until, onDone }) => {
      const answer = await call('PUT /chats/:id/snooze', { params: { id: _id }, body: { until } });
      onDone?.(answer.chat);
      return answer;
    },
    failure: t('The chat could not be snoozed.'),
  });
  return (chat: Chat, until: string) => {
    const { snoozedUntil } = chat;
    change(chat, {
      until,
      onDone: (now) =>
        toastAction({
          id: `snoozed ${chat._id}`,
          text: t('Snoozed the chat with {name} until {time}', {
            name: visitorName(chat.visitorInfo.name),
            time: formatDayTime(until),
          }),
          label: t('Undo'),
          run: () => (snoozedUntil === undefined ? unsnooze(now) : change(now, { until: snoozedUntil })),
        }),
    });
  };
}
