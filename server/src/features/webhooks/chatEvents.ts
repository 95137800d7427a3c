import type { Types } from 'mongoose';
import { type ChatDoc, type MessageDoc, MessageModel } from '#features/chats';
import type { WebhookDoc } from '#features/sites';
import type { Entry } from './model.ts';

/** Messages that are read at a time. */
const PAGE = 200;

/** The messages that are not in the outbox yet, those included that are not in the chat's row. */
export async function newMessages({ _id: chat, toldSeq = 0 }: ChatDoc, hooks: WebhookDoc[]): Promise<MessageDoc[]> {
  const since = Math.min(...hooks.map((hook) => hook.since.getTime()));
  const messages: MessageDoc[] = [];
  // Newest first, so that messages from before the webhook was added are not read.
  for (let before = Number.MAX_SAFE_INTEGER; hooks.length > 0; ) {
    const page = await MessageModel.find({ chat, seq: { $gt: toldSeq, $lt: before } })
      .sort({ seq: -1 })
      .limit(PAGE)
      .lean<MessageDoc[]>();
    messages.unshift(...page.toReversed());
    const oldest = page.at(-1);
    if (!oldest || page.length < PAGE || oldest.createdAt.getTime() < since) break;
    before = oldest.seq;
  }
  return messages;
}

/** Behind its message, and before what happens after it. */
const BEHIND = 0.25;

/** What a message is in the outbox. */
export function eventsOfMessage(
  { _id, chat, seq, sender, event, author, createdAt: at }: MessageDoc,
  visitor: Types.ObjectId,
): Entry[] {
  const lane = chat.toHexString();
  const what = { lane, at, chat, visitor, message: _id, ...(author && { by: author }) };
  const named = (name: Entry['event'], order: number): Entry => ({
    ...what,
    event: name,
    order,
    key: `${lane}:${seq}`,
  });
  // A chat that only has its closing message was never shown.
  if (event === 'closed') return seq === FIRST_SEQ ? [] : [named('chat.closed', seq)];
  if (event === 'reopened') return [named('chat.reopened', seq)];
  if (event === 'handed_over') return [named('assistant.handed_over', seq)];
  if (sender === 'system') return [];
  return [
    ...(seq === FIRST_SEQ ? [named('chat.opened', 0)] : []),
    named('message.created', seq),
    ...(sender === 'assistant' ? [named('assistant.answered', seq + BEHIND)] : []),
  ];
}

export const FIRST_SEQ = 1;

/**
 * The chat's events without a message. In the order of the chat, the n-th of them stands at n / (n + 1) between the newest
 * message of its time and the next one: the order in which they were written, on whichever node.
 */
export function storedEvents(chat: ChatDoc, messages: MessageDoc[]): Entry[] {
  const { _id, visitor, toldSeq = 0, happened = [], happenedBefore = 0 } = chat;
  const lane = _id.toHexString();
  let last = toldSeq;
  return happened.map(({ _id: id, event, at, seq, edit, message, by, from, how }, i) => {
    // The chat's row, from which the number was taken, may have lagged behind.
    last = Math.max(last, seq, messages.findLast(({ createdAt }) => createdAt <= at)?.seq ?? 0);
    const nth = happenedBefore + i + 1;
    return {
      key: message ? `${message}:${edit}` : id.toHexString(),
      event,
      lane,
      order: last + nth / (nth + 1),
      at,
      chat: _id,
      visitor,
      ...(message && { message }),
      ...(by && { by }),
      ...(from && { from }),
      ...(how && { how }),
    };
  });
}
