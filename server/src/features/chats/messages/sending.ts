import { randomUUID } from 'node:crypto';
import type { Types } from 'mongoose';
import type { Caller } from '#features/auth';
import { departmentOf, greetingsOf, type SiteDoc, siteIn } from '#features/sites';
import type { Usage } from '#features/usage';
import { rememberedIds } from '#platform/cache';
import { events } from '#platform/events';
import { duplicateKey, type Limits, unavailable } from '#platform/http';
import { isFormatted } from '#platform/text/formatting/contract';
import type { Assistance, AssistedStart } from '../assisted/assistance.ts';
import { handOver } from '../assisted/handOver.ts';
import type { ChatOfSite } from '../guards.ts';
import { type ChatDoc, ChatModel, chatCache } from '../model.ts';
import { catchUp, followUp } from '../row/projection.ts';
import { refuseIfFull } from '../storage.ts';
import { chatClosed, tryClaim } from '../turns/claim.ts';
import { finishTurn } from '../turns/closing.ts';
import { chooseDepartment } from '../turns/department.ts';
import { storedText } from './cardNumbers.ts';
import {
  type Appended,
  append,
  type Draft,
  expectFirstMessage,
  findSent,
  type MessageInput,
  type MessageInputWithId,
} from './messages.ts';

/** A visitor's message; `greeting`: the id of the site's greeting that it answers; `article`: of the help article that was read before. */
export type VisitorInput = Omit<MessageInputWithId, 'greeting'> & {
  greeting?: string | undefined;
  article?: string | undefined;
  /** A person is to answer, not the assistant. */
  person?: boolean | undefined;
  /** The id of the department that it is for. */
  department?: string | undefined;
};

/** A visitor who sends a message, and where it comes from. */
export interface VisitorSender {
  visitor: ChatVisitor;
  site: SiteDoc;
  address: string;
  /** As in `answerChat`. */
  socketId?: string;
}

/** A visitor's stored message with its chat. */
export interface Sent extends Appended {
  chat: ChatDoc;
}

/** Number of new starts for one message: its chat may be closed while the message is being stored, but not this often. */
const STARTS_MAX = 5;

/**
 * Stores a visitor's message in the open chat, or starts a new one with it. Idempotent: a repeated `clientId` returns
 * the first message, in whichever chat it is, and starts nothing.
 * @throws AppError 409 `ID_CONFLICT`, 413, 429
 */
export async function sendAsVisitor(
  { visitor, site, address, socketId }: VisitorSender,
  { greeting: greetingId, article, person = false, department, ...input }: VisitorInput,
  { limits, usage, assistance }: { limits: Limits; usage: Usage; assistance: Assistance },
): Promise<Sent> {
  const asking = { site, visitor: visitor._id, address, speaks: visitor.speaks };
  const senderKey = `v:${visitor._id}`;
  await refuseIfFull(usage, site, senderKey, input);
  for (let starts = 0; starts < STARTS_MAX; starts++) {
    const open = await openChatOf(visitor._id);
    const earlier = open ? null : await findSent(senderKey, { ...input, file: input.stored?.file });
    if (earlier) return withItsChat(earlier, null);
    if (!open) await limits.take('newChatsPerAddress', address);
    // The assistant reads no files.
    const start = () => (visitor.bot || input.stored ? {} : assistance.start(asking, person));
    const chat = open ?? (await startChat(visitor, { start: await start(), ...chosen(site, department) }));
    const isTooMuch = open?.assisted && !(await assistance.mayAsk(asking));
    const draft = draftOf(
      { chat, site },
      open ? input : { ...input, ...answeredGreeting(siteIn(site, visitor.speaks), greetingId) },
    );
    const author = { sender: 'visitor' as const, author: null, authorName: chat.visitorInfo.name };
    const appended = await post({ chat, site }, { ...draft, senderKey, ...author }, socketId);
    if (appended && !open && article) void events.emit('chatFromArticle', { chat, site, article });
    if (appended && isTooMuch) await handOver({ chat, site }, 'limit');
    if (!appended) continue;
    // A retry repeats it, should this process end before the answer.
    return withItsChat(appended, open ? await chooseDepartment({ chat, site }, chosen(site, department)) : chat);
  }
  throw unavailable();
}

/** Only the site's own texts are stored, never one that a visitor sends. */
function answeredGreeting(site: SiteDoc, id: string | undefined): Pick<MessageInput, 'greeting'> {
  const known = id === undefined ? undefined : greetingsOf(site).find((greeting) => greeting.id === id);
  return known ? { greeting: { id: known.id, text: known.text } } : {};
}

/** The department that a visitor may choose. A chat must not be lost because it was deleted or hidden meanwhile: it is for none then. */
function chosen(site: SiteDoc, id: string | undefined): Pick<ChatDoc, 'department'> {
  const department = departmentOf(site, id);
  return department?.visible ? { department: department._id } : {};
}

async function withItsChat(appended: Appended, chat: ChatDoc | null): Promise<Sent> {
  if (chat?._id.equals(appended.message.chat)) return { ...appended, chat };
  const its = await ChatModel.findById(appended.message.chat).lean<ChatDoc>();
  if (!its) throw unavailable();
  return { ...appended, chat: its };
}

/**
 * Stores an agent's answer. The first answer claims an unclaimed chat; a colleague's answer leaves the claimer as it
 * is. Resolves when the message is durable; the row and the announcements follow.
 * @param socketId the socket that sent it, which gets no echo because the acknowledgement carries the message
 * @throws AppError 409 `CHAT_CLOSED`, `ID_CONFLICT`
 */
