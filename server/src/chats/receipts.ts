import { bus } from '../bus.ts';
import { can } from '../team/contract.ts';
import type { ChatAccess } from './access.ts';
import type { ChatOfSite } from './actions.ts';
import type { Receipt } from './contract.ts';
import { type ChatDoc, ChatModel } from './model.ts';
import { inOrder } from './queue.ts';
import { countUnread, rebuild } from './summary.ts';

/**
 * Moves a party's receipt forward, never back. Staff reading lowers what is unread.
 * @param what `delivered`: stored by the party's device; `read`: on screen in a focused page
 * @param seq up to which message; past the end counts as the end
 */
export function moveReceipt(
  { chat, site }: ChatOfSite,
  party: 'visitor' | 'staff',
  what: keyof Receipt,
  seq: number,
): Promise<void> {
  return inOrder(chat._id.toHexString(), async () => {
    const now = await ChatModel.findById(chat._id, { lastSeq: 1 }).lean<ChatDoc>();
    const upTo = Math.min(seq, now?.lastSeq ?? 0);
    const path = `receipts.${party}`;
    const reached = { [`${path}.delivered`]: upTo, ...(what === 'read' ? { [`${path}.read`]: upTo } : {}) };
    const moved = await ChatModel.findOneAndUpdate(
      { _id: chat._id, [`${path}.${what}`]: { $lt: upTo } },
      { $max: reached },
      { returnDocument: 'after' },
    ).lean<ChatDoc>();
    if (!moved) return;
    await bus.tell('receiptsMoved', { chat: moved, party, receipt: moved.receipts[party] });
    if (party === 'staff' && what === 'read') await lowerUnread({ chat: moved, site });
  });
}

/** A member has read up to there. Only whoever may answer reads for the team. */
export async function readByStaff(access: ChatAccess, seq: number): Promise<void> {
  if (can(access.member, 'chats.reply')) await moveReceipt(access, 'staff', 'read', seq);
}

async function lowerUnread({ chat, site }: ChatOfSite): Promise<void> {
  const unread = await countUnread(chat._id, chat.receipts.staff.read);
  const lowered = await ChatModel.findOneAndUpdate(
    { _id: chat._id, lastSeq: chat.lastSeq },
    { $set: { unread, updatedAt: new Date() }, $inc: { rev: 1 } },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  const now = lowered ?? (await rebuild(chat._id));
  if (now) await bus.tell('chatChanged', { chat: now, site });
}
