import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useMemo, useState } from 'react';
import toast from 'react-hot-toast';
import {
  ACK_TIMEOUT_MS,
  type Ack,
  type AckFn,
  type ClientToServerEvents,
  type ServerToClientEvents,
  SOCKET_CONNECT_TIMEOUT_MS,
  SOCKET_RECONNECT_MAX_MS,
  SOCKET_RECONNECT_MIN_MS,
} from 'server/contract';
import { io, type Socket } from 'socket.io-client';
import { useAuth } from './auth.tsx';
import { ApiError, translated } from './http.ts';
import { t } from './i18n.ts';
import { keys } from './query.ts';
import { token } from './token.ts';

export type StaffSocket = Socket<ServerToClientEvents, ClientToServerEvents>;

type Event = keyof ClientToServerEvents;
type NewMessage = Parameters<ServerToClientEvents['new_message']>[0];
type Ask<E extends Event> = Parameters<ClientToServerEvents[E]>[0];
type Answer<E extends Event> = Parameters<ClientToServerEvents[E]>[1] extends AckFn<infer Data> ? Data : never;

interface SocketApi {
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

/**
 * Whether what was sent was refused for good, over the socket or HTTP. An ended session says nothing about it: it can be sent
 * after the next login.
 */
export function isRefusal(error: unknown): error is Error {
  if (error instanceof SocketError) return error.code !== 'UNAUTHORIZED' && !error.retryable;
  if (!(error instanceof ApiError) || [401, 408, 429].includes(error.status)) return false;
  return error.status >= 400 && error.status < 500;
}

/** Dispatched on `window` too, as custom events of the same name with the data in `detail`. */
const PAGE_EVENTS = ['user_online', 'user_offline', 'chat_claimed', 'chat_closed'] as const;
const PREVIEW_LENGTH = 50;

/** @returns what the window event `chat_message` tells of a message; null: no visitor wrote it */
export function chatMessageOf({ chatId, message, notice }: NewMessage) {
  if (!notice) return null;
  return { chatId, ...notice, preview: message.content.slice(0, PREVIEW_LENGTH), at: message.timestamp };
}

const SocketContext = createContext<SocketApi | null>(null);

/** Provides the socket, which is open while somebody is signed in. */
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
    const stop = maintainConnection(fresh, setConnected, () =>
      queryClient.invalidateQueries({ queryKey: keys.profile }),
    );
    setSocket(fresh);
    fresh.connect();
    return () => {
      stop();
      fresh.disconnect();
      setSocket(null);
      setConnected(false);
    };
  }, [userId, open, queryClient]);

  const value = useMemo<SocketApi>(
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

/** The dashboard's socket. */
export function useSocket(): SocketApi {
  const api = useContext(SocketContext);
  if (!api) throw new Error('useSocket must be used within a SocketProvider');
  return api;
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
    // Called at every connect, so that a renewed token is used.
    auth: (answer) => answer({ token: token.get() }),
  });
}

/** Tracks the connection, dispatches the window events, and reconnects where Socket.IO does not. @returns a disposer */
function maintainConnection(
  socket: StaffSocket,
  onConnected: (is: boolean) => void,
  checkProfile: () => void,
): () => void {
  /** The token of this connection: a suspended page may resume after another user has signed in. */
  let bearer = token.get();
  let redial: ReturnType<typeof setTimeout> | undefined;
  const lost = () => {
    onConnected(false);
    // Socket.IO does not reconnect when the server refused or closed the connection.
    if (socket.active) return;
    clearTimeout(redial);
    redial = setTimeout(() => token.get() !== null && socket.connect(), SOCKET_RECONNECT_MAX_MS);
  };
  socket.on('connect', () => {
    bearer = token.get();
    onConnected(true);
  });
  socket.on('disconnect', lost);
  socket.on('connect_error', (error) => {
    lost();
    if (error.message === 'UNAUTHORIZED') checkProfile();
  });
  socket.on('session_ended', () => {
    // During a log-out this event may arrive before the answer to the call.
    if (token.get() === null || token.isLeaving()) return;
    if (token.get() !== bearer) return checkProfile();
    token.clear();
    toast.error(t('Your session has ended. Log in again.'));
  });
  const dispatchOnWindow = (name: string, detail: unknown) => window.dispatchEvent(new CustomEvent(name, { detail }));
  for (const name of PAGE_EVENTS) socket.on(name, (detail: unknown) => dispatchOnWindow(name, detail));
  socket.on('new_message', (event) => {
    const detail = chatMessageOf(event);
    if (detail) dispatchOnWindow('chat_message', detail);
  });
  return () => {
    clearTimeout(redial);
    socket.off();
  };
}

function request<E extends Event>(socket: StaffSocket | null, event: E, ask: Ask<E>): Promise<Answer<E>> {
  return new Promise((resolve, reject) => {
    const rejectOffline = () => reject(new SocketError('OFFLINE', t('There is no connection right now.'), true));
    if (!socket?.connected) return rejectOffline();
    const { engine } = socket.io;
    const end = () => {
      clearTimeout(late);
      socket.off('disconnect', lost);
    };
    // The answer can no longer arrive: reject now, and do not blame the next connection for it.
    const lost = () => {
      end();
      rejectOffline();
    };
    const late = setTimeout(() => {
      end();
      reject(new SocketError('TIMEOUT', t('The server took too long to answer.'), true));
      // A connection that does not answer `sync` is dead, even if the browser has not noticed: close it to reconnect.
      if (event === 'sync') engine.close();
    }, ACK_TIMEOUT_MS);
    socket.on('disconnect', lost);
    send(socket, event, ask, (ack) => {
      end();
      if (ack.ok) resolve(ack);
      else reject(new SocketError(ack.code, translated(ack.message, ack), ack.retryable, ack.retryAfterMs));
    });
  });
}

/** `Socket.emit` cannot be typed for an event that is itself a type parameter; this is the one place that says so. */
function send<E extends Event>(socket: StaffSocket, event: E, ask: Ask<E>, ack?: (ack: Ack<Answer<E>>) => void): void {
  const emit: (event: string, ...args: unknown[]) => unknown = socket.emit.bind(socket) as never;
  if (ack) emit(event, ask, ack);
  else emit(event, ask, () => undefined);
}
