import type { Chat, Sender } from '#features/chats/contract';

export const SEARCH_MAX_LENGTH = 200;
/** Results of each kind that the top bar shows. */
export const SEARCH_FINDS = 5;

/** A message found, with the chat that it belongs to. */
export interface FoundMessage {
  chatId: string;
  siteName: string;
  visitorName: string | null;
  seq: number;
  sender: Sender;
  /** The text around the first word found, with `…` where it was cut. */
  excerpt: string;
  timestamp: string;
}

/** A site found by its name or domain. */
export interface FoundSite {
  _id: string;
  name: string;
  domain: string;
}

/** A teammate found by name or e-mail. */
export interface FoundPerson {
  _id: string;
  name: string;
  email: string;
}

/** The results of the top bar's search: five of each kind at most, only from the caller's sites. */
export interface SearchFinds {
  /** Those found by their visitor's name or e-mail, or by words that are in none of `messages`. */
  chats: Chat[];
  messages: FoundMessage[];
  sites: FoundSite[];
  people: FoundPerson[];
}

/** The messages of one chat that contain all words of a search. */
export interface ChatFinds {
  /** Their seq numbers, newest first. */
  seqs: number[];
  /** `before` of the next call, since one call reads a part of a long chat only; null: the whole chat was searched. */
  next: number | null;
}

/** The REST calls of searches. */
export interface SearchApi {
  /** The last word may be typed in part. */
  'GET /chats/:id/search': { query: { q?: string; before?: number }; data: ChatFinds };
  'GET /search': { query: { q?: string }; data: SearchFinds };
}
