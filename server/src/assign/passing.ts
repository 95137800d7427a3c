import { bus } from '../bus.ts';
import { handBack } from '../chats/handback.ts';
import { type ChatDoc, ChatModel } from '../chats/model.ts';
import { type SiteDoc, SiteModel } from '../sites/model.ts';
import { siteIsOnline } from '../sites/online.ts';
import type { AssignDeps } from './deps.ts';
import { give } from './give.ts';
import { freeMembers, type Turns } from './members.ts';

const BATCH = 100;

/** Takes assigned chats that nobody opened or answered in time to the next member; once all had it, it waits. */
export async function passOn(turns: Turns, deps: AssignDeps): Promise<void> {
  const due = await ChatModel.find({ assignedUntil: { $gt: new Date(0), $lte: new Date(deps.now()) } })
    .sort({ assignedUntil: 1 })
    .limit(BATCH)
    .lean<ChatDoc[]>();
  for (const chat of due) await passChat(chat, turns, deps).catch((error) => bus.fail(error, 'assignment'));
}

/** Whether any assigned chat has not been opened yet. */
export async function isAnyUnopened(): Promise<boolean> {
  return (await ChatModel.exists({ assignedUntil: { $gt: new Date(0) } })) !== null;
}

async function passChat(chat: ChatDoc, turns: Turns, deps: AssignDeps): Promise<void> {
  const claimer = chat.claimedBy?.toHexString() ?? '';
  const site = await SiteModel.findOne({ _id: chat.site, deletedAt: null }).lean<SiteDoc>();
  if (!site || !chat.open || (await deps.viewersOf(chat)).has(claimer)) return opened(chat, claimer);
  const takesPart = site.settings.autoAssign && siteIsOnline(site, deps.presence, deps.now());
  const next = takesPart ? turns.next(await freeMembers(site, deps), chat) : null;
  if (!next) await handBack({ chat, site }, { assignedUntil: chat.assignedUntil ?? null });
  else if (await give({ chat, site }, next, deps.now())) turns.given(next);
}

/** The claimer has seen the chat: it stays. */
export async function opened({ _id }: ChatDoc, claimedBy: string): Promise<void> {
  await ChatModel.updateOne({ _id, claimedBy }, { $unset: { assignedUntil: 1 } });
}
