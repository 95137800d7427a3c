import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useMemo, useState } from 'react';
import toast from 'react-hot-toast';
import type { Ack, AckFn, ClientToServerEvents, ServerToClientEvents } from 'server/contract';
import {
  ACK_TIMEOUT_MS,
  SOCKET_CONNECT_TIMEOUT_MS,
  SOCKET_RECONNECT_MAX_MS,
  SOCKET_RECONNECT_MIN_MS,
} from 'server/contract';
import { io, type Socket } from 'socket.io-client';
import { useAuth } from './auth.tsx';
import { keys } from './query.ts';
import { token } from './token.ts';

export type StaffSocket = Socket<ServerToClientEvents, ClientToServerEvents>;

type Event = keyof ClientToServerEvents;
type Ask<E extends Event> = Parameters<ClientToServerEvents[E]>[0];
type Answer<E extends Event> = Parameters<ClientToServerEvents[E]>[1] extends AckFn<infer Data> ? Data : never;

interface SocketFace {
  socket: StaffSocket | null;
  connected: boolean;
  /** Sends without waiting for an answer; lost when offline, with a warning. */
  emit: <E extends Event>(event: E, ask: Ask<E>) => void;
  /** Sends and waits for the answer; rejects with `SocketError`. */
  request: <E extends Event>(event: E, ask: Ask<E>) => Promise<Answer<E>>;
}

