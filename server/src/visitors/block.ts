import { markBlocked } from '../chats/visitor.ts';
import { type SiteDoc, SiteModel } from '../sites/model.ts';
import type { VisitorAccess } from './access.ts';
import { type VisitorDoc, VisitorModel } from './model.ts';

/**
 * Refuses a visitor's messages from now on, or takes them again; repeating it is harmless. What a crash leaves unmarked is
 * found by `sweepBlocked`.
 */
export async function setBlocked({ visitor, site }: VisitorAccess, blocked: boolean): Promise<void> {
  const changed = await VisitorModel.findOneAndUpdate(
    { _id: visitor._id, erasedAt: null },
    { $set: { blocked, unmarked: true } },
    { returnDocument: 'after' },
  ).lean<VisitorDoc>();
  await markChats(changed, site);
}

/** Tells the chats what their visitor is, and again where that has changed meanwhile. */
async function markChats(visitor: VisitorDoc | null, site: SiteDoc): Promise<void> {
  for (let known = visitor; known; ) {
    const { _id, blocked } = known;
    await markBlocked({ visitor: _id, site }, blocked);
    const { matchedCount } = await VisitorModel.updateOne({ _id, blocked }, { $unset: { unmarked: 1 } });
    known = matchedCount === 1 ? null : await VisitorModel.findById(_id).lean<VisitorDoc>();
  }
}

/** Marks the chats of visitors whose blocking a crash cut short. */
export async function sweepBlocked(_now: number, signal: AbortSignal): Promise<void> {
  for await (const visitor of VisitorModel.find({ unmarked: true }).lean<VisitorDoc>().cursor()) {
    if (signal.aborted) return;
    const site = await SiteModel.findOne({ _id: visitor.site, deletedAt: null }).lean<SiteDoc>();
    if (site) await markChats(visitor, site);
  }
}
