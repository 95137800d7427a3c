import type { Types } from 'mongoose';
import { publishedView } from '#features/articles';
import type { AnswerSource } from '#features/assistant/contract';
import { peopleById } from '#features/auth';
import { type ChatDoc, ChatModel, type MessageDoc, MessageModel } from '#features/chats';
import type { Rating } from '#features/chats/contract';
import { departmentOf, type SiteDoc } from '#features/sites';
import { type VisitorDoc, VisitorModel } from '#features/visitors';
import type { WebhookChat, WebhookData, WebhookMessage, WebhookPayload, WebhookVisitor } from './contract.ts';
import type { DeliveryDoc } from './model.ts';

/** These are in the outbox with a system message, which nobody else is shown. */
const WITHOUT_MESSAGE = new Set<Subject['event']>(['chat.closed', 'chat.reopened', 'assistant.handed_over']);
/** These say who did it. */
const WITH_PERSON = new Set<Subject['event']>([
  'article.published',
  'chat.claimed',
  'chat.handed_back',
  'chat.closed',
  'chat.reopened',
]);

/** What of a delivery its body is made from. */
export type Subject = Pick<
  DeliveryDoc,
  'event' | 'chat' | 'visitor' | 'message' | 'text' | 'by' | 'from' | 'how' | 'rule' | 'at'
>;

/**
 * Makes the body of a delivery from what is stored now, so that what was deleted meanwhile is not sent.
 * @param publicUrl the origin of links; null: there are none
 * @returns null: what it is about no longer exists
 */
export async function payloadOf(
  { event, chat: chatId, visitor: visitorId, message: messageId, text: textId, by, from, how, rule, at }: Subject,
  site: SiteDoc,
  publicUrl: string | null,
): Promise<WebhookPayload | null> {
  const chat = chatId && (await ChatModel.findOne({ _id: chatId, site: site._id }).lean<ChatDoc>());
  const message = messageId && (await MessageModel.findById(messageId).lean<MessageDoc>());
  const visitor = visitorId && (await VisitorModel.findOne({ _id: visitorId, erasedAt: null }).lean<VisitorDoc>());
  const article = textId && (await publishedView(site, textId, publicUrl));
  if (chat === null || message === null || visitor === null || article === null) return null;
  const people = await peopleById([by, from, chat?.claimedBy].flatMap((id) => id ?? []));
  const personOf = (id: Types.ObjectId | null | undefined) => {
    const person = id ? people.get(id.toHexString()) : undefined;
    return person ? { _id: person._id.toHexString(), name: person.name } : null;
  };
  const data: WebhookData = {
    site: { _id: site._id.toHexString(), name: site.name },
    ...(visitor && { visitor: visitorView(visitor) }),
    ...(chat && { chat: chatView({ chat, site }, personOf(chat.claimedBy), publicUrl) }),
    ...(message && !WITHOUT_MESSAGE.has(event) && { message: messageView(message) }),
    ...(article && { article }),
    ...(event === 'assistant.answered' && { sources: (message?.sources ?? []).map(sourceView) }),
    ...(event === 'assistant.handed_over' && message?.reason && { reason: message.reason }),
    ...(WITH_PERSON.has(event) && { by: personOf(by) }),
    ...((event === 'chat.claimed' || event === 'chat.handed_back') && { from: personOf(from) }),
    ...(event === 'chat.claimed' && { how: how ?? 'claimed' }),
    ...(rule && { rule }),
    ...(event === 'chat.rated' && chat?.rating && { rating: ratingOf(chat.rating) }),
  };
  return { type: event, timestamp: at.toISOString(), data };
}

function chatView(
  { chat, site }: { chat: ChatDoc; site: SiteDoc },
  claimedBy: WebhookChat['claimedBy'],
  publicUrl: string | null,
): WebhookChat {
  const department = departmentOf(site, chat.department);
  const _id = chat._id.toHexString();
  return {
    _id,
    status: chat.status,
    claimedBy,
    department: department && { _id: department._id.toHexString(), name: department.name },
    tags: chat.tags,
    createdAt: chat.createdAt.toISOString(),
    url: publicUrl && `${publicUrl}/dashboard/inbox?chat=${_id}`,
  };
}

function messageView({
  _id,
  seq,
  sender,
  authorName,
  file,
  content,
  formatted,
  mail,
  createdAt,
  ...changed
}: MessageDoc): WebhookMessage {
  return {
    _id: _id.toHexString(),
    seq,
    sender,
    senderName: authorName,
    type: sender === 'system' ? 'system' : file ? 'file' : 'text',
    content,
    formatted: formatted === true,
    byMail: mail !== undefined,
    createdAt: createdAt.toISOString(),
    editedAt: changed.editedAt?.toISOString() ?? null,
    deletedAt: changed.deletedAt?.toISOString() ?? null,
  };
}

function visitorView({ _id, name, email, phone, userId, verified }: VisitorDoc): WebhookVisitor {
  return {
    _id: _id.toHexString(),
    name,
    email,
    phone: phone ?? null,
    userId: userId ?? null,
    verified: verified === true,
  };
}

const sourceView = ({ article, title, lang, url }: AnswerSource): AnswerSource => ({ article, title, lang, url });

const ratingOf = ({ score, comment }: Rating) => ({ score, comment });
