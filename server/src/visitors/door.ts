import { VISITOR_NAMESPACE } from '../../contract.ts';
import type { Rules } from '../http/accept.ts';
import { catalogue } from '../http/catalogue.ts';
import type { Ack } from '../http/contract.ts';
import { AppError, unauthorized } from '../http/errors.ts';
import { type Report, takeEvent } from '../http/event.ts';
import type { Limits } from '../http/limits.ts';
import type { Metrics } from '../http/metrics.ts';
import type { VisitorHub, VisitorSocket } from '../hub.ts';
import { ownSite, type VisitorAccess, visitorByToken, visitorStill } from './access.ts';
import type { VisitorRequests } from './contract.ts';

type AskOf<Event extends keyof VisitorRequests> = Parameters<VisitorRequests[Event]>[0];
type AckOf<Event extends keyof VisitorRequests> =
  Parameters<Parameters<VisitorRequests[Event]>[1]>[0] extends Ack<infer Data> ? Omit<Data, 'ok'> : never;

/** The widgets' sockets as the features see them: every event is asked again whose it is. */
export interface VisitorDoor {
  on<Event extends keyof VisitorRequests>(
    event: Event,
    rules: Rules,
    handler: (ask: AskOf<Event>, access: VisitorAccess) => Promise<AckOf<Event>>,
  ): void;
}

/** What a widget's socket is let in with. */
export interface VisitorDoorDeps {
  limits: Limits;
  report: Report;
  metrics: Pick<Metrics, 'acked'>;
}

/** Whose socket it is, asked again with each event. @throws AppError 401, 403, 404 */
async function accessOf({ data, handshake }: VisitorSocket): Promise<VisitorAccess> {
  const { visitorToken } = handshake.auth;
  const visitor = data.visitorId
    ? await visitorStill(data.visitorId, visitorToken)
    : await visitorByToken(visitorToken);
  if (!visitor) throw unauthorized();
  return ownSite(visitor, handshake.headers.origin);
}

/** Lets only sockets with a good visitor token in; the others hear why by the code of the error. */
export function guardVisitors(hub: VisitorHub): void {
  hub.use(async (socket, next) => {
    try {
      const { visitor, site } = await accessOf(socket);
      Object.assign(socket.data, { visitorId: visitor._id.toHexString(), siteId: site._id.toHexString() });
      next();
    } catch (error) {
      next(new Error(error instanceof AppError ? error.code : 'UNAVAILABLE'));
    }
  });
}

/**
 * The door of all widget sockets. What is wired is wired once, not for each socket: most visitors never say a word, and
 * cost as little as can be.
 */
export function visitorDoor(hub: VisitorHub, { limits, report, metrics }: VisitorDoorDeps): VisitorDoor {
  const listeners = new Map<string, (socket: VisitorSocket, args: unknown[]) => Promise<void>>();
  hub.on('connection', (socket) => {
    socket.onAny((event: string, ...args: unknown[]) => listeners.get(event)?.(socket, args));
  });
  return {
    on(event, rules, handler) {
      catalogue.visitorEvents.set(event, rules);
      const acked = (outcome: string) => metrics.acked(VISITOR_NAMESPACE, event, outcome);
      listeners.set(event, (socket, args) => {
        const answer = async (ask: AskOf<typeof event>) => {
          await limits.take('session', `v:${socket.data.visitorId}`);
          return handler(ask, await accessOf(socket));
        };
        return takeEvent({ rules, handler: answer, report, acked }, args);
      });
    },
  };
}
