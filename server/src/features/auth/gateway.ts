import type { ClientToServerEvents } from '#contract';
import type { Presence } from '#features/presence';
import { IDLE_MAX_MS } from '#features/presence/contract';
import { type Cluster, recheck } from '#platform/cluster';
import { events, rooms, type StaffNamespace, type StaffSocket, type StaffSocketData } from '#platform/events';
import {
  AppError,
  catalogue,
  flag,
  handleSocketEvent,
  type InputSchema,
  inTurn,
  type Limits,
  type Metrics,
  type Report,
  whole,
} from '#platform/http';
import type { Ack } from '#platform/http/contract';
import { MINUTE_MS } from '#platform/time';
import type { SessionEndReason } from './contract.ts';
import { UserModel } from './model.ts';
import type { Caller, Sessions } from './sessions.ts';

type AskOf<Event extends keyof ClientToServerEvents> = Parameters<ClientToServerEvents[Event]>[0];
type AckOf<Event extends keyof ClientToServerEvents> = Omit<
  Extract<Parameters<Parameters<ClientToServerEvents[Event]>[1]>[0] extends Ack<infer Data> ? Data : never, object>,
  'ok'
>;

/** How an event is handled, where that differs from the default. */
interface EventOptions {
  /** false: the event is sent without the user's doing, so it does not keep the session alive. */
  use?: boolean;
  /** The answer holds pages of messages: such events run one at a time, each after the client took the answer before. */
  large?: boolean;
}

/** A dashboard socket as the features see it: the session is checked again before every event. */
export interface StaffRouter {
  socket: StaffSocket;
  /** Resolves when the socket is in its rooms. */
  joined: Promise<void>;
  on<Event extends keyof ClientToServerEvents>(
    event: Event,
    rules: InputSchema,
    handler: (ask: AskOf<Event>, caller: Caller) => Promise<AckOf<Event>>,
    options?: EventOptions,
  ): void;
}

export interface GatewayDeps {
  sessions: Sessions;
  limits: Limits;
  report: Report;
  metrics: Pick<Metrics, 'acked'>;
}

/**
 * Admits only sockets with a living session, and disconnects them when the session ends or expires.
 * @returns a disposer
 */
export function guardStaff(
  namespace: StaffNamespace,
  { sessions, cluster = null }: Pick<GatewayDeps, 'sessions'> & { cluster?: Pick<Cluster, 'state'> | null },
): () => void {
  namespace.use(async (socket, next) => {
    try {
      const key = sessions.keyOf(socket.handshake.auth.token);
      const { user } = await sessions.caller(key, { use: false });
      const userId = user._id.toHexString();
      const { available, autoAwayMinutes } = user;
      Object.assign(socket.data, { ...key, userId, available, autoAwayMinutes } satisfies StaffSocketData);
      next();
    } catch (error) {
      next(new Error(error instanceof AppError ? error.code : 'UNAVAILABLE'));
    }
  });
  return events.stopAll([
    recheck('ending expired sessions', cluster, () => disconnectExpired(namespace, sessions)),
    events.everywhere('sessionEnded', ({ sessionId, reason }) => end(namespace, sessionId, reason)),
  ]);
}

/**
 * Disconnects sockets whose session has expired. A socket that sends nothing is never checked otherwise, and would go on
 * receiving events.
 */
export async function disconnectExpired(namespace: StaffNamespace, sessions: Sessions): Promise<void> {
  const ids = new Set([...namespace.sockets.values()].map(({ data }) => data.sessionId));
  await Promise.all(
    [...ids].map(async (sessionId) => {
      if (!(await sessions.isAlive(sessionId))) end(namespace, sessionId, 'expired');
    }),
  );
}

function end(namespace: StaffNamespace, sessionId: string, reason: SessionEndReason): void {
  namespace.local.in(rooms.session(sessionId)).emit('session_ended', { reason });
  namespace.local.in(rooms.session(sessionId)).disconnectSockets(true);
}

/**
 * The router of one dashboard socket.
 * @param joined resolves when the socket is in its rooms: events wait for it, so that no announcement is lost between
 *   what they read and the first one received
 */
export function routeStaffEvents(
  socket: StaffSocket,
  { sessions, limits, report, metrics }: GatewayDeps,
  joined: Promise<void>,
): StaffRouter {
  // Checked again after joining: a session that ended during the join did not find the socket in any room.
  const ready = joined.then(() => sessions.caller(socket.data, { use: false }));
  ready.catch((error) => {
    if (!(error instanceof AppError)) report(error, 'joining rooms');
    // Without its rooms the socket would receive no events and not notice. Disconnected, the dashboard reconnects.
    socket.disconnect(true);
  });

  async function admit(options: { use: boolean }): Promise<Caller> {
    try {
      const caller = await sessions.caller(socket.data, options);
      await limits.take('callsPerAccount', socket.data.userId);
      await ready;
      return caller;
    } catch (error) {
      // The token of this socket was replaced by a refresh: the dashboard reconnects with the new one, after this answer.
      if (error instanceof AppError && error.status === 401) setImmediate(() => socket.disconnect(true));
      throw error;
    }
  }

  return {
    socket,
    joined,
    on(event, rules, handler, { use = true, large = false } = {}) {
      catalogue.staffEvents.set(event, rules);
      const acked = (outcome: string) => metrics.acked('/', event, outcome);
      const turn = large ? (work: () => Promise<void>) => inTurn(socket.conn, work) : undefined;
      const wired = { admit: () => admit({ use }), inTurn: turn, rules, handler, report, acked };
      const listener = (...args: unknown[]) => handleSocketEvent(wired, args);
      socket.on(event, listener as never);
    },
  };
}

/** The account's events on a dashboard socket: it counts the agent as present, and switches availability. */
export function authSocket(router: StaffRouter, deps: { presence: Presence; sessions: Sessions }): void {
  const { socket } = router;
  const { userId, sessionId, available, autoAwayMinutes = 0 } = socket.data;
  void socket.join([rooms.user(userId), rooms.session(sessionId)]);
  deps.presence.agentArrived(userId, available, autoAwayMinutes * MINUTE_MS);
  socket.on('disconnect', () => deps.presence.agentLeft(userId));

  router.on('set_availability', { online: { ...flag('online'), optional: false } }, async ({ online }) => {
    await UserModel.updateOne({ _id: userId }, { $set: { available: online } });
    deps.sessions.forgetUser(userId);
    deps.presence.setAvailable(userId, online);
    return { online };
  });
  router.on(
    'report_activity',
    { idleMs: whole('idleMs', { max: IDLE_MAX_MS }) },
    async ({ idleMs }) => {
      deps.presence.agentActive(userId, idleMs);
      return { away: deps.presence.agentIsAway(userId) };
    },
    // Moving the pointer is no use of the session: its timeout stays as it was.
    { use: false },
  );
}
