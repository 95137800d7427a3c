import { bus } from '../bus.ts';
import type { ChatDoc } from '../chats/model.ts';
import { openChatOf } from '../chats/start.ts';
import { messageView } from '../chats/view.ts';
import { type Hubs, rooms, type VisitorHub } from '../hub.ts';
import type { Presence } from '../presence/presence.ts';
import { sitesOf } from '../sites/access.ts';
import type { SiteDoc } from '../sites/model.ts';
import { siteIsOnline } from '../sites/online.ts';
import type { VisitorEndReason } from './contract.ts';
import { VisitorModel } from './model.ts';
import { configView } from './view.ts';

/** Tells widgets what happened in their chat and on their site, and staff of visitors who come and go. */
export function announceVisitors(hubs: Hubs, presence: Presence): () => void {
  const { staff, visitors } = hubs;
  const visitorOf = (chat: ChatDoc) => visitors.to(rooms.visitor(chat.visitor.toHexString()));
  return bus.stopAll([
    bus.on('messageAdded', ({ chat, message }) => {
      visitorOf(chat).emit('new_message', { message: messageView(message) });
    }),
    bus.on('chatClaimed', ({ chat, claimer }) => {
      const agent = { name: claimer.name, avatar: null };
      visitorOf(chat).emit('chat_claimed', { chatId: chat._id.toHexString(), agent });
    }),
    bus.on('chatClosed', ({ chat }) => {
      visitorOf(chat).emit('chat_closed', { chatId: chat._id.toHexString() });
    }),
    bus.on('receiptsMoved', ({ chat, party, receipt }) => {
      if (party === 'staff') visitorOf(chat).emit('receipts', { chatId: chat._id.toHexString(), ...receipt });
    }),
    bus.on('siteUpdated', ({ site }) => {
      if (!site.widgetEnabled) return end(visitors, site, 'widget_disabled');
      visitors.to(rooms.site(site._id.toHexString())).emit('config_changed', { config: configView(site, presence) });
    }),
    bus.on('siteDeleted', ({ site }) => end(visitors, site, 'site_deleted')),
    bus.on('agentChanged', async ({ userId }) => {
      for (const site of await sitesOf(userId)) {
        const online = siteIsOnline(site, presence);
        visitors.to(rooms.site(site._id.toHexString())).emit('availability', { online });
      }
    }),
    bus.on('visitorChanged', async ({ visitorId, online }) => {
      const visitor = await VisitorModel.findById(visitorId).lean();
      const chat = visitor && !visitor.bot ? await openChatOf(visitor._id) : null;
      if (!chat) return;
      const siteId = chat.site.toHexString();
      const fact = { kind: 'visitor' as const, visitorId, siteId, chatId: chat._id.toHexString() };
      staff.to(rooms.site(siteId)).emit(online ? 'user_online' : 'user_offline', fact);
    }),
  ]);
}

function end(hub: VisitorHub, site: SiteDoc, reason: VisitorEndReason): void {
  const room = rooms.site(site._id.toHexString());
  hub.in(room).emit('session_ended', { reason });
  hub.in(room).disconnectSockets(true);
}
