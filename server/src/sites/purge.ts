import type { Types } from 'mongoose';
import { type SiteDoc, SiteModel } from './model.ts';

/** Removes one feature's data of a site; may be called again after a crash. */
export type Purger = (siteId: Types.ObjectId) => Promise<void>;

/** Removes what deleted sites left behind, the site itself last, so that a crash in between is made good on the next start. */
export interface Purge {
  /** Cleans up after one site. */
  site(siteId: Types.ObjectId): Promise<void>;
  /** Cleans up after every site that was being deleted when the process died. */
  resume(): Promise<void>;
}

/** @param purgers one for each feature that keeps data of a site */
export function createPurge(purgers: Purger[]): Purge {
  async function site(siteId: Types.ObjectId): Promise<void> {
    for (const purge of purgers) await purge(siteId);
    await SiteModel.deleteOne({ _id: siteId, deletedAt: { $exists: true } });
  }
  return {
    site,
    async resume() {
      const half = await SiteModel.find({ deletedAt: { $exists: true } }, { _id: 1 }).lean<SiteDoc[]>();
      for (const { _id } of half) await site(_id);
    },
  };
}
