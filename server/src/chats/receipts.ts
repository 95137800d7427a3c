import { events } from '../events.ts';
import { can } from '../team/contract.ts';
import type { Receipt } from './contract.ts';
import type { ChatAccess, ChatOfSite } from './guards.ts';
import { enqueue } from './keyedQueue.ts';
import { newestMessage } from './messages.ts';
import { type ChatDoc, ChatModel, SET_UPDATED_AT } from './model.ts';
import { countUnread, rebuild } from './projection.ts';

/**
 * Moves a party's receipt forward, never back. A receipt of staff lowers the number of unread messages.
 * @param what `delivered`: stored by the party's device; `read`: on screen in a focused page
 * @param seq up to which message; a value past the end counts as the end
 */
export function moveReceipt(
  { chat, site }: ChatOfSite,
  party: 'visitor' | 'staff',
  what: keyof Receipt,
  seq: number,
): Promise<void> {
  return enqueue(chat._id.toHexString(), async () => {
    const upTo = Math.min(seq, await endFor(chat._id, seq));
    const path = `receipts.${party}`;
    const reached = { [`${path}.delivered`]: upTo, ...(what === 'read' ? { [`${path}.read`]: upTo } : {}) };
    const moved = await ChatModel.findOneAndUpdate(
      { _id: chat._id, [`${path}.${what}`]: { $lt: upTo } },
      { $max: reached },
      { returnDocument: 'after' },
    ).lean<ChatDoc>();
    if (!moved) return;
    await events.emit('receiptsMoved', { chat: moved, party, receipt: moved.receipts[party] });
    if (party === 'staff' && what === 'read') await lowerUnread({ chat: moved, site });
  });
}

/** The end of a chat for a receipt up to `seq`: read from the messages where the row lags behind. */
async function endFor(chatId: ChatDoc['_id'], seq: number): Promise<number> {
  const now = await ChatModel.findById(chatId, { lastSeq: 1 }).lean<ChatDoc>();
  if (!now) return 0;
  return seq <= now.lastSeq ? now.lastSeq : ((await newestMessage(chatId))?.seq ?? 0);
}

/** Marks messages up to `seq` as read by a member. Only members who may answer count as readers for the team. */
export async function readByStaff(access: ChatAccess, seq: number): Promise<void> {
  if (can(access.member, 'chats.reply')) await moveReceipt(access, 'staff', 'read', seq);
}

async function lowerUnread({ chat, site }: ChatOfSite): Promise<void> {
  const unread = await countUnread(chat._id, chat.receipts.staff.read, chat.lastSeq);
  const lowered = await ChatModel.findOneAndUpdate(
    { _id: chat._id, lastSeq: chat.lastSeq },
    { $set: { unread }, ...SET_UPDATED_AT, $inc: { rev: 1 } },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  const now = lowered ?? (await rebuild(chat._id));
  if (now) await events.emit('chatChanged', { chat: now, site });
}
