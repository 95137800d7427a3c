import { Types } from 'mongoose';
import { type SiteDoc, SiteModel } from './model.ts';

const BATCH = 100;

/**
 * Visits all living sites one by one, oldest first, a bounded number in memory, until the signal says stop. One that fails
 * keeps no other waiting.
 * @throws the first of what failed, when all were visited
 */
export async function eachSite(signal: AbortSignal, visit: (site: SiteDoc) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  let after = new Types.ObjectId('0'.repeat(24));
  while (!signal.aborted) {
    const sites = await SiteModel.find({ _id: { $gt: after }, deletedAt: null })
      .sort({ _id: 1 })
      .limit(BATCH)
      .lean<SiteDoc[]>();
    for (const site of sites) if (!signal.aborted) await visit(site).catch((error) => failures.push(error));
    const last = sites.at(-1);
    if (!last || sites.length < BATCH) break;
    after = last._id;
  }
  if (failures.length > 0) throw failures[0];
}
