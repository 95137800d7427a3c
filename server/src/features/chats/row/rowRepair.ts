import { liveSite } from '#features/sites';
import { reportLost } from '#platform/work';
import { newestMessage } from '../messages/messages.ts';
import { type ChatDoc, ChatModel, type MessageDoc } from '../model.ts';
import { finishTurn } from '../turns/closing.ts';
import { messageProjection, secondBeforeNewest } from './messageProjection.ts';
import { catchUp, processedRows } from './projection.ts';

/**
 * Without a checkpoint (older versions kept none), this many newest messages are checked: more than a crash can leave
 * unfinished.
 */
const NEWEST = 5_000;
const NAME = 'chatRows';

/** The fields of a message that tell whether its chat includes it. */
type Trace = Pick<MessageDoc, '_id' | 'chat' | 'seq' | 'event'>;

/** Chats' rows, and the events that follow them. */
export const chatRows = messageProjection({
  name: NAME,
  first: () => secondBeforeNewest(NEWEST),
  fields: ['chat', 'seq', 'event'],
  processed: processedRows,
  repair,
});

/** Catches up rows that lag behind a message, and closes or opens chats that a message closed or reopened. */
async function repair(traces: Trace[]): Promise<void> {
  const newest = new Map<string, Trace>();
  for (const trace of traces) {
    const id = trace.chat.toHexString();
    if (trace.seq > (newest.get(id)?.seq ?? 0)) newest.set(id, trace);
  }
  const chats = await ChatModel.find({ _id: { $in: [...newest.keys()] } }).lean<ChatDoc[]>();
  for (const chat of chats) await repairChat(chat, newest.get(chat._id.toHexString()) as Trace);
}

async function repairChat(chat: ChatDoc, newest: Trace): Promise<void> {
  const isUnfinished = await isTurnUnfinished(chat, newest);
  if (chat.lastSeq >= newest.seq && !isUnfinished) return;
  const site = await liveSite(chat.site.toHexString());
  if (!site) return;
  reportLost(NAME, 1);
  // A chat that only has its closing message was never shown.
  const isEmpty = newest.event === 'closed' && newest.seq === 1;
  if (!isEmpty) await catchUp({ chat, site }, newest.seq);
  if (isUnfinished) await finishTurn({ chat, site });
}

/** Whether the row's status is not what the chat's messages say. Later messages than the trace may be stored already. */
async function isTurnUnfinished({ _id, status }: ChatDoc, { event }: Trace): Promise<boolean> {
  const isClosed = status === 'closed';
  if (isClosed === (event === 'closed')) return false;
  const newest = await newestMessage(_id);
  return newest !== null && isClosed !== (newest.event === 'closed');
}