export async function answerChat(
  { chat, site }: ChatOfSite,
  { user }: Caller,
  input: MessageInput,
  socketId?: string,
): Promise<Appended> {
  const senderKey = `u:${user._id}`;
  if (chat.claimedBy === null && chat.status !== 'closed') {
    // A retry of a message stored long ago must not claim: the chat may have been handed back since.
    const { clientId, stored } = input;
    const earlier =
      clientId === undefined ? null : await findSent(senderKey, { ...input, clientId, file: stored?.file });
    if (earlier) return earlier;
    await tryClaim({ chat, site }, user);
  }
  const author = { sender: 'agent' as const, author: user._id, authorName: user.name };
  const appended = await post({ chat, site }, { ...draftOf({ chat, site }, input), senderKey, ...author }, socketId);
  if (!appended) throw chatClosed();
  return appended;
}

/**
 * Sends a text of the team in the site's name, because one of its rules says so. It claims nothing, and is no answer: the visitor goes
 * on waiting. Idempotent by `clientId`.
 * @throws AppError 409 `CHAT_CLOSED`
 */
export async function sendByRule(of: ChatOfSite, rule: Types.ObjectId, input: MessageInputWithId): Promise<Appended> {
  const author = { sender: 'agent' as const, author: null, authorName: of.site.name, rule };
  const appended = await post(of, { ...draftOf(of, input), senderKey: `r:${rule}`, ...author });
  if (!appended) throw chatClosed();
  return appended;
}

function draftOf({ chat, site }: ChatOfSite, { clientId, content, formatted, stored, greeting, mail }: MessageInput) {
  const named = {
    clientId: (clientId ?? randomUUID()).toLowerCase(),
    content: stored ? content : storedText(site, content),
  };
  return {
    chat: chat._id,
    site: chat.site,
    event: null,
    createdAt: new Date(),
    ...named,
    ...(formatted && isFormatted(content) && { formatted }),
    ...stored,
    ...(greeting && { greeting }),
    ...(mail && { mail }),
  };
}

async function post({ chat, site }: ChatOfSite, draft: Draft, socketId?: string): Promise<Appended | null> {
  const appended = await append(draft);
  if (appended?.isNew) followUp({ chat, site }, appended.message, socketId);
  else if (appended) await followUpRetry({ chat, site }, appended.message);
  // The chat is closed, or was reopened, by a process that could not finish it.
  if (!appended || (appended.isNew && chat.status === 'closed')) await finishTurn({ chat, site });
  return appended;
}

/** A retried message may have been stored by a try that crashed before the follow-up work; that work is done now. */
async function followUpRetry(of: ChatOfSite, { chat, seq }: Appended['message']): Promise<void> {
  const its = of.chat._id.equals(chat) ? await chatCache.find(chat.toHexString()) : null;
  if (its && its.lastSeq < seq) catchUp(of, seq).catch((error) => events.fail(error, 'work after a commit'));
}

/** What a chat copies of its visitor. */
export type ChatVisitor = Pick<ChatDoc, '_id' | 'site' | 'bot' | 'blocked'> &
  ChatDoc['visitorInfo'] & { speaks?: string };

/** Id of the open chat that each visitor had at the last look-up. */
const openChatIds = rememberedIds();

/** @returns the visitor's open chat; null: none */
export async function openChatOf(visitor: Types.ObjectId): Promise<ChatDoc | null> {
  const key = visitor.toHexString();
  const last = openChatIds.get(key);
  const kept = last === undefined ? null : await chatCache.find(last);
  if (kept?.open) return kept;
  const keep = chatCache.reading(last === undefined ? undefined : [last]);
  const open = await ChatModel.findOne({ visitor, open: true }).lean<ChatDoc>();
  if (!open) return null;
  keep([open]);
  openChatIds.set(key, open._id.toHexString());
  return open;
}

/** Begins to read the chat that a visitor's message probably goes to; `openChatOf` then waits for the same read. */
export function readOpenChatAhead(visitorId: string): void {
  const last = openChatIds.get(visitorId);
  // A failure is thrown to the one who needs the chat.
  if (last !== undefined) chatCache.find(last).catch(() => {});
}

/** How a chat begins. */
interface StartOfChat extends Pick<ChatDoc, 'department'> {
  claimedBy?: Types.ObjectId | null;
  start?: AssistedStart;
}

/**
 * Starts a chat, or returns the visitor's open one: two concurrent starts end up in the same chat.
 * @param claimedBy the first claimer; null: the chat waits
 * @param start what the assistant has to do with it
 * @param department which one it is for; left out: none
 */
export async function startChat(
  { _id: visitor, site, bot, blocked, name, email, userAgent, location }: ChatVisitor,
  { claimedBy = null, start = {}, department }: StartOfChat = {},
): Promise<ChatDoc> {
  const at = new Date();
  const status = claimedBy ? 'active' : 'waiting';
  const started = new ChatModel({
    site,
    visitor,
    bot,
    blocked,
    visitorInfo: { name, email, userAgent, location },
    claimedBy,
    status,
    open: true,
    createdAt: at,
    lastActivity: at,
    updatedAt: at,
    ...(department && { department }),
    ...start,
  });
  try {
    await started.save();
    expectFirstMessage(started._id);
    openChatIds.set(visitor.toHexString(), started._id.toHexString());
    return started.toObject();
  } catch (error) {
    const open = duplicateKey(error) && (await openChatOf(visitor));
    if (!open) throw error;
    return open;
  }
}
