import type { Installation } from '../sites/contract.ts';

/** What the server can tell of whether everything works; the browser tests sound, permission and its socket itself. */
export interface SelfCheck {
  connection: {
    /** Under which address the server sees the caller. */
    ip: string;
    https: boolean;
    /** As the browser asked for it, with a port where it has one. */
    host: string;
    /** Whether this is the address of `PUBLIC_URL`; null: it is not set. */
    isPublicUrl: boolean | null;
    /** `ignored`: a proxy tells whose requests it hands on, and `TRUST_PROXY` does not name it. */
    proxy: 'none' | 'trusted' | 'ignored';
  };
  mail: { configured: boolean };
  /** The caller's devices that take push messages. */
  push: { devices: number };
  /** `percentFull` of the disk; null: the database does not say. */
  storage: { writable: boolean; percentFull: number | null };
  /** Where the widgets of the caller's sites were seen last. */
  sites: { _id: string; name: string; domain: string; widgetEnabled: boolean; installation: Installation }[];
}

/** How many devices a test message reached, and how many it did not: those that are gone are forgotten. */
export interface PushTest {
  sent: number;
  gone: number;
  failed: number;
}

/** The calls of the self-check, but for mail. */
export interface SelfCheckApi {
  'GET /self-check': { data: SelfCheck };
  /** Rings all of the caller's devices. */
  'POST /self-check/push': { data: PushTest };
}
