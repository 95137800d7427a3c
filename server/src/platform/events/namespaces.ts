import type { DefaultEventsMap, Namespace, Socket } from 'socket.io';
import type { ClientToServerEvents, ServerToClientEvents, VisitorEvents, VisitorRequests } from '#contract';

/** The state of a dashboard's socket on the server. */
export interface StaffSocketData {
  userId: string;
  sessionId: string;
  /** The generation of the token that authenticated the socket. */
  generation: number;
  /** Whether the agent was available when the socket connected. */
  available: boolean;
  /** After how long without input the agent is away; undefined: never. */
  autoAwayMinutes?: number | undefined;
}

/** The state of a widget's socket on the server. */
export interface VisitorSocketData {
  visitorId: string;
  siteId: string;
  /** The hash of the token that authenticated the socket. */
  tokenHash: string;
  /** The widget's language, as an ISO code; undefined: not known. */
  language: string | undefined;
}

export type StaffNamespace = Namespace<ClientToServerEvents, ServerToClientEvents, DefaultEventsMap, StaffSocketData>;
export type StaffSocket = Socket<ClientToServerEvents, ServerToClientEvents, DefaultEventsMap, StaffSocketData>;
export type VisitorNamespace = Namespace<VisitorRequests, VisitorEvents, DefaultEventsMap, VisitorSocketData>;
export type VisitorSocket = Socket<VisitorRequests, VisitorEvents, DefaultEventsMap, VisitorSocketData>;

/** The namespaces of the dashboards and of the widgets. */
export interface Namespaces {
  staff: StaffNamespace;
  visitors: VisitorNamespace;
}

/** Room names: made only here, joined only by the server, never shared by the two namespaces. */
export const rooms = {
  user: (id: string) => `user:${id}`,
  session: (id: string) => `session:${id}`,
  site: (id: string) => `site:${id}`,
  /** The widgets of a site that show one language; undefined: those whose language is not known. */
  language: (siteId: string, language = '') => `language:${siteId}:${language}`,
  chat: (siteId: string, id: string) => `chat:${siteId}:${id}`,
  /** The chat id in a room's name; null: it is not a chat's room. */
  chatIn: (room: string) => room.match(/^chat:[^:]+:(.+)$/)?.[1] ?? null,
  /** The site id in a room's name; null: the room belongs to no site. */
  siteIn: (room: string) => room.match(/^(?:site|chat):([^:]+)/)?.[1] ?? null,
  visitor: (id: string) => `visitor:${id}`,
};
