import { type ChatDoc, ChatModel } from '../chats/model.ts';
import { moveReceipt } from '../chats/receipts.ts';
import { receiptRules } from '../chats/rules.ts';
import { messageView } from '../chats/view.ts';
import { notFound } from '../http/errors.ts';
import type { Limits } from '../http/limits.ts';
import { rooms } from '../hub.ts';
import type { Presence } from '../presence/presence.ts';
import type { VisitorAccess } from './access.ts';
import { sendAsVisitor, visitPage } from './actions.ts';
import type { VisitorDoor } from './door.ts';
import { pageRules, visitorMessageRules, visitorSyncRules } from './rules.ts';
import { newestThread, threadAfter, visitorChatView } from './thread.ts';

/** The events of the widget; while its socket lives, the visitor is present. */
export function visitorSocket(door: VisitorDoor, { presence, limits }: { presence: Presence; limits: Limits }): void {
  const { socket } = door;
  const { visitorId, siteId } = socket.data;
  void socket.join([rooms.visitor(visitorId), rooms.site(siteId)]);
  presence.visitorArrived(visitorId);
  socket.on('disconnect', () => presence.visitorLeft(visitorId));

  door.on('send_message', visitorMessageRules, async ({ clientId, content }, access) => {
    await limits.take('visitorMessages', visitorId);
    const { message, chat } = await sendAsVisitor(access, { clientId, content });
    return { message: messageView(message), chat: await visitorChatView(chat) };
  });

  for (const what of ['received', 'read'] as const) {
    door.on(what, receiptRules, async ({ chatId, seq }, access) => {
      const chat = await ownChat(access, chatId);
      await moveReceipt({ chat, site: access.site }, 'visitor', what === 'read' ? 'read' : 'delivered', seq);
      return {};
    });
  }

  door.on('sync', visitorSyncRules, async ({ chatId, afterSeq = 0 }, { visitor }) =>
    chatId === undefined ? newestThread(visitor._id) : threadAfter(visitor._id, chatId, afterSeq),
  );

  door.on('page', pageRules, async (page, { visitor }) => {
    await visitPage(visitor, page);
    return {};
  });
}

async function ownChat({ visitor }: VisitorAccess, chatId: string): Promise<ChatDoc> {
  const chat = await ChatModel.findOne({ _id: chatId, visitor: visitor._id }).lean<ChatDoc>();
  if (!chat) throw notFound('chat');
  return chat;
}
