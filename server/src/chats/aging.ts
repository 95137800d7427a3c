import { eachSite, type SiteDoc } from '../sites/model.ts';
import { closeChat, NOBODY } from './actions.ts';
import { newestMessage } from './append.ts';
import { type ChatDoc, ChatModel } from './model.ts';
import { rebuild } from './projection.ts';
import { removeChat, removeChats } from './remove.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BATCH = 100;

/** Closes chats that saw no message for as many hours as their site allows. */
export async function closeIdleChats(now: number, signal: AbortSignal): Promise<void> {
  await eachSite(signal, async (site) => {
    const { autoCloseHours } = site.settings;
    if (autoCloseHours > 0) await closeIdleBefore(site, new Date(now - autoCloseHours * HOUR_MS), signal);
  });
}

async function closeIdleBefore(site: SiteDoc, limit: Date, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const chats = await ChatModel.find({ site: site._id, open: true, lastActivity: { $lt: limit } })
      .sort({ lastActivity: 1 })
      .limit(BATCH)
      .lean<ChatDoc[]>();
    for (const chat of chats) await closeIfIdle(chat, site, limit);
    if (chats.length < BATCH) return;
  }
}

/** The messages decide, not the row, which may be behind them. */
async function closeIfIdle(chat: ChatDoc, site: SiteDoc, limit: Date): Promise<void> {
  const newest = await newestMessage(chat._id);
  // Without a message it was never shown: what a failed first send left.
  if (!newest) await removeChat({ chat, site }, NOBODY);
  else if (newest.event === null && newest.createdAt >= limit) await rebuild(chat._id);
  else await closeChat({ chat, site }, NOBODY);
}

/** Deletes chats that have been closed for more days than their site keeps them. */
export async function removeOldChats(now: number, signal: AbortSignal): Promise<void> {
  await eachSite(signal, async (site) => {
    const { retentionDays } = site.settings;
    if (retentionDays === 0) return;
    const limit = new Date(now - retentionDays * DAY_MS);
    await removeChats(site, { status: 'closed', closedAt: { $lt: limit } }, signal);
  });
}
