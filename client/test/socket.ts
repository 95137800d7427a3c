import type { Ack, ClientToServerEvents, ServerToClientEvents } from 'server/contract';
import type { StaffSocket } from '../src/lib/socket.tsx';

type Event = keyof ClientToServerEvents;
type Listener = (...args: never[]) => void;

/** The far end of a dashboard socket, in the hands of a test. */
export function fakeSocket() {
  const listeners = new Map<string, Set<Listener>>();
  const answers = new Map<string, (ask: unknown) => Ack | Promise<Ack>>();
  const sent: { event: string; ask: unknown }[] = [];
  const hear = (event: string, ...args: unknown[]) => {
    for (const listener of [...(listeners.get(event) ?? [])]) listener(...(args as never[]));
  };
  const engine = { transport: { name: 'websocket' }, close: () => drop() };
  const drop = () => {
    near.connected = false;
    hear('disconnect', 'transport close');
  };
  const near = {
    io: { engine },
    connected: false,
    active: true,
    connect: () => near,
    disconnect: () => near,
    on(event: string, listener: Listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
      return near;
    },
    off(event?: string, listener?: Listener) {
      if (event === undefined) listeners.clear();
      else if (listener) listeners.get(event)?.delete(listener);
      return near;
    },
    emit(event: string, ask: unknown, ack?: (answer: Ack) => void) {
      sent.push({ event, ask });
      const answer = answers.get(event);
      if (answer) queueMicrotask(async () => ack?.(await answer(ask)));
      return near;
    },
  };
  return {
    /** For the `open` of `DashboardProviders`. */
    open: () => near as unknown as StaffSocket,
    connect() {
      near.connected = true;
      hear('connect');
    },
    drop,
    /** How the connection is carried from now on. */
    carryBy(name: 'websocket' | 'polling') {
      engine.transport.name = name;
    },
    /** The connection is refused, as by a middleware. */
    refuse(message: string) {
      near.active = false;
      hear('connect_error', new Error(message));
    },
    /** The server tells something. */
    tell<E extends keyof ServerToClientEvents>(event: E, ...facts: Parameters<ServerToClientEvents[E]>) {
      hear(event, ...facts);
    },
    /** How the server acknowledges an event from now on. */
    answer<E extends Event>(event: E, answer: (ask: Parameters<ClientToServerEvents[E]>[0]) => Ack | Promise<Ack>) {
      answers.set(event, answer as (ask: unknown) => Ack | Promise<Ack>);
    },
    sent: (event: Event): unknown[] => sent.filter((each) => each.event === event).map(({ ask }) => ask),
  };
}

export type FakeSocket = ReturnType<typeof fakeSocket>;
