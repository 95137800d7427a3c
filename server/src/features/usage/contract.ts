import type { ModelNotice } from '#features/assistant/contract';
import type { BackupNotice } from '#features/backups/contract';
import type { OutageNotice } from '#features/outages/contract';
import type { WebhookNotice } from '#features/webhooks/contract';

/** Messages and notes, or files. */
export type UsageKind = 'text' | 'files';

/** How many bytes of one kind a site has stored. */
export interface StorageUse {
  bytes: number;
  /** null: there is no limit */
  max: number | null;
}

/** A site's stored bytes and their limits. */
export type SiteUsage = Record<UsageKind, StorageUse>;

/** The percentages at which a site's admins are notified: twice early, and when nothing more can be stored. */
export const SITE_LEVELS = [80, 95, 100] as const;
export const DISK_LEVELS = [80, 90, 95] as const;

/** A storage that is running full. */
export type StorageNotice =
  /** A site that the caller administers; `percent` of its limit. */
  | { about: 'site'; siteId: string; siteName: string; kind: UsageKind; percent: number }
  /** The server's disk, shown to platform admins. */
  | { about: 'disk'; percent: number; freeBytes: number };

/** What a person should do something about. */
export type Notice = StorageNotice | BackupNotice | OutageNotice | WebhookNotice | ModelNotice;

/** The calls about stored data. */
export interface UsageApi {
  'GET /sites/:id/usage': { data: { usage: SiteUsage } };
  /** What is wrong and the caller can do something about. */
  'GET /notices': { data: { notices: Notice[] } };
}

/** The events that dashboards receive. */
export interface UsageEvents {
  /** The answer of `GET /notices` has changed. */
  notices_changed: () => void;
}
