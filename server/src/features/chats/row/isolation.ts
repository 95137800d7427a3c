import { Types } from 'mongoose';
import type { Cluster } from '#platform/cluster';
import { events } from '#platform/events';
import { secondOf, secondsNow } from '#platform/work';
import { type MessageDoc, MessageModel } from '../messageModel.ts';
import { type ChatDoc, ChatModel } from '../model.ts';

/** The interval of polls while this node receives no events of the others. */
const POLL_EVERY_MS = 5_000;
/**
 * How far back a poll goes: the interval, the time in which the loss is noticed, a write that takes long, and clocks that
 * differ, because ids are made of the clocks of other nodes.
 */
const POLL_BACK_S = 15;
/** More messages than this in one poll are left to the regular `sync` of the clients. */
const MESSAGES_MAX = 5_000;
/** As many ids are remembered: more than the other nodes keep to send again when Redis is back. */
const ANNOUNCED_MAX = 20_000;

/** The ids of the newest messages that were announced to the sockets of this node, in that order. */
const announced = new Set<string>();

/** Whether the sockets of this node know the message: it was stored here, found by a poll, or its event came already. */
export const wasAnnounced = (messageId: string): boolean => announced.has(messageId);

/** Since when they are remembered, in seconds. */
let rememberedSince = Number.POSITIVE_INFINITY;

/**
 * Whether this node did not hear that a message was announced, which settled long ago: its node may have died between the
 * acknowledgement and the event, while the chat's next message came through another node, which wrote both into the row.
 */
export function wasUnheard(messageId: Types.ObjectId): boolean {
  const id = messageId.toHexString();
  const [oldest = ''] = announced.size < ANNOUNCED_MAX ? [] : announced;
  const isRemembered = secondOf(messageId) > rememberedSince + POLL_BACK_S && id > oldest;
  return isRemembered && !wasAnnounced(id);
}

/** Remembers which messages were announced. @returns a disposer */
export function rememberAnnounced(): () => void {
  rememberedSince = secondsNow();
  const stopListening = events.everywhere('messageStored', ({ message }) => {
    announced.add(message._id.toHexString());
    const [oldest] = announced.size > ANNOUNCED_MAX ? announced : [];
    if (oldest !== undefined) announced.delete(oldest);
  });
  return () => {
    stopListening();
    announced.clear();
  };
}

/**
 * While this node is isolated (Redis does not answer, so no events of other nodes come), polls the database every few seconds
 * for messages that others have stored, and delivers the events that were missed.
 * @returns a disposer
 */
export function pollWhileIsolated(cluster: Pick<Cluster, 'state' | 'deliver'>): () => Promise<void> {
  let running = Promise.resolve();
  const timer = setInterval(() => {
    if (!cluster.state().isWell)
      running = running.then(() => poll(cluster)).catch((error) => events.fail(error, 'messages of other nodes'));
  }, POLL_EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

async function poll(cluster: Pick<Cluster, 'deliver'>): Promise<void> {
  const second = secondsNow();
  const since = Types.ObjectId.createFromTime(second - POLL_BACK_S);
  // Messages of this second can be this node's own, which are announced a moment after they are stored.
  const until = Types.ObjectId.createFromTime(second);
  const stored = await MessageModel.find({ _id: { $gt: since, $lt: until } }, { chat: 1, seq: 1 })
    .sort({ _id: 1 })
    .limit(MESSAGES_MAX)
    .lean<Pick<MessageDoc, '_id' | 'chat' | 'seq'>[]>();
  const missed = stored.filter(({ _id }) => !wasAnnounced(_id.toHexString())).sort((a, b) => a.seq - b.seq);
  const ids = [...new Set(missed.map(({ chat }) => chat.toHexString()))];
  const found = await ChatModel.find({ _id: { $in: ids } }, { site: 1, visitor: 1, bot: 1 }).lean<ChatDoc[]>();
  for (const { _id, site, visitor, bot } of found) {
    const chatId = _id.toHexString();
    const chat = { chatId, siteId: site.toHexString(), visitorId: visitor.toHexString(), bot };
    const messages = missed.filter((message) => message.chat.equals(_id) && !wasAnnounced(message._id.toHexString()));
    if (messages[0]?.seq === 1) cluster.deliver({ name: 'chatOpened', data: { ...chat, rest: {} } });
    for (const message of messages)
      cluster.deliver({ name: 'messageStored', data: { ...chat, messageId: message._id.toHexString() } });
    cluster.deliver({ name: 'chatChanged', data: { ...chat, rest: {} } });
  }
}
