import { peopleById } from '#features/auth';
import { events, type Namespaces, rooms, type StaffNamespace, type VisitorNamespace } from '#platform/events';
import { broadcastAssistant } from './assisted/broadcast.ts';
import type { ChatIds } from './events.ts';
import type { Viewers } from './live/live.ts';
import type { MessageDoc } from './messageModel.ts';
import type { ChatDoc } from './model.ts';
import { agentView, chatDepartment, chatView, messageView, noteView, staffMessageView } from './serialize.ts';
import { markOpened } from './turns/transfer.ts';

/** Emits what happens in a chat to the dashboards of its team and to its visitor's widget. @returns a disposer */
export function broadcastChats({ staff, visitors }: Namespaces, viewers: Pick<Viewers, 'of'>): () => void {
  return events.stopAll([
    broadcastToStaff(staff, viewers),
    broadcastToVisitors(visitors),
    broadcastAssistant(visitors),
  ]);
}

/** Chats of bots emit nothing. */
function broadcastToStaff(namespace: StaffNamespace, viewers: Pick<Viewers, 'of'>): () => void {
  const staffOf = (chat: ChatIds) => (chat.bot ? null : namespace.local.to(rooms.site(chat.site.toHexString())));

  return events.stopAll([
    events.everywhere('chatOpened', async ({ chat, site }) => {
      staffOf(chat)?.emit('new_chat', { chat: await chatView(chat, site) });
    }),

    events.everywhere('messageStored', async ({ chat, site, message, socketId }) => {
      const staff = staffOf(chat);
      if (!staff) return;
      const chatId = chat._id.toHexString();
      const view = await staffMessageView(message);
      if (rings(chat, message)) {
        const department = chatDepartment(chat, site);
        const notice = {
          siteId: site._id.toHexString(),
          siteName: site.name,
          visitorName: chat.visitorInfo.name,
          ...(department && { department }),
        };
        staff.emit('new_message', { chatId, message: view, notice });
      } else {
        const others = socketId === undefined ? staff : staff.except(socketId);
        others.emit('new_message', { chatId, message: view });
      }
    }),

    events.everywhere('messageChanged', async ({ chat, message }) => {
      const staff = staffOf(chat);
      staff?.emit('message_changed', { chatId: chat._id.toHexString(), message: await staffMessageView(message) });
    }),

    events.everywhere('chatClaimed', ({ chat, claimer }) => {
      const chatId = chat._id.toHexString();
      staffOf(chat)?.emit('chat_claimed', { chatId, claimedBy: claimer });
      staffOf(chat)?.emit('chat_status_changed', { chatId, status: chat.status });
    }),

    events.everywhere('chatHandedBack', ({ chat }) => {
      staffOf(chat)?.emit('chat_status_changed', { chatId: chat._id.toHexString(), status: 'waiting' });
    }),

    events.everywhere('chatTransferred', async ({ chat, site, by, to }) => {
      staffOf(chat)?.emit('chat_transferred', { chat: await chatView(chat, site), by, to });
    }),

    events.on('chatTransferred', async ({ chat, site, to }) => {
      if (to && viewers.of(chat).has(to._id)) await markOpened({ chat, site }, to._id);
    }),

    events.everywhere('chatClosed', ({ chat, closer }) => {
      const chatId = chat._id.toHexString();
      staffOf(chat)?.emit('chat_closed', { chatId, closedBy: closer });
      staffOf(chat)?.emit('chat_status_changed', { chatId, status: 'closed' });
    }),

    events.everywhere('chatReopened', ({ chat, by }) => {
      staffOf(chat)?.emit('chat_reopened', { chatId: chat._id.toHexString(), by });
    }),

    events.everywhere('chatWoken', async ({ chat, site, because }) => {
      if (because === 'time') staffOf(chat)?.emit('chat_woken', { chat: await chatView(chat, site) });
    }),

    events.everywhere('chatChanged', async ({ chat, site }) => {
      if (chat.lastSeq === 0) return;
      staffOf(chat)?.emit('chat_updated', { chat: await chatView(chat, site) });
    }),

    events.everywhere('chatGone', ({ chat }) => {
      staffOf(chat)?.emit('chat_deleted', { chatId: chat._id.toHexString() });
    }),

    events.everywhere('noteAdded', ({ chat, note }) => {
      staffOf(chat)?.emit('note_added', { chatId: chat._id.toHexString(), note: noteView(note) });
    }),

    events.everywhere('typingChanged', ({ chat, userId, name, isTyping, text }) => {
      if (chat.bot) return;
      const chatId = chat._id.toHexString();
      const all = namespace.local.to(rooms.chat(chat.site.toHexString(), chatId));
      const others = userId === null ? all : all.except(rooms.user(userId));
      const from = userId === null ? 'visitor' : 'agent';
      others.volatile.emit('typing', { chatId, from, name, isTyping, ...(text !== undefined && { text }) });
    }),

    events.everywhere('receiptsMoved', ({ chat, party, receipt }) => {
      const chatId = chat._id.toHexString();
      namespace.local.to(rooms.chat(chat.site.toHexString(), chatId)).emit('receipts', { chatId, party, ...receipt });
    }),
  ]);
}

/** What the assistant answers rings nobody; that people take over does, unless one of them has done it. */
const rings = ({ assisted }: ChatDoc, { sender, event, reason }: MessageDoc) =>
  sender === 'visitor' ? !assisted : event === 'handed_over' && reason !== 'agent';

function broadcastToVisitors(namespace: VisitorNamespace): () => void {
  const visitorOf = (chat: ChatIds) => namespace.local.to(rooms.visitor(chat.visitor.toHexString()));

  return events.stopAll([
    events.everywhere('messageStored', async ({ chat, message, socketId }) => {
      const room = rooms.visitor(chat.visitor.toHexString());
      const listening = namespace.adapter.rooms.get(room);
      if (!listening || (listening.size === 1 && socketId !== undefined && listening.has(socketId))) return;
      const others = socketId === undefined ? namespace.local.to(room) : namespace.local.to(room).except(socketId);
      others.emit('new_message', { message: await messageView(message) });
    }),

    events.everywhere('messageChanged', async ({ chat, message }) => {
      visitorOf(chat).emit('message_changed', { message: await messageView(message) });
    }),

    events.everywhere('chatClaimed', async ({ chat, claimer }) => {
      const people = await peopleById(chat.claimedBy ? [chat.claimedBy] : []);
      const agent = agentView(people.get(claimer._id) ?? claimer);
      visitorOf(chat).emit('chat_claimed', { chatId: chat._id.toHexString(), agent });
    }),

    events.everywhere('chatHandedBack', ({ chat }) => {
      visitorOf(chat).emit('chat_handed_back', { chatId: chat._id.toHexString() });
    }),

    events.everywhere('chatClosed', ({ chat }) => {
      visitorOf(chat).emit('chat_closed', { chatId: chat._id.toHexString() });
    }),

    events.everywhere('chatGone', ({ chat }) => {
      visitorOf(chat).emit('chat_deleted', { chatId: chat._id.toHexString() });
    }),

    events.everywhere('typingChanged', ({ chat, userId, name, isTyping }) => {
      if (userId !== null && name !== null) visitorOf(chat).volatile.emit('typing', { name, isTyping });
    }),

    events.everywhere('receiptsMoved', ({ chat, party, receipt }) => {
      if (party === 'staff') visitorOf(chat).emit('receipts', { chatId: chat._id.toHexString(), ...receipt });
    }),
  ]);
}
