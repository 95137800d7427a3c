import { Types } from 'mongoose';
import { peopleById } from '../auth/view.ts';
import { events } from '../events.ts';
import { rooms, type StaffNamespace } from '../namespaces.ts';
import { TYPING_ENDS_MS, TYPING_EVERY_MS } from './contract.ts';
import { enqueueUnawaited } from './keyedQueue.ts';
import type { ChatDoc, MessageDoc } from './model.ts';

/** A person who writes in a chat; `userId` null: its visitor. */
interface Writer {
  chat: ChatDoc;
  userId: string | null;
  /** The name that the other participants see. */
  name: string | null;
}

/** Who is writing in which chat at this moment; kept in memory only. */
export interface Typing {
  /** Whether a report would come too soon after the last one (rate limit); checked before any look-up for it. */
  isTooSoon(chatId: string, userId: string | null, isTyping: boolean): boolean;
  /** Reports that someone started or stopped writing. */
  report(writer: Writer, isTyping: boolean): void;
  /** Clears the state without emitting anything. */
  stop(): void;
}

interface Held {
  writer: Writer;
  isTyping: boolean;
  toldAt: number;
  ends: NodeJS.Timeout;
}

/** Keeps the typing state in this process; each entry lasts for seconds only. */
export function createTyping(): Typing {
  const held = new Map<string, Held>();
  const keyOf = (chatId: string, userId: string | null) => `${chatId.toLowerCase()}:${userId ?? ''}`;
  const tell = (writer: Writer, isTyping: boolean) => void events.emit('typingChanged', { ...writer, isTyping });

  function isTooSoon(chatId: string, userId: string | null, isTyping: boolean): boolean {
    const last = held.get(keyOf(chatId, userId));
    return isTyping && last !== undefined && Date.now() - last.toldAt < TYPING_EVERY_MS;
  }

  function cease(key: string): void {
    const last = held.get(key);
    if (!last?.isTyping) return;
    last.isTyping = false;
    tell(last.writer, false);
  }

  function end(key: string): void {
    cease(key);
    held.delete(key);
  }

  const stopListening = events.everywhere('messageStored', ({ message }) => cease(writerOf(message)));
  const writerOf = ({ chat, author }: MessageDoc) => keyOf(chat.toHexString(), author?.toHexString() ?? null);

  return {
    isTooSoon,
    report(writer, isTyping) {
      const chatId = writer.chat._id.toHexString();
      const key = keyOf(chatId, writer.userId);
      if (!isTyping) return cease(key);
      if (isTooSoon(chatId, writer.userId, true)) return;
      clearTimeout(held.get(key)?.ends);
      const ends = setTimeout(() => end(key), TYPING_ENDS_MS).unref();
      held.set(key, { writer, isTyping, toldAt: Date.now(), ends });
      tell(writer, true);
    },
    stop() {
      stopListening();
      for (const { ends } of held.values()) clearTimeout(ends);
      held.clear();
    },
  };
}

/**
 * Emits to everyone who has a chat open who else has it open. The Socket.IO rooms are the only list, so that lost
 * connections, members who leave the team and a second node need no code of their own.
 * @returns a disposer
 */
export function broadcastViewers(namespace: StaffNamespace): () => void {
  const onRoom = (room: string) => {
    const chatId = rooms.chatIn(room);
    if (chatId !== null) enqueueUnawaited(chatId, () => tellViewers(namespace, room, chatId));
  };
  namespace.adapter.on('join-room', onRoom);
  namespace.adapter.on('leave-room', onRoom);
  return () => {
    namespace.adapter.off('join-room', onRoom);
    namespace.adapter.off('leave-room', onRoom);
  };
}

/** The ids of the users who have a chat open, each once. */
export async function viewersOf(namespace: StaffNamespace, room: string): Promise<Set<string>> {
  const sockets = await namespace.in(room).fetchSockets();
  return new Set(sockets.map(({ data }) => data.userId));
}

async function tellViewers(namespace: StaffNamespace, room: string, chatId: string): Promise<void> {
  const ids = await viewersOf(namespace, room);
  if (ids.size === 0) return;
  const people = await peopleById([...ids].map((id) => new Types.ObjectId(id)));
  const users = [...people].map(([_id, { name }]) => ({ _id, name }));
  namespace.to(room).emit('viewers', { chatId, users });
}
