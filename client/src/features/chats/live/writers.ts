import { useEffect, useState } from 'react';
import { type ServerToClientEvents, TYPING_ENDS_MS } from 'server/contract';
import { useSocket } from '../../../lib/socket.tsx';

type Fact = Parameters<ServerToClientEvents['typing']>[0];

/** What the line below a thread says while others write in it; empty while nobody does. */
export function useWriters(chatId: string, visitorName: string): string {
  const { socket, connected } = useSocket();
  const [names, setNames] = useState<readonly string[]>([]);

  useEffect(() => {
    if (!socket || !connected) return;
    const ends = new Map<string, ReturnType<typeof setTimeout>>();
    const cease = (name: string) => {
      clearTimeout(ends.get(name));
      ends.delete(name);
      setNames([...ends.keys()]);
    };
    const onTyping = (fact: Fact) => {
      if (fact.chatId !== chatId) return;
      const name = fact.name || (fact.from === 'visitor' ? visitorName : 'A colleague');
      cease(name);
      if (!fact.isTyping) return;
      // Should the word that it is over get lost.
      ends.set(
        name,
        setTimeout(() => cease(name), TYPING_ENDS_MS),
      );
      setNames([...ends.keys()]);
    };
    socket.on('typing', onTyping);
    return () => {
      socket.off('typing', onTyping);
      for (const timer of ends.values()) clearTimeout(timer);
      setNames([]);
    };
  }, [socket, connected, chatId, visitorName]);

  if (names.length > 2) return 'Several people are typing…';
  return names.length === 0 ? '' : `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} typing…`;
}
