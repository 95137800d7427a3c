import { events } from '#platform/events';
import type { ChatOfSite } from '../guards.ts';
import { type MessageDoc, MessageModel } from '../messageModel.ts';
import { handOver } from './handOver.ts';

/** After so many answers in a row that did not help, a person takes over. */
const UNHELPFUL_MAX = 2;

/** Keeps what the visitor says of an answer of the assistant; what was said first counts, and nothing of other messages. */
export async function answerHelped({ chat, site }: ChatOfSite, seq: number, helped: boolean): Promise<void> {
  const answer = { chat: chat._id, seq, sender: 'assistant' as const };
  const before = await MessageModel.findOneAndUpdate({ ...answer, helped: { $exists: false } }, { $set: { helped } });
  if (before) await events.emit('answerHelped', { site, helped });
  if (!helped && chat.assisted && (await areUnhelpful(chat))) await handOver({ chat, site }, 'unhelpful');
}

async function areUnhelpful({ _id: chat }: ChatOfSite['chat']): Promise<boolean> {
  const latest = await MessageModel.find({ chat, sender: 'assistant' }, { helped: 1 })
    .sort({ seq: -1 })
    .limit(UNHELPFUL_MAX)
    .lean<Pick<MessageDoc, 'helped'>[]>();
  return latest.length === UNHELPFUL_MAX && latest.every(({ helped }) => helped === false);
}
