import type { MailInCheck } from '#features/mailin/contract';
import type { Installation } from '#features/sites/contract';
import type { ClusterNode } from '#platform/cluster/contract';

/** What the server can check about itself. The browser checks sound, permission and its socket on its own. */
export interface SelfCheck {
  connection: {
    /** The address of the caller as the server sees it. */
    ip: string;
    https: boolean;
    /** The host as the browser sent it, with the port if there is one. */
    host: string;
    /** Whether this is the address of `PUBLIC_URL`; null if that is not set. */
    isPublicUrl: boolean | null;
    /** `ignored`: a proxy sends forwarded addresses, but `TRUST_PROXY` does not name it. */
    proxy: 'none' | 'trusted' | 'ignored';
  };
  mail: { configured: boolean };
  /** The caller's devices that receive push messages. */
  push: { devices: number };
  /** `percentFull` is that of the disk, for platform admins only; null: the database does not report it. */
  storage: { writable: boolean; percentFull?: number | null };
  /** All processes of this Parley, for platform admins; empty also if the embedded store has only this one. */
  nodes: ClusterNode[];
  /** The operator's language model, for platform admins; absent for others, and where there is none. */
  model?: { name: string; host: string };
  /** Where the widget of each of the caller's sites was last seen. */
  sites: { _id: string; name: string; domain: string; widgetEnabled: boolean; installation: Installation }[];
}

/** How many devices a test message reached, and how many it did not. Devices that no longer exist are removed. */
export interface PushTest {
  sent: number;
  gone: number;
  failed: number;
}

/** What the language model said to one question. */
export interface ModelTest {
  /** The beginning of it; empty: it said nothing. */
  answer: string;
  ms: number;
  tokens: number;
  /** The server does not say how many tokens there were. */
  isEstimated: boolean;
}

/** The endpoints of the self-check, except for mails that go out. */
export interface SelfCheckApi {
  'GET /self-check': { data: SelfCheck };
  /** Sends a test message to all devices of the caller. */
  'POST /self-check/push': { data: PushTest };
  /** Asks the language model one question; 502 with a sentence where no answer comes, null where there is no model. For platform admins. */
  'POST /self-check/model': { data: { test: ModelTest | null } };
  /** Mails the address for answers, with a token and without. For platform admins; 409 `MAIL_IN_OFF` where there is none. */
  'POST /self-check/mail-in': { data: { check: MailInCheck } };
  /** Which of the two have come in. */
  'GET /self-check/mail-in/:checkId': { data: { check: MailInCheck } };
}
