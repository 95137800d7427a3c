import type { UsageDoc } from './model.ts';

declare module '../bus.ts' {
  interface Facts {
    /** A site has stored this much more, or (negative) less. */
    storageGrew: { siteId: string; text: number; files: number };
    /** What a site has stored was written down. */
    storageCounted: UsageDoc;
    /** Something is running full, or is so no more. `siteId` null: the disk. */
    noticesChanged: { siteId: string | null };
  }
}
