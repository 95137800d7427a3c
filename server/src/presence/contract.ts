import type { AckFn } from '../http/contract.ts';

/** How long a lost connection still counts as online, in milliseconds. */
export const PRESENCE_GRACE_MS = 10_000;

/** A person came or went: a teammate, or a visitor of one of the chats. */
export type PresenceChange =
  | { kind: 'agent'; userId: string; siteId: string }
  | { kind: 'visitor'; visitorId: string; siteId: string; chatId?: string };

/** The page that carries the widget. */
export interface VisitorPage {
  url: string;
  title: string;
}

/** A custom attribute that a website sets on its visitor. */
export interface Attribute {
  name: string;
  value: string | number | boolean;
  /** The visitor's own answer in a form of the widget; the website has set all others. */
  asked?: true;
}

/** A page that a visitor was on. */
export interface SeenPage extends VisitorPage {
  /** When the visitor came to it. ISO 8601 UTC */
  at: string;
}

/** What is known about a visitor besides name and address. */
export interface VisitorDetails {
  /** The page last reported, if any. */
  page: VisitorPage | null;
  /** The last ten, newest first; consecutive reports of the same page are one entry. */
  pages: SeenPage[];
  /** The website's own id for the visitor; null: it sets none. */
  userId: string | null;
  /** The website's own server has proved `userId`; otherwise any page script may have set it. */
  verified: boolean;
  /** The attribute set last comes last. */
  attributes: Attribute[];
  /** Absent: not known. */
  phone?: string;
  /** What the visitor agreed to, and when (ISO 8601 UTC); absent: never asked. */
  consent?: { text: string; at: string };
}

/** The visitor of an open thread, as staff see the person at this moment. */
export interface VisitorPresence extends VisitorDetails {
  _id: string;
  online: boolean;
}

/** The dashboard socket's events about who is online. */
export interface PresenceEvents {
  user_online: (event: PresenceChange) => void;
  user_offline: (event: PresenceChange) => void;
}

/** The dashboard's requests about its own user. */
export interface PresenceRequests {
  /** Whether this agent takes chats; stored until it is switched again. */
  set_availability: (ask: { online: boolean }, ack: AckFn<{ online: boolean }>) => void;
}
