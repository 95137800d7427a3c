import type { StaffRouter } from '#features/auth';
import type { Presence } from '#features/presence';
import type { VisitorDetails, VisitorPresence } from '#features/presence/contract';
import { sitesOf } from '#features/sites';
import type { Usage } from '#features/usage';
import { events, rooms } from '#platform/events';
import type { Limits } from '#platform/http';
import { handOver } from './assisted/handOver.ts';
import { SYNC_OVERLAP_MS, SYNC_ROWS_MAX } from './contract.ts';
import type { SyncAnswer } from './events/contract.ts';
import { type ChatAccess, chatFor } from './guards.ts';
import { changedSince, readThread, removedSince, storeTime } from './lists/lists.ts';
import { REMOVAL_KEPT_S } from './lists/removals.ts';
import type { Typing } from './live/live.ts';
import { answerChat } from './messages/sending.ts';
import type { ChatDoc } from './model.ts';
import { readNotes } from './notes/notes.ts';
import { moveReceipt, readByStaff } from './row/projection.ts';
import { chatEventSchema, openSchema, receiptSchema, sendSchema, syncSchema, typingSchema } from './schemas.ts';
import { chatView, chatViews, noteView, staffChanges, staffMessageView, staffMessageViews } from './serialize.ts';
import { refuseIfFull } from './storage.ts';
import { claimChat } from './turns/claim.ts';
import { closeChat, closerOf } from './turns/closing.ts';
import { markOpened } from './turns/transfer.ts';

/**
 * Maximum text in one `sync` answer, in UTF-16 units: further messages have to be requested separately, and too many
 * rows lead to `reset`. It keeps the answer below the send buffer of one connection (`http/connectionLimits`):
 * otherwise a slow client would be cut off, reconnect, and request the same again.
 */
const SYNC_TEXT_MAX = 100_000;

export interface ChatDeps {
  presence: Presence;
  limits: Limits;
  usage: Usage;
  typing: Typing;
  /** Reads what is known about a visitor. */
  visitorDetails: (visitorId: string) => Promise<VisitorDetails>;
}

/** Registers the chat requests of dashboards. */
export function chatSocket(router: StaffRouter, deps: ChatDeps): void {
  router.on('send_message', sendSchema, async ({ chatId, ...input }, caller) => {
    const access = await chatFor(caller, chatId, 'chats.reply');
    await deps.limits.take('staffMessagesPerAccount', caller.user._id.toHexString());
    await refuseIfFull(deps.usage, access.site, `u:${caller.user._id}`, input);
    const { message } = await answerChat(access, caller, input, router.socket.id);
    return { message: await staffMessageView(message) };
  });

  router.on(
    'open_chat',
    openSchema,
    async ({ chatId, afterSeq, afterEdit }, caller) => {
      const room = roomOf(await chatFor(caller, chatId, 'chats.read'));
      await router.socket.join(room);
      // Checks access again after joining: a removal announced between check and join did not find the socket in the room.
      const { chat, site } = await chatFor(caller, chatId, 'chats.read').catch(async (refused) => {
        await router.socket.leave(room);
        throw refused;
      });
      const { messages, more } = await readThread(chat._id, afterSeq === undefined ? {} : { after: afterSeq });
      const [visitor, { notes }] = await Promise.all([visitorPresence(chat, deps), readNotes(chat._id, {})]);
      const changes = await staffChanges(chat, afterEdit);
      const thread = { messages: await staffMessageViews(messages), more, ...changes, receipts: chat.receipts };
      await markOpened({ chat, site }, caller.user._id.toHexString());
      await events.emit('chatViewed', { chat, site, userId: caller.user._id.toHexString() });
      return { ...thread, visitor, notes: notes.map(noteView) };
    },
    { large: true },
  );

  router.on('leave_chat', chatEventSchema, async ({ chatId }, caller) => {
    await router.socket.leave(roomOf(await chatFor(caller, chatId, 'chats.read')));
    return {};
  });

  router.on('typing', typingSchema, async ({ chatId, isTyping }, caller) => {
    const userId = caller.user._id.toHexString();
    if (deps.typing.isTooSoon(chatId, userId, isTyping)) return {};
    const { chat, site } = await chatFor(caller, chatId, 'chats.reply');
    if (isTyping) await handOver({ chat, site }, 'agent');
    if (chat.open) deps.typing.report({ chat, userId, name: caller.user.name }, isTyping);
    return {};
  });

  router.on(
    'received',
    receiptSchema,
    async ({ chatId, seq }, caller) => {
      await moveReceipt(await chatFor(caller, chatId, 'chats.read'), 'staff', 'delivered', seq);
      return {};
    },
    { use: false },
  );

  router.on('read', receiptSchema, async ({ chatId, seq }, caller) => {
    await readByStaff(await chatFor(caller, chatId, 'chats.read'), seq);
    return {};
  });

  router.on('claim_chat', chatEventSchema, async ({ chatId }, caller) => {
    const access = await chatFor(caller, chatId, 'chats.reply');
    return { chat: await chatView(await claimChat(access, caller), access.site) };
  });

  router.on('close_chat', chatEventSchema, async ({ chatId }, caller) => {
    const access = await chatFor(caller, chatId, 'chats.reply');
    return { chat: await chatView(await closeChat(access, closerOf(caller)), access.site) };
  });

  router.on(
    'sync',
    syncSchema,
    async (ask, caller) => {
      const chats = await missing(ask.chats, caller);
      return { ...(await rowsSince(ask.cursor, caller)), chats };
    },
    { use: false, large: true },
  );
}

