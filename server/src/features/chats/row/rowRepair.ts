import { liveSite } from '#features/sites';
import { events } from '#platform/events';
import { reportLost } from '#platform/work';
import { type MessageDoc, MessageModel } from '../messageModel.ts';
import { type ChatDoc, ChatModel } from '../model.ts';
import { finishTurn } from '../turns/closing.ts';
import { wasUnheard } from './isolation.ts';
import { messageProjection, secondBeforeNewest } from './messageProjection.ts';
import { catchUp, processedRows } from './projection.ts';
import { newestMessage } from './row.ts';

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

/** Catches up rows that lag behind a message, announces messages of nodes that died, and closes or opens chats that a message closed or reopened. */
async function repair(traces: Trace[]): Promise<void> {
  const ofChats = new Map<string, Trace[]>();
  for (const trace of traces) {
    const id = trace.chat.toHexString();
    ofChats.set(id, [...(ofChats.get(id) ?? []), trace]);
  }
  const chats = await ChatModel.find({ _id: { $in: [...ofChats.keys()] } }).lean<ChatDoc[]>();
  for (const chat of chats) {
    const its = (ofChats.get(chat._id.toHexString()) ?? []).sort((a, b) => a.seq - b.seq);
    await repairChat(chat, its.at(-1) as Trace);
    await announceUnheard(chat, its);
  }
}

/**
 * Announces what the row includes and this node has not heard of. Of a chat that concerned no socket here, the other nodes may have
 * heard: they leave out what they know.
 */
async function announceUnheard({ _id, site: siteId }: ChatDoc, traces: Trace[]): Promise<void> {
  const unheard = traces.filter((trace) => wasUnheard(trace._id)).map((trace) => trace._id);
  const site = unheard.length > 0 && (await liveSite(siteId.toHexString()));
  const chat = site && (await ChatModel.findById(_id).lean<ChatDoc>());
  if (!site || !chat) return;
  const messages = await MessageModel.find({ _id: { $in: unheard } })
    .sort({ seq: 1 })
    .lean<MessageDoc[]>();
  for (const message of messages)
    await events.emitEverywhere('messageStored', { chat, site, message, socketId: undefined });
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
