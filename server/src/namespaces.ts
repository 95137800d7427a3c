import type { DefaultEventsMap, Namespace, Socket } from 'socket.io';
import type { ClientToServerEvents, ServerToClientEvents, VisitorEvents, VisitorRequests } from '../contract.ts';

/** What the server remembers of a dashboard's socket. */
export interface StaffSocketData {
  userId: string;
  sessionId: string;
  /** Of the token that let the socket in. */
  generation: number;
  /** Whether the agent was switched on when the socket came. */
  available: boolean;
}

/** What the server remembers of a widget's socket. */
export interface VisitorSocketData {
  visitorId: string;
  siteId: string;
  /** Of the token that let the socket in. */
  tokenHash: string;
}

export type StaffNamespace = Namespace<ClientToServerEvents, ServerToClientEvents, DefaultEventsMap, StaffSocketData>;
export type StaffSocket = Socket<ClientToServerEvents, ServerToClientEvents, DefaultEventsMap, StaffSocketData>;
export type VisitorNamespace = Namespace<VisitorRequests, VisitorEvents, DefaultEventsMap, VisitorSocketData>;
export type VisitorSocket = Socket<VisitorRequests, VisitorEvents, DefaultEventsMap, VisitorSocketData>;

/** Both audiences' namespaces. */
export interface Namespaces {
  staff: StaffNamespace;
  visitors: VisitorNamespace;
}

/** Names of the rooms: made here only, joined by the server only, never shared by the two namespaces. */
export const rooms = {
  user: (id: string) => `user:${id}`,
  session: (id: string) => `session:${id}`,
  site: (id: string) => `site:${id}`,
  chat: (siteId: string, id: string) => `chat:${siteId}:${id}`,
  /** The chat that a room is of; null: it is of something else. */
  chatIn: (room: string) => room.match(/^chat:[^:]+:(.+)$/)?.[1] ?? null,
  /** The site that a room's members hear of; null: of none. */
  siteIn: (room: string) => room.match(/^(?:site|chat):([^:]+)/)?.[1] ?? null,
  visitor: (id: string) => `visitor:${id}`,
};
