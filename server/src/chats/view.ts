import { peopleById } from '../auth/people.ts';
import type { SiteDoc } from '../sites/model.ts';
import type { Chat, Message, Note, Rating, StaffMessage } from './contract.ts';
import { type ChatDoc, type MessageDoc, MessageModel, type NoteDoc } from './model.ts';

/** A message as both sides may see it. */
export function messageView(message: MessageDoc): Message {
  return {
    _id: message._id.toHexString(),
    chatId: message.chat.toHexString(),
    seq: message.seq,
    clientId: message.clientId,
    sender: message.sender,
    senderName: message.authorName,
    senderAvatar: null,
    type: message.sender === 'system' ? 'system' : 'text',
    content: message.content,
    text: message.content,
    event: message.event,
    timestamp: message.createdAt.toISOString(),
  };
}

/** A message as staff see it. */
export function staffMessageView(message: MessageDoc): StaffMessage {
  return { ...messageView(message), senderId: message.author?.toHexString() ?? null };
}

/** A note as staff see it. */
export function noteView({ _id, chat, content, author, authorName, createdAt }: NoteDoc): Note {
  return {
    _id: _id.toHexString(),
    chatId: chat.toHexString(),
    content,
    author: { _id: author.toHexString(), name: authorName },
    createdAt: createdAt.toISOString(),
  };
}

/** What the visitor thought of the chat, without anything that the database adds. */
export function ratingView({ rating }: ChatDoc): Rating | null {
  return rating && { score: rating.score, comment: rating.comment };
}

/** Chats as the dashboard's lists show them, with the names of their sites and claimers. */
export async function chatViews(chats: ChatDoc[], sites: SiteDoc[]): Promise<Chat[]> {
  const siteNames = new Map(sites.map((site) => [site._id.toHexString(), site.name]));
  const [people, firsts] = await Promise.all([
    peopleById(chats.flatMap(({ claimedBy }) => claimedBy ?? [])),
    MessageModel.find({ chat: { $in: chats.map(({ _id }) => _id) }, seq: 1 }).lean<MessageDoc[]>(),
  ]);
  const firstOf = new Map(firsts.map((message) => [message.chat.toHexString(), message]));
  return chats.map((chat) => {
    const id = chat._id.toHexString();
    const siteId = chat.site.toHexString();
    const claimer = chat.claimedBy && people.get(chat.claimedBy.toHexString());
    const first = firstOf.get(id);
    const { name, email, userAgent, location } = chat.visitorInfo;
    return {
      _id: id,
      status: chat.status,
      visitorId: chat.visitor.toHexString(),
      visitorInfo: { name, email, userAgent, location },
      site: { _id: siteId, name: siteNames.get(siteId) ?? '' },
      claimedBy: claimer ? { _id: claimer._id.toHexString(), name: claimer.name } : null,
      tags: chat.tags,
      rating: ratingView(chat),
      blocked: chat.blocked,
      metadata: { lastMessage: chat.lastMessage, lastActivity: chat.lastActivity.toISOString() },
      lastMessage: chat.lastMessage,
      lastSeq: chat.lastSeq,
      unread: chat.unread,
      messages: first ? [staffMessageView(first)] : [],
      rev: chat.rev,
      createdAt: chat.createdAt.toISOString(),
      closedAt: chat.closedAt?.toISOString() ?? null,
    };
  });
}

/** One chat as the lists show it. */
export async function chatView(chat: ChatDoc, site: SiteDoc): Promise<Chat> {
  const [view] = await chatViews([chat], [site]);
  return view as Chat;
}
