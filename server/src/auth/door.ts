import type { ClientToServerEvents } from '../../contract.ts';
import { bus } from '../bus.ts';
import type { Rules } from '../http/accept.ts';
import { catalogue } from '../http/catalogue.ts';
import type { Ack } from '../http/contract.ts';
import { AppError } from '../http/errors.ts';
import { type Report, takeEvent } from '../http/event.ts';
import type { Limits } from '../http/limits.ts';
import type { Metrics } from '../http/metrics.ts';
import { rooms, type StaffHub, type StaffSocket, type StaffSocketData } from '../hub.ts';
import type { SessionEndReason } from './contract.ts';
import type { Caller, Sessions } from './sessions.ts';

/** Sessions that ended by time alone are looked for this often. */
const LOOK_EVERY_MS = 30_000;

type AskOf<Event extends keyof ClientToServerEvents> = Parameters<ClientToServerEvents[Event]>[0];
type AckOf<Event extends keyof ClientToServerEvents> = Omit<
  Extract<Parameters<Parameters<ClientToServerEvents[Event]>[1]>[0] extends Ack<infer Data> ? Data : never, object>,
  'ok'
>;

/** A dashboard socket as the features see it: every event is asked again who is calling. */
export interface StaffDoor {
  socket: StaffSocket;
  on<Event extends keyof ClientToServerEvents>(
    event: Event,
    rules: Rules,
    handler: (ask: AskOf<Event>, caller: Caller) => Promise<AckOf<Event>>,
    /** `use: false`: an event that runs by itself and so does not keep the session alive. */
    options?: { use: boolean },
  ): void;
}

/** What a dashboard's socket is let in with. */
export interface DoorDeps {
  sessions: Sessions;
  limits: Limits;
  report: Report;
  metrics: Pick<Metrics, 'acked'>;
}

/**
 * Lets only sockets with a living session in, and throws them out when it ends, be it by time alone. Gives the function
 * that stops it.
 */
export function guardStaff(hub: StaffHub, { sessions }: Pick<DoorDeps, 'sessions'>): () => void {
  hub.use(async (socket, next) => {
    try {
      const { token } = socket.handshake.auth;
      const { user, sessionId } = await sessions.caller(token, { use: false });
      const userId = user._id.toHexString();
      Object.assign(socket.data, { token, userId, sessionId, available: user.available } satisfies StaffSocketData);
      next();
    } catch (error) {
      next(new Error(error instanceof AppError ? error.code : 'UNAVAILABLE'));
    }
  });
  const timer = setInterval(() => {
    endDead(hub, sessions).catch((error) => bus.fail(error, 'dead sessions'));
  }, LOOK_EVERY_MS).unref();
  const stopListening = bus.on('sessionEnded', ({ sessionId, reason }) => end(hub, sessionId, reason));
  return () => {
    clearInterval(timer);
    stopListening();
  };
}

/** A socket that asks for nothing would outlive its session, and go on hearing. */
export async function endDead(hub: StaffHub, sessions: Sessions): Promise<void> {
  for (const sessionId of new Set([...hub.sockets.values()].map(({ data }) => data.sessionId)))
    if (!(await sessions.isAlive(sessionId))) end(hub, sessionId, 'expired');
}

function end(hub: StaffHub, sessionId: string, reason: SessionEndReason): void {
  hub.in(rooms.session(sessionId)).emit('session_ended', { reason });
  hub.in(rooms.session(sessionId)).disconnectSockets(true);
}

/**
 * The door of one dashboard socket.
 * @param joined resolves when the socket is in its rooms: events wait for it, so that what they read and what is
 *   announced leave no gap
 */
export function staffDoor(
  socket: StaffSocket,
  { sessions, limits, report, metrics }: DoorDeps,
  joined: Promise<void>,
): StaffDoor {
  joined.catch((error) => report(error, 'joining rooms'));
  return {
    socket,
    on(event, rules, handler, options = { use: true }) {
      catalogue.staffEvents.set(event, rules);
      const acked = (outcome: string) => metrics.acked('/', event, outcome);
      const answer = async (ask: AskOf<typeof event>) => {
        const caller = await sessions.caller(socket.data.token, options);
        await limits.take('session', caller.sessionId);
        await joined;
        return handler(ask, caller);
      };
      const listener = (...args: unknown[]) => takeEvent({ rules, handler: answer, report, acked }, args);
      socket.on(event, listener as never);
    },
  };
}
