import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { can, type Site, type SiteAvailability, type User } from 'server/contract';
import { formatUpcoming } from '../lib/format.ts';
import { plural, sentences, t } from '../lib/i18n.ts';
import { keys } from '../lib/query.ts';

interface Situation {
  user: User;
  sites: readonly Site[];
  connected: boolean;
  /** There was no input for so long that the server takes the user for away. */
  away: boolean;
  availability: Availability;
}

/** What the server has said of the sites, by their ids; of others nothing is claimed. */
type Availability = Readonly<Record<string, SiteAvailability>>;

/** Why this user is given no chats, in one sentence with the way out; null: there is no reason. */
export function whyNotReceiving(situation: Situation): string | null {
  const { user, sites, connected, away, availability } = situation;
  if (!connected) return t('You get no chats until the connection is back.');
  if (sites.length === 0) return t('You get no chats, because you are on the team of no website yet.');
  const answerable = sites.filter((site) => can(site, 'chats.reply'));
  if (answerable.length === 0)
    return t('You get no chats, because your role is viewer: you can read them, not answer.');
  if (!user.available)
    return sentences(
      t('You get no chats while you are offline.'),
      nobodyOnline(situation),
      t('Switch to Online to get them.'),
    );
  if (away) {
    const minutes = user.autoAwayMinutes ?? 0;
    const why = plural(
      minutes,
      'You are away and get no chats: there was no input for {count} minute.',
      'You are away and get no chats: there was no input for {count} minutes.',
    );
    return sentences(why, nobodyOnline(situation), t('Any key, click or movement brings you back.'));
  }
  const enabled = answerable.filter(({ widgetEnabled }) => widgetEnabled);
  if (enabled.length === 0) return t('No chats come, because the widget is switched off on your websites.');
  const open = enabled.filter(({ settings }) => !settings.offlineMode);
  if (open.length === 0)
    return t('No chats are assigned, because your websites are shown as offline in their settings.');
  const isClosed = ({ _id }: Site) => availability[_id]?.open === false;
  if (open.every(isClosed)) return closedUntil(open.flatMap(({ _id }) => availability[_id] ?? []));
  if (open.every(({ settings }) => !settings.autoAssign))
    return t('Chats are not assigned on your websites: claim them from the list.');
  return null;
}

/** That all sites are closed, until the first of them opens. */
function closedUntil(sites: SiteAvailability[]): string {
  const [first] = sites
    .filter(({ opensAt }) => opensAt)
    .sort((a, b) => (a.opensAt ?? '').localeCompare(b.opensAt ?? ''));
  if (!first?.opensAt) return t('No chats are assigned now: it is outside the office hours of your websites.');
  const time = formatUpcoming(first.opensAt, Date.now());
  if (!first.holiday) return t('Closed until {time}: no chats are assigned now.', { time });
  return t('Closed until {time} ({holiday}): no chats are assigned now.', { time, holiday: first.holiday });
}

/**
 * For those who run a site: that its visitors see the offline form, since nobody is there to answer. More than two websites
 * are counted, not named.
 */
function nobodyOnline({ sites, availability }: Situation): string {
  const isEmpty = ({ _id, widgetEnabled, settings }: Site) =>
    widgetEnabled && !settings.offlineMode && availability[_id]?.open === true && !availability[_id].online;
  const empty = sites.filter((site) => can(site, 'sites.edit') && isEmpty(site));
  if (empty.length === 0) return '';
  if (empty.length === sites.length) return t('Nobody else is online either: visitors see the offline form.');
  const [first, second, ...more] = empty.map(({ name }) => name);
  if (!first || more.length > 0)
    return plural(
      empty.length,
      'Nobody else is online either: visitors on {count} website see the offline form.',
      'Nobody else is online either: visitors on {count} websites see the offline form.',
    );
  const where = second ? t('{first} and {second}', { first, second }) : first;
  return t('Nobody else is online either: visitors on {where} see the offline form.', { where });
}

const NONE: Availability = {};

/** Whether visitors of the user's sites find somebody. */
export function useAvailability(): Availability {
  return useFromEvents(keys.availability, NONE);
}

const AWAY = ['away'];

/** Whether the server takes this user for away, for want of input, and the way to note what it says. */
export function useAway(): [boolean, (away: boolean) => void] {
  const client = useQueryClient();
  return [useFromEvents(AWAY, false), useCallback((away) => client.setQueryData(AWAY, away), [client])];
}

/** What events put into the cache; the server is not asked for it. */
function useFromEvents<Value>(queryKey: QueryKey, none: Value): Value {
  const cached = useQuery({ queryKey, queryFn: () => none, enabled: false, gcTime: Number.POSITIVE_INFINITY });
  return cached.data ?? none;
}
