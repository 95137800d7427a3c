import { closeChat, openChatOf } from '../chats/lifecycle.ts';
import type { Typing } from '../chats/live.ts';
import { moveReceipt } from '../chats/receipts.ts';
import { chatEventSchema, receiptSchema } from '../chats/schemas.ts';
import { messageView } from '../chats/serialize.ts';
import type { VisitorSocket } from '../namespaces.ts';
import type { Presence } from '../presence/presence.ts';
import { countMessage, ownChat, rateAsVisitor, type SendDeps, sendAsVisitor } from './actions.ts';
import type { VisitorRouter } from './gateway.ts';
import { mayWrite } from './guards.ts';
import { visitPage } from './person.ts';
import { pageSchema, ratingSchema, visitorMessageSchema, visitorSyncSchema, visitorTypingSchema } from './schemas.ts';
import { newestThread, threadAfter, threadBefore, visitorChatView } from './thread.ts';

/** Dependencies of the widgets' events besides the store. */
interface VisitorSocketDeps extends SendDeps {
  typing: Typing;
}

/** Counts the visitor as present for as long as the socket is connected. */
export function welcomeVisitor(presence: Presence, socket: VisitorSocket): void {
  const { visitorId, siteId } = socket.data;
  presence.visitorArrived(visitorId, siteId);
  socket.on('disconnect', () => presence.visitorLeft(visitorId));
}

/** Registers the events of widgets. */
export function visitorSocket(router: VisitorRouter, { limits, usage, typing }: VisitorSocketDeps): void {
  router.on('send_message', visitorMessageSchema, async ({ clientId, content }, access) => {
    await countMessage(access, limits);
    const { message, chat } = await sendAsVisitor(access, { clientId, content }, { limits, usage });
    return { message: await messageView(message), chat: await visitorChatView(chat) };
  });

  for (const what of ['received', 'read'] as const) {
    router.on(what, receiptSchema, async ({ chatId, seq }, access) => {
      const chat = await ownChat(access, chatId);
      await moveReceipt({ chat, site: access.site }, 'visitor', what === 'read' ? 'read' : 'delivered', seq);
      return {};
    });
  }

  router.on('typing', visitorTypingSchema, async ({ isTyping }, { visitor }) => {
    mayWrite(visitor);
    const chat = await openChatOf(visitor._id);
    if (chat) typing.report({ chat, userId: null, name: visitor.name }, isTyping);
    return {};
  });

  router.on(
    'sync',
    visitorSyncSchema,
    async ({ chatId, afterSeq = 0, beforeSeq }, { visitor }) => {
      if (chatId === undefined) return newestThread(visitor._id);
      return beforeSeq === undefined
        ? threadAfter(visitor._id, chatId, afterSeq)
        : threadBefore(visitor._id, chatId, beforeSeq);
    },
    { large: true },
  );

  router.on('close_chat', chatEventSchema, async ({ chatId }, access) => {
    const chat = await ownChat(access, chatId);
    await closeChat({ chat, site: access.site }, { author: null, authorName: access.visitor.name });
    return {};
  });

  router.on('rate', ratingSchema, async (rating, access) => {
    await countMessage(access, limits);
    await rateAsVisitor(access, rating);
    return {};
  });

  router.on('page', pageSchema, async (page, access) => {
    await limits.take('pagesPerVisitor', access.visitor._id.toHexString());
    await limits.take('returnsPerAddress', access.address);
    await visitPage(access, page);
    return {};
  });
}
