import type { Chat, Site } from 'server/contract';
import { NAV } from './items.ts';

/** One place that the search box can lead to. */
export interface Find {
  to: string;
  title: string;
  text: string;
  group: 'Go to' | 'Websites' | 'Chats';
  newTab: boolean;
}

const PER_GROUP = 5;

/** What the words typed so far may mean, out of what this page already knows; nothing typed: where one may want to go. */
export function findsFor(query: string, sites: readonly Site[], chats: readonly Chat[]): Find[] {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ title, text }: Find) => {
    const heap = `${title} ${text}`.toLocaleLowerCase();
    return words.every((word) => heap.includes(word));
  };
  const groups = [NAV.map(placeFind), sites.map(siteFind), chats.map(chatFind)];
  return groups.flatMap((finds) => finds.filter(matches).slice(0, words.length === 0 ? NAV.length : PER_GROUP));
}

function placeFind({ to, label, newTab = false }: (typeof NAV)[number]): Find {
  return { to, title: label, text: '', group: 'Go to', newTab };
}

function siteFind(site: Site): Find {
  return {
    to: `/dashboard/sites/${site._id}`,
    title: site.name,
    text: site.domain,
    group: 'Websites',
    newTab: false,
  };
}

function chatFind(chat: Chat): Find {
  const { name, email } = chat.visitorInfo;
  return {
    to: `/dashboard/inbox?chat=${chat._id}`,
    title: name ?? email ?? 'Anonymous',
    text: [chat.lastMessage, chat.site.name].filter(Boolean).join(' · '),
    group: 'Chats',
    newTab: false,
  };
}