/** What a refused or unanswered request throws. */
export class SocketError extends Error {
  override readonly name = 'SocketError';
  readonly code: string;
  /** Whether the same packet may succeed later. */
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(code: string, message: string, retryable: boolean, retryAfterMs?: number) {
    super(message);
    this.code = code;
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Heard by the rest of the page as `window` events of the same name, the fact in `detail`. */
const PAGE_EVENTS = ['chat_message', 'user_online', 'user_offline', 'chat_claimed', 'chat_closed'] as const;

const NO_CONNECTION = 'There is no connection right now.';

const SocketContext = createContext<SocketFace | null>(null);

/** The socket of the page's origin: there while somebody is signed in, gone with the session. */
export function SocketProvider({ children, open = openSocket }: { children: ReactNode; open?: () => StaffSocket }) {
  const queryClient = useQueryClient();
  const { user, token: bearer } = useAuth();
  const wanted = user !== null && bearer !== null;
  const userId = wanted ? user._id : null;
  const [socket, setSocket] = useState<StaffSocket | null>(null);
  const [connected, setConnected] = useState(false);

  useEffect(() => {
    if (userId === null) return;
    const fresh = open();
    const stop = supervise(fresh, setConnected, () => queryClient.invalidateQueries({ queryKey: keys.profile }));
    setSocket(fresh);
    fresh.connect();
    return () => {
      stop();
      fresh.disconnect();
      setSocket(null);
      setConnected(false);
    };
  }, [userId, open, queryClient]);

  const value = useMemo<SocketFace>(
    () => ({
      socket,
      connected,
      emit: (event, ask) => {
        if (socket?.connected) send(socket, event, ask);
        else console.warn('Socket not connected');
      },
      request: (event, ask) => request(socket, event, ask),
    }),
    [socket, connected],
  );
  return <SocketContext value={value}>{children}</SocketContext>;
}

/** The dashboard's live connection. */
export function useSocket(): SocketFace {
  const face = useContext(SocketContext);
  if (!face) throw new Error('useSocket must be used within a SocketProvider');
  return face;
}

/** What to do when the server sends an event. */
export type SocketHandlers = Partial<ServerToClientEvents>;

/**
 * Subscribes to the socket while the component is mounted. Called are the handlers of the latest render, which need not
 * be memoised.
 * @param onConnect called with every connection, since events may have been missed before it
 */
export function useSocketEvents(handlers: SocketHandlers, onConnect?: () => void): void {
  const { socket, connected } = useSocket();
  const names = Object.keys(handlers).join(' ');
  const handle = useEffectEvent((name: keyof SocketHandlers, args: never[]) => {
    const handler: ((...args: never[]) => void) | undefined = handlers[name];
    handler?.(...args);
  });
  const connect = useEffectEvent(() => onConnect?.());
  useEffect(() => {
    if (!socket) return;
    const subscriptions = names.split(' ').map((each) => {
      const name = each as keyof SocketHandlers;
      return [name, (...args: never[]) => handle(name, args)] as const;
    });
    for (const [name, listener] of subscriptions) socket.on(name, listener);
    return () => {
      for (const [name, listener] of subscriptions) socket.off(name, listener);
    };
  }, [socket, names]);
  useEffect(() => {
    if (connected) connect();
  }, [connected]);
}

function openSocket(): StaffSocket {
  return io({
    autoConnect: false,
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    reconnectionDelay: SOCKET_RECONNECT_MIN_MS,
    reconnectionDelayMax: SOCKET_RECONNECT_MAX_MS,
    timeout: SOCKET_CONNECT_TIMEOUT_MS,
    // Asked at every connection, so that a refreshed token is used from then on.
    auth: (answer) => answer({ token: token.get() }),
  });
}

/** Follows the connection, passes the page's events on, and dials again where the client library gives up. */
function supervise(socket: StaffSocket, onConnected: (is: boolean) => void, checkProfile: () => void): () => void {
  /** Whose connection it is: a page that slept may wake up under another one's session. */
  let bearer = token.get();
  let redial: ReturnType<typeof setTimeout> | undefined;
  // Refused by the server or ended by it: the library leaves these to us.
  const redialLater = () => {
    clearTimeout(redial);
    redial = setTimeout(() => token.get() !== null && socket.connect(), SOCKET_RECONNECT_MAX_MS);
  };
  socket.on('connect', () => {
    bearer = token.get();
    onConnected(true);
  });
  socket.on('disconnect', () => {
    onConnected(false);
    if (!socket.active) redialLater();
  });
  socket.on('connect_error', (error) => {
    onConnected(false);
    if (error.message === 'UNAUTHORIZED') checkProfile();
    if (!socket.active) redialLater();
  });
  socket.on('session_ended', () => {
    // Logging out, this may overtake the answer to the call that asked for it.
    if (token.get() === null || token.isLeaving()) return;
    if (token.get() !== bearer) return checkProfile();
    token.clear();
    toast.error('Your session has ended. Log in again.');
  });
  for (const name of PAGE_EVENTS) {
    socket.on(name, (detail: unknown) => window.dispatchEvent(new CustomEvent(name, { detail })));
  }
  return () => {
    clearTimeout(redial);
    socket.off();
  };
}

function request<E extends Event>(socket: StaffSocket | null, event: E, ask: Ask<E>): Promise<Answer<E>> {
  return new Promise((resolve, reject) => {
    if (!socket?.connected) {
      reject(new SocketError('OFFLINE', NO_CONNECTION, true));
      return;
    }
    const { engine } = socket.io;
    const end = () => {
      clearTimeout(late);
      socket.off('disconnect', lost);
    };
    // The answer would have come by this connection: nobody need wait for it, nor hold the next one to account.
    const lost = () => {
      end();
      reject(new SocketError('OFFLINE', NO_CONNECTION, true));
    };
    const late = setTimeout(() => {
      end();
      reject(new SocketError('TIMEOUT', 'The server took too long to answer.', true));
      // A connection that does not even answer this is dead, whatever the browser says; another one is made.
      if (event === 'sync') engine.close();
    }, ACK_TIMEOUT_MS);
    socket.on('disconnect', lost);
    send(socket, event, ask, (ack) => {
      end();
      if (ack.ok) resolve(ack);
      else reject(new SocketError(ack.code, ack.message, ack.retryable, ack.retryAfterMs));
    });
  });
}

/** `Socket.emit` cannot be typed for an event that is itself a type parameter; this is the one place that says so. */
function send<E extends Event>(socket: StaffSocket, event: E, ask: Ask<E>, ack?: (ack: Ack<Answer<E>>) => void): void {
  const emit: (event: string, ...args: unknown[]) => unknown = socket.emit.bind(socket) as never;
  if (ack) emit(event, ask, ack);
  else emit(event, ask, () => undefined);
}