type Caller = Parameters<typeof chatFor>[0];

/** The room is named by the chat's stored id: the requested id may be written in capitals. */
function roomOf({ chat }: ChatAccess): string {
  return rooms.chat(chat.site.toHexString(), chat._id.toHexString());
}

async function visitorPresence(chat: ChatDoc, { presence, visitorDetails }: ChatDeps): Promise<VisitorPresence> {
  const _id = chat.visitor.toHexString();
  return { _id, online: presence.visitorIsOnline(_id), ...(await visitorDetails(_id)) };
}

const textLength = (messages: { content: string }[]) =>
  messages.reduce((length, { content }) => length + content.length, 0);

/**
 * The messages that open threads miss, each thread once, up to the maximum text; beyond it, `more` only says that there
 * are further ones. A chat that the caller may not read is left out.
 */
async function missing(
  clientThreads: { chatId: string; afterSeq: number; afterEdit?: number }[],
  caller: Caller,
): Promise<SyncAnswer['chats']> {
  const threads: SyncAnswer['chats'] = [];
  let room = SYNC_TEXT_MAX;
  for (const [chatId, { afterSeq: after, afterEdit }] of new Map(
    clientThreads.map((each) => [each.chatId.toLowerCase(), each]),
  )) {
    const access = await chatFor(caller, chatId, 'chats.read').catch(() => null);
    if (!access) continue;
    const { messages, more } = room > 0 ? await readThread(access.chat._id, { after }) : { messages: [], more: true };
    const changes = room > 0 ? await staffChanges(access.chat, afterEdit) : {};
    room -= textLength(messages) + textLength(changes.edited ?? []);
    const views = await staffMessageViews(messages);
    threads.push({ chatId, receipts: access.chat.receipts, messages: views, more, ...changes });
  }
  return threads;
}

async function rowsSince(cursor: string | undefined, caller: Caller): Promise<Omit<SyncAnswer, 'chats'>> {
  const next = String((await storeTime()) - SYNC_OVERLAP_MS);
  const since = new Date(Number(cursor ?? next));
  const tooMuch = { cursor: next, reset: true, changed: [], removed: [] };
  if (!(since.getTime() > Date.now() - REMOVAL_KEPT_S * 1000)) return tooMuch;
  const sites = await sitesOf(caller);
  const [changed, removed] = await Promise.all([changedSince(sites, since), removedSince(sites, since)]);
  if (changed.length > SYNC_ROWS_MAX || removed.length > SYNC_ROWS_MAX) return tooMuch;
  const rows = await chatViews(changed, sites);
  if (textLength(rows.flatMap(({ messages }) => messages)) > SYNC_TEXT_MAX) return tooMuch;
  return { cursor: next, reset: false, changed: rows, removed };
}
