import type { Chat, FoundMessage, FoundPerson, SearchFinds, Site } from 'server/contract';
import { paths } from '../../lib/paths.ts';
import { visitorName } from '../../shared/visitorName.ts';
import { NAV } from './items.ts';

/** One place that the search box can lead to. */
export interface Find {
  /** What it is, once in the list. */
  key: string;
  to: string;
  title: string;
  text: string;
  group: 'Recent' | 'Go to' | 'Websites' | 'Chats' | 'Messages' | 'Team';
  newTab: boolean;
}

/** What this page knows already. */
export interface Known {
  sites: readonly Site[];
  chats: readonly Chat[];
  recent: readonly Find[];
}

const PER_GROUP = 5;

/**
 * What the words typed so far may mean. What the page knows shows at once, and what the server finds is only added behind
 * it in each group, so that no row moves away under the finger. Nothing typed: where one was, and may want to go.
 */
export function findsFor(query: string, { sites, chats, recent }: Known, found: SearchFinds | undefined): Find[] {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const places = NAV.map(placeFind);
  if (words.length === 0) return [...recent.map((find) => ({ ...find, group: 'Recent' as const })), ...places];
  const matches = ({ title, text }: Find) => {
    const heap = `${title} ${text}`.toLocaleLowerCase();
    return words.every((word) => heap.includes(word));
  };
  return [
    ...places.filter(matches).slice(0, PER_GROUP),
    ...joined(sites.map(siteFind).filter(matches), found?.sites.map(siteFind)),
    ...joined(chats.map(chatFind).filter(matches), found?.chats.map(chatFind)),
    ...joined([], found?.messages.map(messageFind)),
    ...joined([], found?.people.map(personFind)),
  ];
}

/** Both lists as one, each thing once, and no longer than a group may be. */
function joined(known: Find[], found: Find[] = []): Find[] {
  const byKey = new Map([...known, ...found].map((find) => [find.key, find]));
  return [...byKey.values()].slice(0, PER_GROUP);
}

function placeFind({ to, label, newTab = false }: (typeof NAV)[number]): Find {
  return { key: to, to, title: label, text: '', group: 'Go to', newTab };
}

function siteFind({ _id, name, domain }: Pick<Site, '_id' | 'name' | 'domain'>): Find {
  return { key: _id, to: paths.site(_id), title: name, text: domain, group: 'Websites', newTab: false };
}

function chatFind({ _id, visitorInfo: { name, email }, lastMessage, site }: Chat): Find {
  return {
    key: _id,
    to: paths.chat(_id),
    title: visitorName(name ?? email),
    text: [lastMessage, site.name].filter(Boolean).join(' · '),
    group: 'Chats',
    newTab: false,
  };
}

function messageFind({ chatId, seq, visitorName: name, excerpt }: FoundMessage): Find {
  return {
    key: `${chatId}:${seq}`,
    to: paths.chat(chatId),
    title: visitorName(name),
    text: excerpt,
    group: 'Messages',
    newTab: false,
  };
}

function personFind({ _id, name, email }: FoundPerson): Find {
  return { key: _id, to: paths.team, title: name, text: email, group: 'Team', newTab: false };
}
