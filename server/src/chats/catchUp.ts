import { Types } from 'mongoose';
import type { Cluster } from '../cluster/cluster.ts';
import { events } from '../events.ts';
import { perServer } from '../scope.ts';
import { type ChatDoc, ChatModel, type MessageDoc, MessageModel } from './model.ts';

/** The interval of looks while this node does not hear the others. */
const EVERY_MS = 5_000;
/**
 * How far back a look goes: the interval, the time in which the loss is noticed, a write that takes long, and clocks that
 * differ, because ids are made of the clocks of other nodes.
 */
const BACK_S = 15;
/** More messages than this in one look are left to the regular `sync` of the clients. */
const MESSAGES_MAX = 5_000;
/** As many ids are remembered: more than the other nodes keep to send again when Redis is back. */
const TOLD_MAX = 20_000;

/** The newest messages of which the sockets here were told, in that order. */
const told = perServer(() => new Set<string>());

/** Whether the sockets here were told of this message while the other nodes were not heard, or by this node. */
export const wasTold = (messageId: string): boolean => told().has(messageId);

/**
 * While this node does not hear the others, it looks every few seconds for what they have stored, and tells its sockets.
 * @returns a disposer
 */
export function catchUpWithoutOthers(cluster: Pick<Cluster, 'state' | 'tell'>): () => Promise<void> {
  let running = Promise.resolve();
  const stopListening = events.everywhere('messageStored', ({ message }) => {
    const ids = told();
    ids.add(message._id.toHexString());
    const [oldest] = ids.size > TOLD_MAX ? ids : [];
    if (oldest !== undefined) ids.delete(oldest);
  });
  const timer = setInterval(() => {
    if (!cluster.state().isWell)
      running = running.then(() => look(cluster)).catch((error) => events.fail(error, 'messages of other nodes'));
  }, EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    stopListening();
    await running;
  };
}

async function look(cluster: Pick<Cluster, 'tell'>): Promise<void> {
  const since = Types.ObjectId.createFromTime(Math.floor(Date.now() / 1_000) - BACK_S);
  const stored = await MessageModel.find({ _id: { $gt: since } }, { chat: 1, seq: 1 })
    .sort({ _id: 1 })
    .limit(MESSAGES_MAX)
    .lean<Pick<MessageDoc, '_id' | 'chat' | 'seq'>[]>();
  const fresh = stored.filter(({ _id }) => !wasTold(_id.toHexString())).sort((a, b) => a.seq - b.seq);
  const ids = [...new Set(fresh.map(({ chat }) => chat.toHexString()))];
  const found = await ChatModel.find({ _id: { $in: ids } }, { site: 1, visitor: 1, bot: 1 }).lean<ChatDoc[]>();
  for (const { _id, site, visitor, bot } of found) {
    const chatId = _id.toHexString();
    const chat = { chatId, siteId: site.toHexString(), visitorId: visitor.toHexString(), bot };
    const its = fresh.filter((message) => message.chat.equals(_id));
    if (its[0]?.seq === 1) cluster.tell({ name: 'chatOpened', data: { ...chat, rest: {} } });
    for (const message of its)
      cluster.tell({ name: 'messageStored', data: { ...chat, messageId: message._id.toHexString() } });
    cluster.tell({ name: 'chatChanged', data: { ...chat, rest: {} } });
  }
}
