import type { ClientToServerEvents } from '../../contract.ts';
import { events } from '../events.ts';
import { catalogue } from '../http/catalogue.ts';
import { inTurn } from '../http/connectionLimits.ts';
import type { Ack } from '../http/contract.ts';
import { AppError } from '../http/errors.ts';
import { type Report, takeEvent } from '../http/event.ts';
import { flag } from '../http/fields.ts';
import type { Limits } from '../http/limits.ts';
import type { Metrics } from '../http/metrics.ts';
import type { InputSchema } from '../http/validate.ts';
import { rooms, type StaffNamespace, type StaffSocket, type StaffSocketData } from '../namespaces.ts';
import type { Presence } from '../presence/presence.ts';
import type { SessionEndReason } from './contract.ts';
import { UserModel } from './model.ts';
import type { Caller, Sessions } from './sessions.ts';

/** Sessions that ended by time alone are looked for this often. */
const LOOK_EVERY_MS = 30_000;

type AskOf<Event extends keyof ClientToServerEvents> = Parameters<ClientToServerEvents[Event]>[0];
type AckOf<Event extends keyof ClientToServerEvents> = Omit<
  Extract<Parameters<Parameters<ClientToServerEvents[Event]>[1]>[0] extends Ack<infer Data> ? Data : never, object>,
  'ok'
>;

/** What is particular about an event. */
interface EventOptions {
  /** false: it runs by itself and so does not keep the session alive. */
  use?: boolean;
  /** It is answered with pages of messages: one at a time, each when the last was taken. */
  large?: boolean;
}

/** A dashboard socket as the features see it: every event is asked again who is calling. */
export interface StaffRouter {
  socket: StaffSocket;
  on<Event extends keyof ClientToServerEvents>(
    event: Event,
    rules: InputSchema,
    handler: (ask: AskOf<Event>, caller: Caller) => Promise<AckOf<Event>>,
    options?: EventOptions,
  ): void;
}

/** What a dashboard's socket is let in with. */
export interface GatewayDeps {
  sessions: Sessions;
  limits: Limits;
  report: Report;
  metrics: Pick<Metrics, 'acked'>;
}

/**
 * Lets only sockets with a living session in, and throws them out when it ends, be it by time alone. Gives the function
 * that stops it.
 */
export function guardStaff(namespace: StaffNamespace, { sessions }: Pick<GatewayDeps, 'sessions'>): () => void {
  namespace.use(async (socket, next) => {
    try {
      const key = sessions.keyOf(socket.handshake.auth.token);
      const { user } = await sessions.caller(key, { use: false });
      const userId = user._id.toHexString();
      Object.assign(socket.data, { ...key, userId, available: user.available } satisfies StaffSocketData);
      next();
    } catch (error) {
      next(new Error(error instanceof AppError ? error.code : 'UNAVAILABLE'));
    }
  });
  const timer = setInterval(() => {
    endDead(namespace, sessions).catch((error) => events.fail(error, 'dead sessions'));
  }, LOOK_EVERY_MS).unref();
  const stopListening = events.on('sessionEnded', ({ sessionId, reason }) => end(namespace, sessionId, reason));
  return () => {
    clearInterval(timer);
    stopListening();
  };
}

/** A socket that asks for nothing would outlive its session, and go on hearing. */
export async function endDead(namespace: StaffNamespace, sessions: Sessions): Promise<void> {
  const ids = new Set([...namespace.sockets.values()].map(({ data }) => data.sessionId));
  await Promise.all(
    [...ids].map(async (sessionId) => {
      if (!(await sessions.isAlive(sessionId))) end(namespace, sessionId, 'expired');
    }),
  );
}

function end(namespace: StaffNamespace, sessionId: string, reason: SessionEndReason): void {
  namespace.in(rooms.session(sessionId)).emit('session_ended', { reason });
  namespace.in(rooms.session(sessionId)).disconnectSockets(true);
}

/**
 * The router of one dashboard socket.
 * @param joined resolves when the socket is in its rooms: events wait for it, so that what they read and what is
 *   announced leave no gap
 */
export function routeStaffEvents(
  socket: StaffSocket,
  { sessions, limits, report, metrics }: GatewayDeps,
  joined: Promise<void>,
): StaffRouter {
  // Asked again inside: what ended the session meanwhile did not find the socket in any room.
  const ready = joined.then(() => sessions.caller(socket.data, { use: false }));
  ready.catch((error) => {
    if (!(error instanceof AppError)) report(error, 'joining rooms');
    // Connected without its rooms it would hear nothing and not know it: the dashboard dials again.
    socket.disconnect(true);
  });

  async function admit(options: { use: boolean }): Promise<Caller> {
    try {
      const caller = await sessions.caller(socket.data, options);
      await limits.take('callsPerAccount', socket.data.userId);
      await ready;
      return caller;
    } catch (error) {
      // The token it came with was replaced: the dashboard dials again with the new one, after this answer.
      if (error instanceof AppError && error.status === 401) setImmediate(() => socket.disconnect(true));
      throw error;
    }
  }

  return {
    socket,
    on(event, rules, handler, { use = true, large = false } = {}) {
      catalogue.staffEvents.set(event, rules);
      const acked = (outcome: string) => metrics.acked('/', event, outcome);
      const turn = large ? (work: () => Promise<void>) => inTurn(socket.conn, work) : undefined;
      const wired = { admit: () => admit({ use }), inTurn: turn, rules, handler, report, acked };
      const listener = (...args: unknown[]) => takeEvent(wired, args);
      socket.on(event, listener as never);
    },
  };
}

/** What a dashboard's socket does to its account: it makes the agent present, and switches availability. */
export function authSocket(router: StaffRouter, deps: { presence: Presence; sessions: Sessions }): void {
  const { socket } = router;
  const { userId, sessionId, available } = socket.data;
  void socket.join([rooms.user(userId), rooms.session(sessionId)]);
  deps.presence.agentArrived(userId, available);
  socket.on('disconnect', () => deps.presence.agentLeft(userId));

  router.on('set_availability', { online: { ...flag('online'), optional: false } }, async ({ online }) => {
    await UserModel.updateOne({ _id: userId }, { $set: { available: online } });
    deps.sessions.forgetUser(userId);
    deps.presence.setAvailable(userId, online);
    return { online };
  });
}
