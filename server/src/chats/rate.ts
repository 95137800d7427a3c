import { bus } from '../bus.ts';
import { notFound } from '../http/errors.ts';
import type { ChatOfSite } from './actions.ts';
import type { Rating } from './contract.ts';
import { type ChatDoc, ChatModel, TOUCHED } from './model.ts';
import { afterwards } from './queue.ts';

/** Keeps what the visitor thinks of a chat, open or closed, in the place of an earlier word. @throws AppError 404 */
export async function rateChat({ chat, site }: ChatOfSite, rating: Rating): Promise<ChatDoc> {
  const rated = await ChatModel.findOneAndUpdate(
    { _id: chat._id, site: site._id },
    { $set: { rating }, ...TOUCHED, $inc: { rev: 1 } },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  if (!rated) throw notFound('chat');
  afterwards(chat._id.toHexString(), () => bus.tell('chatChanged', { chat: rated, site }));
  return rated;
}
