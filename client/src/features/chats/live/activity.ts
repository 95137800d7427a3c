import { skipToken, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type Claimer, TYPING_ENDS_MS, TYPING_EVERY_MS } from 'server/contract';
import { plural, t } from '../../../lib/i18n.ts';
import { keys } from '../../../lib/query.ts';
import { useSocket, useSocketEvents } from '../../../lib/socket.tsx';

const NOBODY: Claimer[] = [];

/** The colleagues who have the chat open, by the socket's last `viewers` event. */
export function useViewers(chatId: string, userId: string): Claimer[] {
  const { data = NOBODY } = useQuery<Claimer[]>({ queryKey: keys.viewers(chatId), queryFn: skipToken });
  return data.filter(({ _id }) => _id !== userId);
}

/** Who is looking at the chat, as a sentence; null: nobody. */
export function viewersText(viewers: readonly Claimer[]): string | null {
  const [first, second] = viewers;
  if (!first) return null;
  if (!second) return t('{name} is looking at this', { name: first.name });
  if (viewers.length === 2)
    return t('{first} and {second} are looking at this', { first: first.name, second: second.name });
  return plural(
    viewers.length - 1,
    '{name} and {count} other are looking at this',
    '{name} and {count} others are looking at this',
    { name: first.name },
  );
}

/** The typing indicator: who is typing in the chat, as a sentence; empty while nobody is. */
export function useTypingText(chatId: string, visitorName: string): string {
  const { connected } = useSocket();
  const [names, setNames] = useState<readonly string[]>([]);
  const [timeouts] = useState(() => new Map<string, ReturnType<typeof setTimeout>>());

  const stop = (name: string) => {
    clearTimeout(timeouts.get(name));
    timeouts.delete(name);
    setNames([...timeouts.keys()]);
  };
  useSocketEvents({
    typing: (event) => {
      if (event.chatId !== chatId) return;
      const name = event.name || (event.from === 'visitor' ? visitorName : t('A colleague'));
      stop(name);
      if (!event.isTyping) return;
      // The event that ends it may get lost.
      const timeout = setTimeout(() => stop(name), TYPING_ENDS_MS);
      timeouts.set(name, timeout);
      setNames([...timeouts.keys()]);
    },
  });
  // Of another chat, or after a lost connection, nothing is known.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these is a reason to forget who types
  useEffect(() => {
    return () => {
      for (const timeout of timeouts.values()) clearTimeout(timeout);
      timeouts.clear();
      setNames([]);
    };
  }, [timeouts, connected, chatId, visitorName]);

  if (names.length > 2) return t('Several people are typing…');
  const [first, second] = names;
  if (!first) return '';
  return second ? t('{first} and {second} are typing…', { first, second }) : t('{name} is typing…', { name: first });
}

/** What the visitor has typed and not sent, where the site shows it; empty: nothing. */
export function useTypedText(chatId: string): string {
  const { connected } = useSocket();
  const [typed, setTyped] = useState('');
  useSocketEvents({
    typing: (event) => {
      if (event.chatId === chatId && event.from === 'visitor') setTyped((event.isTyping && event.text) || '');
    },
    new_message: ({ chatId: of, message: { sender } }) => {
      if (of === chatId && sender === 'visitor') setTyped('');
    },
  });
  useEffect(() => {
    if (typed === '') return;
    // The event that ends it may get lost.
    const timeout = setTimeout(() => setTyped(''), TYPING_ENDS_MS);
    return () => clearTimeout(timeout);
  }, [typed]);
  // Of another chat, or after a lost connection, nothing is known.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these is a reason to forget it
  useEffect(() => () => setTyped(''), [connected, chatId]);
  return typed;
}

/** The typing indicator of the other side. @returns a function that reports that the user types (throttled), or has stopped */
export function useReportTyping(chatId: string): (isTyping: boolean) => void {
  const { connected, emit } = useSocket();
  const reportedAt = useRef<number | null>(null);

  const report = useCallback(
    (isTyping: boolean) => {
      if (!connected) return;
      const last = reportedAt.current;
      const isNews = isTyping ? last === null || Date.now() - last >= TYPING_EVERY_MS : last !== null;
      if (!isNews) return;
      reportedAt.current = isTyping ? Date.now() : null;
      emit('typing', { chatId, isTyping });
    },
    [connected, emit, chatId],
  );
  useEffect(() => () => report(false), [report]);
  return report;
}
