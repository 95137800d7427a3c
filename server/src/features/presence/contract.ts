import type { AckFn } from '#platform/http/contract';

/** How long a lost connection still counts as online, in milliseconds. */
export const PRESENCE_GRACE_MS = 10_000;

/** Maximum number of attributes that a website may set on one visitor; beyond it, those set longest ago are dropped. */
export const ATTRIBUTES_MAX = 20;
export const ATTRIBUTE_NAME_MAX_LENGTH = 40;
export const ATTRIBUTE_TEXT_MAX_LENGTH = 200;
export const PERSON_NOTE_MAX_LENGTH = 2_000;

/** The choices of Settings: minutes without input after which an agent is away; 0: never. */
export const AUTO_AWAY_MINUTES = [0, 5, 10, 15, 30, 60] as const;
/** A dashboard reports input at most this often, in milliseconds. */
export const ACTIVITY_EVERY_MS = 60_000;
/** A longer time without input is reported as this one, in milliseconds. */
export const IDLE_MAX_MS = 86_400_000;

/** A person came or went: a teammate, or a visitor of one of the chats. */
export type PresenceChange =
  /** `away`: the teammate has not chosen to be offline, but there was no input for a while. */
  | { kind: 'agent'; userId: string; siteId: string; away?: true }
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
  /** Mails to the present address come back, with this status (`5.1.1`), since then (ISO 8601 UTC): nothing is mailed to it. Absent: they do not. */
  bounced?: { status: string; at: string };
  /** The team's note on the person; absent: there is none. */
  note?: PersonNote;
}

/** What the team wrote down about a person, for all of the person's chats. The visitor never sees it. */
export interface PersonNote {
  /** Another one with every change: a change names the version that its author has seen. */
  version: string;
  content: string;
  /** Who changed it last, by the name of that time. */
  author: { _id: string; name: string };
  /** When it was changed last. ISO 8601 UTC */
  at: string;
}

/** What a person is called and where to reach the person. */
export const CONTACT_FIELDS = ['name', 'email', 'phone'] as const;
export type ContactField = (typeof CONTACT_FIELDS)[number];

/** Corrections by the team: what is left out stays as it is, and an empty text means that it is not known. */
export type ContactBody = Partial<Record<ContactField, string>>;

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
  /**
   * There was input on this dashboard, so long ago: sent when the socket connects and at most once a minute, by users who
   * have chosen to be shown as away without input. The answer says whether the user is away.
   */
  report_activity: (ask: { idleMs: number }, ack: AckFn<{ away: boolean }>) => void;
}
