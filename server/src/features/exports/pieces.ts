import { peopleById } from '#features/auth';
import { type ChatDoc, type MessageDoc, MessageModel, plainText, ratingView, readThread } from '#features/chats';
import type { ChatStatus, Rating, Sender } from '#features/chats/contract';
import { departmentOf, type SiteDoc } from '#features/sites';
import { answersOf } from '#features/visitors';
import { AppError, sentence } from '#platform/http';
import { PDF_CHATS_MAX, PDF_MESSAGES_MAX } from './contract.ts';

/** Messages, and chats, that are held in memory at once. */
const MESSAGES_AT_ONCE = 100;
const CHATS_AT_ONCE = 25;

/** A chat as an export shows it; times are in milliseconds. */
export interface ExportChat {
  visitor: string | null;
  email: string | null;
  /** What the visitor said in a form: label and answer. */
  answers: [label: string, answer: string][];
  site: string;
  department: string | null;
  supporter: string | null;
  status: ChatStatus;
  beganAt: number;
  lastAt: number;
  tags: string[];
  rating: Rating | null;
}

/** A message as an export shows it. */
export interface ExportMessage {
  at: number;
  sender: Sender;
  name: string | null;
  text: string;
  /** The greeting of the website that it answers. */
  greeting?: string;
  /** Stands in brackets beside the author: how the message came, and what the author did to it later. Empty: nothing. */
  mark?: string;
}

/** A chat with its first messages; or, where `chat` is null, further messages of the chat before. */
export interface Piece {
  chat: ExportChat | null;
  messages: ExportMessage[];
}

/** Reads chats with all their messages, in the order given and with a bounded number in memory. */
export async function* readPieces(batches: AsyncIterable<ChatDoc[]>, sites: SiteDoc[]): AsyncGenerator<Piece[]> {
  const siteById = new Map(sites.map((site) => [site._id.toHexString(), site]));
  for await (const chats of batches) {
    const [people, answers] = await Promise.all([
      peopleById(chats.flatMap(({ claimedBy }) => claimedBy ?? [])),
      answersOf(chats.map(({ visitor }) => visitor)),
    ]);
    const headOf = (chat: ChatDoc, site = siteById.get(chat.site.toHexString())): ExportChat => ({
      visitor: chat.visitorInfo.name,
      email: chat.visitorInfo.email,
      answers: answers.get(chat.visitor.toHexString()) ?? [],
      site: site?.name ?? '',
      department: (site && departmentOf(site, chat.department)?.name) ?? null,
      supporter: (chat.claimedBy && people.get(chat.claimedBy.toHexString())?.name) ?? null,
      status: chat.status,
      beganAt: chat.createdAt.getTime(),
      lastAt: chat.lastActivity.getTime(),
      tags: chat.tags,
      rating: ratingView(chat),
    });
    for (const group of groupsOf(chats)) {
      const [first] = group;
      if (first && first.lastSeq > MESSAGES_AT_ONCE) yield* readLong(first, headOf(first));
      else yield await readShort(group, headOf);
    }
  }
}

/** A chat and the site that it belongs to. */
export interface ChatOfSite {
  chat: ChatDoc;
  site: SiteDoc;
}

/** The pieces of a single chat. */
export async function* piecesOf({ chat, site }: ChatOfSite): AsyncGenerator<Piece[]> {
  async function* only(): AsyncGenerator<ChatDoc[]> {
    yield [chat];
  }
  yield* readPieces(only(), [site]);
}

/** Groups neighbouring chats that are read with one query; a chat that is too long for that is a group of its own. */
function groupsOf(chats: ChatDoc[]): ChatDoc[][] {
  const groups: ChatDoc[][] = [];
  let messages = 0;
  for (const chat of chats) {
    const group = groups.at(-1);
    messages += chat.lastSeq;
    if (group && group.length < CHATS_AT_ONCE && messages <= MESSAGES_AT_ONCE) group.push(chat);
    else {
      groups.push([chat]);
      messages = chat.lastSeq;
    }
  }
  return groups;
}

