import { useQuery } from '@tanstack/react-query';
import type { Chat, FoundMessage, FoundPerson, SearchFinds, Site } from 'server/contract';
import { call } from '../../lib/api.ts';
import { useAuth } from '../../lib/auth.tsx';
import { facts, msg, t } from '../../lib/i18n.ts';
import { readJson } from '../../lib/json.ts';
import { paths } from '../../lib/paths.ts';
import { keys } from '../../lib/query.ts';
import { localStore } from '../../lib/storage.ts';
import { useDebounced } from '../../lib/timing.ts';
import { visitorName } from '../../shared/visitorName.ts';
import { NAV_ITEMS } from './navigation.ts';

/** One result of the search box. */
export interface SearchResult {
  /** Identifies the result within the list. */
  key: string;
  to: string;
  title: string;
  text: string;
  /** In English. */
  group: 'Recent' | 'Go to' | 'Websites' | 'Chats' | 'Messages' | 'Team';
  newTab?: boolean;
}

/** Data that is in the cache already. */
export interface Known {
  sites: readonly Site[];
  chats: readonly Chat[];
  recent: readonly SearchResult[];
}

const PER_GROUP = 5;
const RECENT_KEY = 'parley_recent';
const RECENT_MAX = 5;
/** Debounce of the search. */
const DEBOUNCE_MS = 150;

/**
 * The results for the typed words. Results from the cache show at once; those of the server are appended in each group,
 * so that no row moves while somebody clicks it. Without words: recent results and all screens.
 */
function resultsFor(query: string, { sites, chats, recent }: Known, found: SearchFinds | undefined): SearchResult[] {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const places = NAV_ITEMS.map(screenResult);
  if (words.length === 0)
    return [
      ...recent.map((result) => ({
        ...(places.find(({ key }) => key === result.key) ?? result),
        group: msg('Recent'),
      })),
      ...places,
    ];
  const contains = (...texts: (string | null)[]) => {
    const searched = texts.join(' ').toLocaleLowerCase();
    return words.every((word) => searched.includes(word));
  };
  const matches = ({ title, text }: SearchResult) => contains(title, text);
  const named = chats.filter(({ visitorInfo: { name, email } }) => contains(name, email));
  const withWords = chats.filter(({ status, lastMessage }) => status !== 'closed' && contains(lastMessage));
  return [
    ...places.filter(matches).slice(0, PER_GROUP),
    ...merged(sites.map(siteResult).filter(matches), found?.sites.map(siteResult)),
    ...merged(named.map(chatResult), found?.chats.map(chatResult)),
    ...merged(withWords.map(lastMessageResult), found?.messages.map(messageResult)),
    ...merged([], found?.people.map(personResult)),
  ];
}

/** Both lists without duplicates, at most `PER_GROUP` long. */
function merged(known: SearchResult[], found: SearchResult[] = []): SearchResult[] {
  const byKey = new Map([...known, ...found].map((result) => [result.key, result]));
  return [...byKey.values()].slice(0, PER_GROUP);
}

function screenResult({ to, label, newTab = false }: (typeof NAV_ITEMS)[number]): SearchResult {
  return { key: to, to, title: t(label), text: '', group: msg('Go to'), newTab };
}

function siteResult({ _id, name, domain }: Pick<Site, '_id' | 'name' | 'domain'>): SearchResult {
  return { key: _id, to: paths.site(_id), title: name, text: domain, group: msg('Websites') };
}

function chatResult({ _id, visitorInfo: { name, email }, lastMessage, site }: Chat): SearchResult {
  return {
    key: _id,
    to: paths.chat(_id),
    title: visitorName(name ?? email),
    text: facts(lastMessage, site.name),
    group: msg('Chats'),
  };
}

function messageResult({
  chatId,
  seq,
  visitorName: name,
  excerpt,
}: Pick<FoundMessage, 'chatId' | 'seq' | 'visitorName' | 'excerpt'>): SearchResult {
  return {
    key: `${chatId}:${seq}`,
    to: paths.chat(chatId, seq),
    title: visitorName(name),
    text: excerpt,
    group: msg('Messages'),
  };
}

/** The newest message of a chat of the cache; the last message of a closed one is of the server. */
function lastMessageResult({ _id, visitorInfo, lastSeq, lastMessage }: Chat): SearchResult {
  const { name } = visitorInfo;
  return messageResult({ chatId: _id, seq: lastSeq, visitorName: name, excerpt: lastMessage });
}

function personResult({ _id, name, email }: FoundPerson): SearchResult {
  return { key: _id, to: paths.team, title: name, text: email, group: msg('Team') };
}

/** The results that this user opened last, newest first. */
function recentResults(userId: string): SearchResult[] {
  const held = readJson(localStore.get(RECENT_KEY));
  return held.userId === userId && Array.isArray(held.finds) ? held.finds : [];
}

/** Adds a result to the recent ones. */
function rememberResult(userId: string, result: SearchResult): void {
  const others = recentResults(userId).filter(({ key }) => key !== result.key);
  localStore.set(RECENT_KEY, JSON.stringify({ userId, finds: [result, ...others].slice(0, RECENT_MAX) }));
}

interface Search {
  results: SearchResult[];
  /** `partly`: the server did not answer, and the results are from the cache only. */
  state: 'searching' | 'done' | 'partly';
  remember: (result: SearchResult) => void;
}

/** The results for a query: from the cache at once, then also from the server. */
export function useSearchResults(query: string, sites: readonly Site[], chats: readonly Chat[]): Search {
  const { user } = useAuth();
  const typed = query.trim();
  const asked = useDebounced(typed, DEBOUNCE_MS);
  const search = useQuery({
    queryKey: keys.search(asked),
    queryFn: ({ signal }) => call('GET /search', { query: { q: asked }, signal }),
    enabled: asked !== '',
  });
  const isOld = asked !== typed || search.isPending;
  const userId = user?._id ?? '';
  return {
    results: resultsFor(typed, { sites, chats, recent: recentResults(userId) }, isOld ? undefined : search.data),
    state: search.isError ? 'partly' : typed !== '' && isOld ? 'searching' : 'done',
    remember: (result) => rememberResult(userId, result),
  };
}
