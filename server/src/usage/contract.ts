/** Messages and notes, or files. */
export type UsageKind = 'text' | 'files';

/** How much of something a site has stored, in bytes. */
export interface StorageUse {
  bytes: number;
  /** null: there is no limit */
  max: number | null;
}

/** What a site has stored, and how much it may. */
export type SiteUsage = Record<UsageKind, StorageUse>;

/** Shares from which the people who can do something about it are told: first, again, and when nothing fits any more. */
export const SITE_LEVELS = [80, 95, 100] as const;
export const DISK_LEVELS = [80, 90, 95] as const;

/** Something is running full. */
export type StorageNotice =
  /** A site that the caller administers; `percent` of what it may store. */
  | { about: 'site'; siteId: string; siteName: string; kind: UsageKind; percent: number }
  /** The disk of the server, for platform admins. */
  | { about: 'disk'; percent: number; freeBytes: number };

/** The calls about what is stored. */
export interface UsageApi {
  'GET /sites/:id/usage': { data: { usage: SiteUsage } };
  /** What is running full and is the caller's to mend. */
  'GET /notices': { data: { notices: StorageNotice[] } };
}

/** What dashboards are told. */
export interface UsageEvents {
  /** `GET /notices` answers something else than before. */
  notices_changed: () => void;
}
