import { useEffect } from 'react';
import type { ServerToClientEvents } from 'server/contract';
import { useSocket } from './socket.tsx';

/** What to do when the socket tells something. */
export type Heard = Partial<ServerToClientEvents>;

/**
 * Hears the socket for as long as the caller is on the page. Both arguments must stay the same from one drawing to the
 * next.
 * @param onConnect called with every connection, since something may have been missed before it
 */
export function useHeard(heard: Heard, onConnect: () => void): void {
  const { socket, connected } = useSocket();
  useEffect(() => {
    if (!socket) return;
    const entries = Object.entries(heard);
    for (const [event, handler] of entries) socket.on(event as keyof Heard, handler);
    return () => {
      for (const [event, handler] of entries) socket.off(event as keyof Heard, handler);
    };
  }, [socket, heard]);
  useEffect(() => {
    if (connected) onConnect();
  }, [connected, onConnect]);
}
