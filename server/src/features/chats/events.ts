import { Types } from 'mongoose';
import type { AssistantText, VisitorAssistant } from '#features/assistant/contract';
import { type SiteDoc, siteCache } from '#features/sites';
import { batched } from '#platform/cache';
import { type Events, events, type Plain } from '#platform/events';
import type { Claimer, Receipt } from './contract.ts';
import { type MessageDoc, MessageModel } from './messageModel.ts';
import { type ChatDoc, chatCache } from './model.ts';
import { type NoteDoc, NoteModel } from './notes/noteModel.ts';
import { wasAnnounced } from './row/isolation.ts';

/** What identifies a chat, and who may hear of it. */
export type ChatIds = Pick<ChatDoc, '_id' | 'site' | 'visitor' | 'bot'>;

declare module '#platform/events' {
  interface Events {
    /** The chat got its first message, which is stored. */
    chatOpened: { chat: ChatDoc; site: SiteDoc };
    /** A visitor began the chat from this help article, as the widget says: it may be any text. */
    chatFromArticle: { chat: ChatDoc; site: SiteDoc; article: string };
    /**
     * The message is durable and can be shown at once; `chat` may still be the row from before it. `socketId`: the
     * socket that sent it, which receives the message as its acknowledgement instead.
     */
    messageStored: { chat: ChatDoc; site: SiteDoc; message: MessageDoc; socketId: string | undefined };
    /** As `messageStored`, but emitted after the chat's row includes the message. */
    messageAdded: { chat: ChatDoc; site: SiteDoc; message: MessageDoc };
    /**
     * The author has corrected or deleted the message; the chat's row includes that. Emitted again if a listener may not
     * have heard it. `before`: the text before the change; null: not known, or the change was made on another node.
     */
    messageChanged: { chat: ChatDoc; site: SiteDoc; message: MessageDoc; before: string | null };
    /** The chat has another claimer. `byHand`: a person did it and knows about the visitor; otherwise the server chose. */
    chatClaimed: { chat: ChatDoc; site: SiteDoc; claimer: Claimer; byHand: boolean };
    /** The claimer whom the server had chosen has claimed the chat by hand. */
    chatTakenUp: { chat: ChatDoc; site: SiteDoc };
    /** A member opened the chat. */
    chatViewed: { chat: ChatDoc; site: SiteDoc; userId: string };
    /** Someone started or stopped writing; `userId` null: the visitor. `text`: what the visitor has typed so far; it is stored nowhere. */
    typingChanged: { chat: ChatIds; userId: string | null; name: string | null; isTyping: boolean; text?: string };
    /** The members who have a chat open on another node. */
    viewersReported: { node: string; room: string; users: string[] };
    /** The chat is waiting again and has no claimer. */
    chatHandedBack: { chat: ChatDoc; site: SiteDoc };
    /** A chat without claimer was put into another department, or into none. */
    chatQueued: { chat: ChatDoc; site: SiteDoc };
    /** Someone gave the chat to a colleague, or (`to` null) back to the queue. */
    chatTransferred: { chat: ChatDoc; site: SiteDoc; by: Claimer; to: Claimer | null };
    chatClosed: { chat: ChatDoc; site: SiteDoc; closer: Claimer | null };
    /** A closed chat is open again; follows `chatClaimed`. */
    chatReopened: { chat: ChatDoc; site: SiteDoc; by: Claimer };
    /** A chat is snoozed until this time, in milliseconds. */
    chatSnoozed: { until: number };
    /** A snoozed chat is back: its time has come, a member brought it back, or its visitor has written. */
    chatWoken: { chat: ChatDoc; site: SiteDoc; because: 'time' | 'member' | 'visitor' };
    /** The list row has changed. */
    chatChanged: { chat: ChatDoc; site: SiteDoc };
    noteAdded: { chat: ChatDoc; site: SiteDoc; note: NoteDoc };
    /** A part of the assistant's answer, for the visitor. */
    assistantText: { chat: ChatIds } & Omit<AssistantText, 'chatId'>;
    /** The assistant begins or ends a run. */
    assistantChanged: { chat: ChatIds; assistant: VisitorAssistant };
    /** A visitor has said first whether an answer of the assistant helped. */
    answerHelped: { site: SiteDoc; helped: boolean };
    /** The chat is deleted; `chat` is its state before. `by` null: deleted because of its age, or with its visitor. */
    chatRemoved: { chat: ChatDoc; site: SiteDoc; by: Types.ObjectId | null };
    /** As `chatRemoved`, for those who only need to know that the chat is gone. */
    chatGone: { chat: ChatIds };
    /** Messages and notes of a deleted chat are being removed; emitted again with each try until everything is gone. */
    chatErased: { chatId: string };
    /** The reconciler has found work that was lost, for so many chats. */
    lostWorkFound: { projection: string; chats: number };
    receiptsMoved: { chat: ChatIds; party: 'visitor' | 'staff'; receipt: Receipt };
  }
}

/** The ids of a chat, as its events are sent to other nodes. */
interface EncodedChat extends Record<string, unknown> {
  chatId: string;
  siteId: string;
  visitorId: string;
  bot: boolean;
}

events.crossesNodes('viewersReported');
events.crossesNodes('chatSnoozed');

