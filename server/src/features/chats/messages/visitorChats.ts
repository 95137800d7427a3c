import { Types } from 'mongoose';
import type { Caller } from '#features/auth';
import type { SiteDoc } from '#features/sites';
import { events } from '#platform/events';
import { conflict, idCursor, notFound, olderThan, type PageOf, readPage, sentence } from '#platform/http';
import type { PageQuery } from '#platform/http/contract';
import { enqueueUnawaited } from '#platform/work';
import { HAS_MESSAGES } from '../lists/lists.ts';
import { type ChatDoc, ChatModel, SET_UPDATED_AT } from '../model.ts';
import { newestMessage } from '../row/row.ts';
import { type Appended, findSent, type MessageInput } from './messages.ts';
import { answerChat, type ChatVisitor, startChat } from './sending.ts';

const BATCH = 100;

/** A visitor and the site of the chats. */
interface PersonOfSite {
  visitor: Types.ObjectId;
  site: SiteDoc;
}

/** A visitor's chats, the latest first. @throws AppError 400 for an invalid cursor */
export async function chatsOf(visitor: Types.ObjectId, query: PageQuery): Promise<PageOf<ChatDoc>> {
  const filter = { visitor, ...HAS_MESSAGES, ...olderThan(query.cursor) };
  const find = (limit: number) => ChatModel.find(filter).sort({ _id: -1 }).limit(limit).lean<ChatDoc[]>();
  return readPage(query, find, idCursor);
}

/** Copies the visitor's current name and address to the open chat; a closed chat keeps the old name. */
export async function nameVisitor(
  { visitor, site }: PersonOfSite,
  { name, email }: Pick<ChatDoc['visitorInfo'], 'name' | 'email'>,
): Promise<void> {
  const named = await ChatModel.findOneAndUpdate(
    { visitor, open: true, $or: [{ 'visitorInfo.name': { $ne: name } }, { 'visitorInfo.email': { $ne: email } }] },
    {
      $set: { 'visitorInfo.name': name, 'visitorInfo.email': email, uncounted: new Types.ObjectId() },
      ...SET_UPDATED_AT,
      $inc: { rev: 1 },
    },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  if (named) changed(named, site);
}

/** What all chats of a visitor copy when a member sets it, by the field's path. */
interface ChatCopy {
  blocked: boolean;
  'visitorInfo.name'?: string | null;
  'visitorInfo.email'?: string | null;
}

/** Copies what a member set about a visitor to all chats, closed ones too. Idempotent: it can be repeated after a crash. */
export async function copyToChats({ visitor, site }: PersonOfSite, copy: ChatCopy): Promise<void> {
  const differs = Object.entries(copy).map(([path, value]) => ({ [path]: { $ne: value } }));
  for (;;) {
    const chats = await ChatModel.find({ visitor, $or: differs }, { _id: 1 }).limit(BATCH).lean<ChatDoc[]>();
    for (const { _id } of chats) {
      const marked = await ChatModel.findOneAndUpdate(
        { _id },
        { $set: { ...copy, uncounted: new Types.ObjectId() }, ...SET_UPDATED_AT, $inc: { rev: 1 } },
        { returnDocument: 'after' },
      ).lean<ChatDoc>();
      if (marked) changed(marked, site);
    }
    if (chats.length < BATCH) return;
  }
}

function changed(chat: ChatDoc, site: SiteDoc): void {
  enqueueUnawaited(chat._id.toHexString(), () => events.emit('chatChanged', { chat, site }));
}

/**
 * Starts a chat with an agent's first message: it is active and claimed by the member. Idempotent: a repeated
 * `clientId` returns the first message, and completes a start that crashed between chat and message.
 * @param mayStart runs before anything is stored; throws when the start is not allowed
 * @throws AppError 409 `CHAT_OPEN` when the visitor has an open chat, `ID_CONFLICT`
 */
export async function startByAgent(
  site: SiteDoc,
  caller: Caller,
  person: ChatVisitor,
  input: MessageInput,
  mayStart: () => void,
): Promise<Appended & { chat: ChatDoc }> {
  const { user } = caller;
  const earlier = input.clientId ? await findSent(`u:${user._id}`, { ...input, clientId: input.clientId }) : null;
  if (earlier) return { ...earlier, chat: await chatOfMessage(earlier, person) };
  mayStart();
  const chat = await startChat(person, { claimedBy: user._id });
  const isOurs = chat.claimedBy?.equals(user._id) && !(await newestMessage(chat._id));
  if (!isOurs) throw conflict('CHAT_OPEN', sentence('This visitor already has an open chat. Continue there.'));
  const appended = await answerChat({ chat, site }, caller, input);
  if (appended.isNew) {
    const claimer = { _id: user._id.toHexString(), name: user.name };
    enqueueUnawaited(chat._id.toHexString(), () => events.emit('chatClaimed', { chat, site, claimer, byHand: true }));
  }
  return { ...appended, chat };
}

async function chatOfMessage({ message }: Appended, { _id }: ChatVisitor): Promise<ChatDoc> {
  const chat = await ChatModel.findById(message.chat).lean<ChatDoc>();
  if (!chat) throw notFound('chat');
  if (!chat.visitor.equals(_id))
    throw conflict('ID_CONFLICT', sentence('This message id was already used for a different message.'));
  return chat;
}
