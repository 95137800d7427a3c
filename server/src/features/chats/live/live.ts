import { Types } from 'mongoose';
import { peopleById } from '#features/auth';
import { events, rooms, type StaffNamespace } from '#platform/events';
import { enqueueUnawaited } from '#platform/work';
import { TYPING_ENDS_MS, TYPING_EVERY_MS, TYPING_TEXT_EVERY_MS } from '../contract.ts';
import type { MessageDoc } from '../messageModel.ts';
import type { ChatDoc } from '../model.ts';

/** Less than a widget waits: a report that comes sooner than it was sent, and may be the last one, is not left out. */
const TEXT_AT_MOST_EVERY_MS = TYPING_TEXT_EVERY_MS / 2;

/** A person who writes in a chat; `userId` null: its visitor. */
interface Writer {
  chat: ChatDoc;
  userId: string | null;
  /** The name that the other participants see. */
  name: string | null;
}

/** The typing indicator: who is writing in which chat at this moment; kept in memory only. */
export interface Typing {
  /** Whether a report comes too soon after the last one (throttle); checked before any look-up for it. */
  isTooSoon(chatId: string, userId: string | null, isTyping: boolean, everyMs?: number): boolean;
  /** Reports that someone started or stopped writing. @param text what the visitor has typed so far, where the team may see it */
  report(writer: Writer, isTyping: boolean, text?: string): void;
  /** A page of the visitor is gone. If they write in another one, its next report says so. */
  visitorLeft(visitorId: string): void;
  /** Clears the state without emitting anything. */
  stop(): void;
}

interface TypingState {
  writer: Writer;
  isTyping: boolean;
  announcedAt: number;
  ends: NodeJS.Timeout;
}

/** Keeps the typing state in this process; each entry lasts for seconds only. */
export function createTyping(): Typing {
  const typing = new Map<string, TypingState>();
  const keyOf = (chatId: string, userId: string | null) => `${chatId.toLowerCase()}:${userId ?? ''}`;
  const emit = (writer: Writer, isTyping: boolean, text?: string) =>
    void events.emit('typingChanged', { ...writer, isTyping, ...(text !== undefined && { text }) });

  function isTooSoon(chatId: string, userId: string | null, isTyping: boolean, everyMs = TYPING_EVERY_MS): boolean {
    const last = typing.get(keyOf(chatId, userId));
    return isTyping && last !== undefined && Date.now() - last.announcedAt < everyMs;
  }

  function cease(key: string): void {
    const last = typing.get(key);
    if (!last?.isTyping) return;
    last.isTyping = false;
    emit(last.writer, false);
  }

  function end(key: string): void {
    cease(key);
    typing.delete(key);
  }

  function ceaseVisitors(isMeant: (chat: ChatDoc) => boolean): void {
    for (const [key, { writer }] of typing) if (writer.userId === null && isMeant(writer.chat)) cease(key);
  }

  const writerOf = ({ chat, author }: MessageDoc) => keyOf(chat.toHexString(), author?.toHexString() ?? null);
  const stopListening = events.stopAll([
    events.everywhere('messageStored', ({ message }) => cease(writerOf(message))),
    // What a blocked visitor types is reported no more, not even that it ended.
    events.everywhere('chatChanged', ({ chat }) => {
      if (chat.blocked) cease(keyOf(chat._id.toHexString(), null));
    }),
    // What the team may no longer see goes off its screens at once.
    events.everywhere('siteUpdated', ({ site, fields }) => {
      if (fields.includes('settings.typingPreview')) ceaseVisitors((chat) => chat.site.equals(site._id));
    }),
  ]);

  return {
    isTooSoon,
    report(writer, isTyping, text) {
      const chatId = writer.chat._id.toHexString();
      const key = keyOf(chatId, writer.userId);
      if (!isTyping) return cease(key);
      if (isTooSoon(chatId, writer.userId, true, text === undefined ? TYPING_EVERY_MS : TEXT_AT_MOST_EVERY_MS)) return;
      clearTimeout(typing.get(key)?.ends);
      const ends = setTimeout(() => end(key), TYPING_ENDS_MS).unref();
      typing.set(key, { writer, isTyping, announcedAt: Date.now(), ends });
      emit(writer, true, text);
    },
    visitorLeft: (visitorId) => ceaseVisitors(({ visitor }) => visitor.toHexString() === visitorId),
    stop() {
      stopListening();
      for (const { ends } of typing.values()) clearTimeout(ends);
      typing.clear();
    },
  };
}

