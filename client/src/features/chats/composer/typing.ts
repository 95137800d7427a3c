import { useCallback, useEffect, useRef } from 'react';
import { TYPING_EVERY_MS } from 'server/contract';
import { useSocket } from '../../../lib/socket.tsx';

/** Tells the others that one writes, no oftener than it helps, and that one ceased to. */
export function useTypingReport(chatId: string): (isTyping: boolean) => void {
  const { connected, emit } = useSocket();
  const toldAt = useRef<number | null>(null);

  const report = useCallback(
    (isTyping: boolean) => {
      if (!connected) return;
      const told = toldAt.current;
      if (isTyping ? told !== null && Date.now() - told < TYPING_EVERY_MS : told === null) return;
      toldAt.current = isTyping ? Date.now() : null;
      emit('typing', { chatId, isTyping });
    },
    [connected, emit, chatId],
  );
  useEffect(() => () => report(false), [report]);
  return report;
}
