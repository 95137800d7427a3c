import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Types } from 'mongoose';
import { peopleById } from '#features/auth';
import { type ChatDoc, chatViews, type MessageDoc, MessageModel, plainText } from '#features/chats';
import type { SiteDoc } from '#features/sites';
import { type FoundMessage, SEARCH_FINDS, type SearchFinds } from './contract.ts';
import { searchChats } from './find.ts';
import { newestHit } from './inChat.ts';
import { firstMatch, matchesTerm, type Term, termsOf, wordsOf } from './words.ts';

/** Code points that an excerpt shows before and after the word found. */
const BEFORE = 40;
const BEHIND = 80;

/** A message cut to the text around the first word found. */
export function excerptOf(content: string, terms: Term[]): string {
  const flat = content.replace(/\s+/gu, ' ').trim();
  const hit = Math.max(0, firstMatch(flat, terms));
  const ahead = [...flat.slice(0, hit)];
  const behind = [...flat.slice(hit)];
  const before = ahead.slice(-BEFORE);
  const text = [...before, ...behind.slice(0, BEFORE + BEHIND - before.length)];
  const isCutBefore = before.length < ahead.length;
  const isCutBehind = before.length + behind.length > text.length;
  return `${isCutBefore ? '…' : ''}${text.join('')}${isCutBehind ? '…' : ''}`;
}

/** The newest messages of a chat that are searched for the words. */
const MESSAGES_LOOK = 20;
/** Chats that are examined for messages. Twice as many as are shown, since some match by their visitor's name only. */
const CHATS_LOOK = 2 * SEARCH_FINDS;

/** The results of the top bar's search on these sites. The last word may be typed in part; of names, every word may. */
export async function searchEverything(sites: SiteDoc[], search: string): Promise<SearchFinds> {
  const terms = termsOf(search);
  if (terms.length === 0) return { chats: [], messages: [], sites: [], people: [] };
  const [{ items: chats }, members] = await Promise.all([
    searchChats(sites, {}, { search, limit: CHATS_LOOK }),
    peopleById(sites.flatMap(({ team }) => team.map(({ user }) => user))),
  ]);
  const begun = terms.map(({ word }) => ({ word, prefix: true }));
  const named = (...texts: string[]) => {
    const words = wordsOf(...texts);
    return begun.every((term) => matchesTerm(words, term));
  };
  const isNamed = ({ visitorInfo: { name, email } }: ChatDoc) => named(name ?? '', email ?? '');
  const messages = await findMessages(chats, terms, sites, isNamed);
  const inMessages = new Set(messages.map(({ chatId }) => chatId));
  const others = chats.filter((chat) => !inMessages.has(chat._id.toHexString()) || isNamed(chat));
  return {
    chats: await chatViews(others.slice(0, SEARCH_FINDS), sites),
    messages,
    sites: sites
      .filter(({ name, domain }) => named(name, domain))
      .slice(0, SEARCH_FINDS)
      .map(({ _id, name, domain }) => ({ _id: _id.toHexString(), name, domain })),
    people: [...members.values()]
      .filter(({ name, email }) => named(name, email))
      .slice(0, SEARCH_FINDS)
      .map(({ _id, name, email }) => ({ _id: _id.toHexString(), name, email })),
  };
}

/**
 * For each chat, the message that contains most of the words, and the newest of several. Reading a long text takes a
 * moment of the event loop, so other requests get a turn between two messages.
 */
async function findMessages(
  chats: ChatDoc[],
  terms: Term[],
  sites: SiteDoc[],
  isNamed: (chat: ChatDoc) => boolean,
): Promise<FoundMessage[]> {
  const siteNames = new Map(sites.map(({ _id, name }) => [_id.toHexString(), name]));
  const newest = await Promise.all(chats.map(({ _id }) => newestMessages(_id)));
  const found: FoundMessage[] = [];
  for (const [i, chat] of chats.entries()) {
    const { _id, site, visitorInfo } = chat;
    const best = await bestMessage(newest[i] ?? [], terms);
    const message = best?.met === terms.length || isNamed(chat) ? best?.message : await deeperIn(chat, best, terms);
    if (!message) continue;
    await nextTurn();
    const { seq, sender, createdAt } = message;
    found.push({
      chatId: _id.toHexString(),
      siteName: siteNames.get(site.toHexString()) ?? '',
      visitorName: visitorInfo.name,
      seq,
      sender,
      excerpt: excerptOf(plainText(message, true), terms),
      timestamp: createdAt.toISOString(),
    });
    if (found.length === SEARCH_FINDS) break;
  }
  return found;
}

function newestMessages(chat: Types.ObjectId): Promise<MessageDoc[]> {
  return MessageModel.find({ chat }).sort({ seq: -1 }).limit(MESSAGES_LOOK).lean<MessageDoc[]>().exec();
}

/** A message, and how many of the words it contains. */
interface Best {
  message: MessageDoc;
  met: number;
}

/** A message further up with all the words, else the best of the newest ones. */
async function deeperIn({ _id, lastSeq }: ChatDoc, best: Best | null, terms: Term[]): Promise<MessageDoc | undefined> {
  const before = lastSeq - MESSAGES_LOOK + 1;
  return (before > 1 && (await newestHit(_id, terms, before))) || best?.message;
}

/** @param messages newest first */
async function bestMessage(messages: MessageDoc[], terms: Term[]): Promise<Best | null> {
  let best: Best | null = null;
  for (const message of messages) {
    if (message.sender === 'system') continue;
    await nextTurn();
    const words = wordsOf(message.content);
    const met = terms.filter((term) => matchesTerm(words, term)).length;
    if (met > (best?.met ?? 0)) best = { message, met };
    if (met === terms.length) break;
  }
  return best;
}
