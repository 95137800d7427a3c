import { type ChatDoc, type MessageDoc, MessageModel } from './model.ts';

const KEPT_MAX = 20_000;
/** By chat. A message never changes. */
const kept = new Map<string, MessageDoc>();

/** The first messages of chats, by the chats' hex ids: their rows show them, again with each message that follows. */
export async function firstMessages(chats: ChatDoc[]): Promise<Map<string, MessageDoc>> {
  const firsts = new Map<string, MessageDoc>();
  const unread = chats.filter(({ _id }) => {
    const first = kept.get(_id.toHexString());
    if (first) firsts.set(_id.toHexString(), first);
    return !first;
  });
  if (unread.length === 0) return firsts;
  const read = await MessageModel.find({ chat: { $in: unread.map(({ _id }) => _id) }, seq: 1 }).lean<MessageDoc[]>();
  if (kept.size + read.length > KEPT_MAX) kept.clear();
  for (const first of read) {
    firsts.set(first.chat.toHexString(), first);
    kept.set(first.chat.toHexString(), first);
  }
  return firsts;
}