const encodeChat = ({ _id, site, visitor, bot }: ChatIds): EncodedChat => ({
  chatId: _id.toHexString(),
  siteId: site.toHexString(),
  visitorId: visitor.toHexString(),
  bot,
});

const decodeIds = ({ chatId, siteId, visitorId, bot }: EncodedChat): ChatIds => ({
  _id: new Types.ObjectId(chatId),
  site: new Types.ObjectId(siteId),
  visitor: new Types.ObjectId(visitorId),
  bot,
});

/** Loads the chat as it is in the store now. The site's own changes are events of their own. */
async function loadChat(encoded: EncodedChat): Promise<{ chat: ChatDoc; site: SiteDoc } | null> {
  chatCache.forget(encoded.chatId);
  return loadAnyChat(encoded);
}

/** As `loadChat`, where the chat may also be its row from before the event. */
async function loadAnyChat({ chatId, siteId }: EncodedChat): Promise<{ chat: ChatDoc; site: SiteDoc } | null> {
  const [chat, site] = await Promise.all([chatCache.find(chatId), siteCache.find(siteId)]);
  return chat && site && { chat, site };
}

type OfChat = {
  [Name in keyof Events]: Events[Name] extends { chat: ChatDoc; site: SiteDoc } ? Name : never;
}[keyof Events];
type Rest<Name extends OfChat> = Omit<Events[Name], 'chat' | 'site'>;

/** Declares an event of a chat that holds, besides, only plain data. */
function crossesNodesWithChat<Name extends OfChat>(name: Name): void {
  events.crossesNodes(name, {
    encode: ({ chat, site: _site, ...rest }: Events[Name]) => ({ ...encodeChat(chat), rest }),
    decode: async (data) => {
      const found = await loadChat(data);
      return found && ({ ...(data.rest as Rest<Name>), ...found } as unknown as Events[Name]);
    },
  });
}

for (const name of [
  'chatOpened',
  'chatClaimed',
  'chatHandedBack',
  'chatClosed',
  'chatReopened',
  'chatWoken',
  'chatChanged',
  'chatTransferred',
] as const)
  crossesNodesWithChat(name);

const messageById = batched(async (ids: string[]) => {
  const messages = await MessageModel.find({ _id: { $in: ids } }).lean<MessageDoc[]>();
  const found = new Map(messages.map((message) => [message._id.toHexString(), message]));
  return (id) => found.get(id) ?? null;
});

/** A short text is sent with its event, so that no other node has to read it; longer ones, and files, are read. */
const INLINE_MAX_LENGTH = 1_000;

type EncodedMessage = Omit<MessageDoc, '_id' | 'chat' | 'site' | 'author' | 'createdAt'> & {
  author: string | null;
  createdAt: number;
};

function encodeMessage({ _id, chat, site, author, createdAt, ...rest }: MessageDoc): EncodedMessage | null {
  if (rest.file || rest.edit !== undefined || rest.content.length > INLINE_MAX_LENGTH) return null;
  return { ...rest, author: author?.toHexString() ?? null, createdAt: createdAt.getTime() };
}

events.crossesNodes('messageStored', {
  encode: ({ chat, message }) => ({
    ...encodeChat(chat),
    messageId: message._id.toHexString(),
    message: encodeMessage(message),
  }),
  async decode(data) {
    if (wasAnnounced(data.messageId)) return null;
    const inline = data.message;
    const [found, message] = await Promise.all([
      loadAnyChat(data),
      inline ? decodeMessage(data, inline) : messageById(data.messageId),
    ]);
    return found && message && { ...found, message, socketId: undefined };
  },
});

function decodeMessage(
  { chatId, siteId, messageId }: EncodedChat & { messageId: string },
  { author, createdAt, ...rest }: EncodedMessage,
): MessageDoc {
  return {
    ...rest,
    _id: new Types.ObjectId(messageId),
    chat: new Types.ObjectId(chatId),
    site: new Types.ObjectId(siteId),
    author: author === null ? null : new Types.ObjectId(author),
    createdAt: new Date(createdAt),
  };
}

events.crossesNodes('messageChanged', {
  encode: ({ chat, message }) => ({ ...encodeChat(chat), messageId: message._id.toHexString() }),
  async decode(data) {
    const [found, message] = await Promise.all([loadAnyChat(data), messageById(data.messageId)]);
    return found && message && { ...found, message, before: null };
  },
});

events.crossesNodes('noteAdded', {
  encode: ({ chat, note }) => ({ ...encodeChat(chat), noteId: note._id.toHexString() }),
  async decode(data) {
    const [found, note] = await Promise.all([loadAnyChat(data), NoteModel.findById(data.noteId).lean<NoteDoc>()]);
    return found && note && { ...found, note };
  },
});

/** Events that need no more of their chat than the ids. */
const WITH_IDS = ['typingChanged', 'receiptsMoved', 'chatGone', 'assistantText', 'assistantChanged'] as const;
function crossesNodesWithIds<Name extends (typeof WITH_IDS)[number]>(name: Name): void {
  events.crossesNodes(name, {
    encode: ({ chat, ...rest }: Events[Name]) => ({ ...encodeChat(chat), rest }) as EncodedChat & { rest: Plain },
    decode: (data) => ({ ...data.rest, chat: decodeIds(data) }) as unknown as Events[Name],
  });
}
for (const name of WITH_IDS) crossesNodesWithIds(name);