/** Who has which chat open, on this node and on all others. */
export interface Viewers {
  /** The ids of the members who have the chat open, each once. */
  of(chat: Pick<ChatDoc, '_id' | 'site'>): Set<string>;
  /** Follows the rooms of this node. @returns a disposer */
  watch(namespace: StaffNamespace): () => void;
}

/**
 * Emits to everyone who has a chat open who else has it open. The Socket.IO rooms are the only list of this node, so that
 * lost connections and members who leave the team need no code of their own. Each node reports to the others who is in its
 * rooms.
 * @param node the id of this node
 */
export function createViewers(node: string): Viewers {
  /** By room, the users of each other node. */
  const others = new Map<string, Map<string, string[]>>();
  let watched: StaffNamespace | undefined;

  const ownOf = (room: string) => {
    const ids = [...(watched?.adapter.rooms.get(room) ?? [])];
    return new Set(ids.flatMap((id) => watched?.sockets.get(id)?.data.userId ?? []));
  };
  const allOf = (room: string) => new Set([...ownOf(room), ...[...(others.get(room)?.values() ?? [])].flat()]);

  function reportToNodes(room: string): void {
    if (events.areOthers()) events.emitElsewhere('viewersReported', { node, room, users: [...ownOf(room)] });
  }

  async function broadcast(room: string, chatId: string): Promise<void> {
    if (!watched?.adapter.rooms.has(room)) return;
    const ids = allOf(room);
    const people = await peopleById([...ids].map((id) => new Types.ObjectId(id)));
    const users = [...people].map(([_id, { name }]) => ({ _id, name }));
    watched.local.to(room).emit('viewers', { chatId, users });
  }

  const changed = (room: string) => {
    const chatId = rooms.chatIn(room);
    if (chatId !== null) enqueueUnawaited(`${chatId}:viewers`, () => broadcast(room, chatId));
    return chatId !== null;
  };
  const onRoom = (room: string) => {
    if (changed(room)) reportToNodes(room);
  };
  function setOthers(room: string, of: string, users: string[]): void {
    const byNode = others.get(room) ?? new Map<string, string[]>();
    if (users.length > 0) others.set(room, byNode.set(of, users));
    else if (byNode.delete(of) && byNode.size === 0) others.delete(room);
    changed(room);
  }

  const reportAll = () => {
    for (const room of watched?.adapter.rooms.keys() ?? []) if (rooms.chatIn(room) !== null) reportToNodes(room);
  };

  return {
    of: ({ _id, site }) => allOf(rooms.chat(site.toHexString(), _id.toHexString())),
    watch(namespace) {
      watched = namespace;
      namespace.adapter.on('join-room', onRoom);
      namespace.adapter.on('leave-room', onRoom);
      const stopListening = events.stopAll([
        events.everywhere('viewersReported', ({ node: of, room, users }) => setOthers(room, of, users)),
        events.everywhere('nodeCame', reportAll),
        events.everywhere('listAsked', ({ of }) => {
          if (of === node) reportAll();
        }),
        events.everywhere('nodeGone', ({ node: gone }) => {
          for (const [room, byNode] of [...others]) if (byNode.has(gone)) setOthers(room, gone, []);
        }),
      ]);
      return () => {
        stopListening();
        namespace.adapter.off('join-room', onRoom);
        namespace.adapter.off('leave-room', onRoom);
      };
    },
  };
}
