import { io, type Socket } from 'socket.io-client';

/** Far more than any answer takes, however busy the machine. */
export const PATIENCE_MS = 60_000;

/** A client's socket that remembers all it heard, in order. */
export interface Ear {
  socket: Socket;
  /** Everything heard of one event so far. */
  // biome-ignore lint/suspicious/noExplicitAny: payloads of every shape are looked into field by field
  heard(event: string): any[];
  /** Asks and waits for the acknowledgement. */
  // biome-ignore lint/suspicious/noExplicitAny: acknowledgements of every shape
  ask(event: string, payload?: unknown): Promise<any>;
}

const open = new Set<Socket>();

/**
 * Connects a dashboard, and waits until it is in its rooms: what is announced from then on it hears. It may be gone
 * again by then. @throws with the server's word when it is refused
 */
export async function connectStaff(url: string, token: unknown, headers: Record<string, string> = {}): Promise<Ear> {
  const ear = await dial(url, { token }, headers);
  // Events wait for the rooms. What is asked on a connection that is gone would wait for the next one.
  if (ear.socket.connected) await ear.ask('sync', { chats: [] }).catch(() => {});
  return ear;
}

/** Connects a widget. */
export const connectVisitor = (url: string, visitorToken: unknown, headers: Record<string, string> = {}) =>
  dial(`${url}/visitor`, { visitorToken }, headers);

/** Closes every socket that the test opened. */
export function hangUp(): void {
  for (const socket of open) socket.disconnect();
  open.clear();
}

/** Connects to a namespace, be it a test's own. */
export async function dial(url: string, auth: object, extraHeaders: Record<string, string> = {}): Promise<Ear> {
  const socket = io(url, { auth, forceNew: true, reconnection: false, transports: ['websocket'], extraHeaders });
  const log: { event: string; payload: unknown }[] = [];
  socket.onAny((event, payload) => log.push({ event, payload }));
  open.add(socket);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return {
    socket,
    heard: (event) => log.filter((entry) => entry.event === event).map(({ payload }) => payload),
    ask: (event, payload) => socket.timeout(PATIENCE_MS).emitWithAck(event, payload),
  };
}