/** The filter of a group's messages: ranges of one index, in its order. */
export function messagesOf(chats: Pick<ChatDoc, '_id'>[]) {
  return { chat: { $in: chats.map(({ _id }) => _id) } };
}

async function readShort(chats: ChatDoc[], headOf: (chat: ChatDoc) => ExportChat): Promise<Piece[]> {
  const messages = await MessageModel.find(messagesOf(chats)).sort({ chat: 1, seq: 1 }).lean<MessageDoc[]>();
  const pieces = new Map(chats.map((chat) => [chat._id.toHexString(), newPiece(headOf(chat))]));
  for (const message of messages) pieces.get(message.chat.toHexString())?.messages.push(messageOf(message));
  return [...pieces.values()];
}

function newPiece(chat: ExportChat): Piece {
  return { chat, messages: [] };
}

async function* readLong({ _id }: ChatDoc, head: ExportChat): AsyncGenerator<Piece[]> {
  let chat: ExportChat | null = head;
  let after = 0;
  for (let more = true; more; ) {
    const page = await readThread(_id, { after, limit: MESSAGES_AT_ONCE });
    yield [{ chat, messages: page.messages.map(messageOf) }];
    chat = null;
    more = page.more;
    after = page.messages.at(-1)?.seq ?? after;
  }
}

function messageOf(message: MessageDoc): ExportMessage {
  const { createdAt, sender, authorName: name, event, greeting, mail, editedAt, deletedAt } = message;
  const answered = greeting && { greeting: greeting.text };
  const sent = { at: createdAt.getTime(), sender, name, ...answered };
  if (deletedAt) return { ...sent, text: 'Message deleted', mark: 'deleted' };
  const words = plainText(message, true);
  const text = event && name ? `${words} by ${name}` : words;
  return { ...sent, text, mark: [mail && 'by mail', editedAt && 'edited'].filter(Boolean).join(', ') };
}

/** Counts the chats of one PDF. @throws AppError 422 `EXPORT_TOO_LARGE`, as soon as a limit is exceeded */
export async function countForPdf(batches: AsyncIterable<ChatDoc[]>): Promise<number> {
  let chats = 0;
  let messages = 0;
  for await (const batch of batches) {
    chats += batch.length;
    for (const { lastSeq } of batch) messages += lastSeq;
    if (chats > PDF_CHATS_MAX || messages > PDF_MESSAGES_MAX) throw tooLarge();
  }
  return chats;
}

function tooLarge(): AppError {
  return new AppError(
    422,
    'EXPORT_TOO_LARGE',
    sentence(
      'A PDF can have up to {chats} chats with {messages} messages, and your selection has more. Please choose a website, a supporter or fewer days, or export as TXT, which has no limit.',
      { chats: PDF_CHATS_MAX, messages: PDF_MESSAGES_MAX },
    ),
  );
}

/** Characters in one portion of a thread's work: in some scripts each takes a tenth of a millisecond. */
const LENGTH_MAX = 20_000;

/** Splits pieces into portions with about the same limit on a thread's work, however long their messages are. */
export async function* splitByWork(batches: AsyncIterable<Piece[]>): AsyncGenerator<Piece[]> {
  for await (const batch of batches) {
    let portion: Piece[] = [];
    let length = 0;
    for (const piece of batch.flatMap(cut)) {
      const more = lengthOf(piece.messages);
      if (portion.length > 0 && length + more > LENGTH_MAX) {
        yield portion;
        portion = [];
        length = 0;
      }
      portion.push(piece);
      length += more;
    }
    yield portion;
  }
}

/** Splits a long piece into several; the first of them has the chat's head. */
function cut({ chat, messages }: Piece): Piece[] {
  const cuts: Piece[] = [{ chat, messages: [] }];
  let length = 0;
  for (const message of messages) {
    length += message.text.length;
    if (length > LENGTH_MAX) {
      cuts.push({ chat: null, messages: [] });
      length = message.text.length;
    }
    cuts.at(-1)?.messages.push(message);
  }
  return cuts;
}

function lengthOf(messages: ExportMessage[]): number {
  return messages.reduce((sum, { text }) => sum + text.length, 0);
}
