import type { BulkChange, BulkResult, Chat } from 'server/contract';
import { msg, plural, t } from '../../../lib/i18n.ts';
import { visitorName } from '../../../shared/visitorName.ts';

/** So many names are listed for one reason. */
const NAMES_MAX = 3;

/** What happened to several chats, as sentences. */
export interface Outcome {
  summary: string;
  /** Why chats were refused, each reason with their visitors. */
  refusals: string[];
}

type Named = BulkChange & { name: string };

/** Says what happened to which chat, and why. */
export function outcomeOf(change: Named, results: readonly BulkResult[], chats: readonly Chat[]): Outcome {
  const count = (outcome: BulkResult['outcome']) => results.filter((result) => result.outcome === outcome).length;
  const [done, unchanged] = [count('done'), count('unchanged')];
  const summary = [doneText(change, done, results.length), unchanged > 0 && unchangedText(change, unchanged)];
  return { summary: summary.filter(Boolean).join('; '), refusals: refusalsOf(results, chats) };
}

/** How many chats were changed: of one for all, and of one for part of them, each for one chat and for several. */
const DONE: Record<BulkChange['action'] | 'queue', readonly [string, string, string, string]> = {
  close: [
    msg('{count} chat closed'),
    msg('{count} chats closed'),
    msg('{done} of {count} chat closed'),
    msg('{done} of {count} chats closed'),
  ],
  reopen: [
    msg('{count} chat reopened and claimed by you'),
    msg('{count} chats reopened and claimed by you'),
    msg('{done} of {count} chat reopened and claimed by you'),
    msg('{done} of {count} chats reopened and claimed by you'),
  ],
  tag: [
    msg('{count} chat tagged ‘{tag}’'),
    msg('{count} chats tagged ‘{tag}’'),
    msg('{done} of {count} chat tagged ‘{tag}’'),
    msg('{done} of {count} chats tagged ‘{tag}’'),
  ],
  untag: [
    msg('{count} chat no longer tagged ‘{tag}’'),
    msg('{count} chats no longer tagged ‘{tag}’'),
    msg('{done} of {count} chat no longer tagged ‘{tag}’'),
    msg('{done} of {count} chats no longer tagged ‘{tag}’'),
  ],
  transfer: [
    msg('{count} chat assigned to {name}'),
    msg('{count} chats assigned to {name}'),
    msg('{done} of {count} chat assigned to {name}'),
    msg('{done} of {count} chats assigned to {name}'),
  ],
  queue: [
    msg('{count} chat given back to the queue'),
    msg('{count} chats given back to the queue'),
    msg('{done} of {count} chat given back to the queue'),
    msg('{done} of {count} chats given back to the queue'),
  ],
};

const UNCHANGED: Record<BulkChange['action'] | 'queue', readonly [string, string]> = {
  close: [msg('{count} is already closed'), msg('{count} are already closed')],
  reopen: [msg('{count} is already open'), msg('{count} are already open')],
  tag: [msg('{count} is already tagged so'), msg('{count} are already tagged so')],
  untag: [msg('{count} is not tagged so'), msg('{count} are not tagged so')],
  transfer: [msg('{count} is already theirs'), msg('{count} are already theirs')],
  queue: [msg('{count} is already there'), msg('{count} are already there')],
};

function kindOf(change: Named): keyof typeof DONE {
  return change.action === 'transfer' && change.userId === null ? 'queue' : change.action;
}

function doneText(change: Named, done: number, all: number): string {
  const [one, several, ofOne, ofSeveral] = DONE[kindOf(change)];
  const values = { name: change.name, tag: 'tag' in change ? change.tag : '' };
  return done === all ? plural(done, one, several, values) : plural(all, ofOne, ofSeveral, { ...values, done });
}

function unchangedText(change: Named, count: number): string {
  const [one, several] = UNCHANGED[kindOf(change)];
  return plural(count, one, several);
}

function refusalsOf(results: readonly BulkResult[], chats: readonly Chat[]): string[] {
  const namesBy = new Map<string, string[]>();
  for (const result of results) {
    if (result.outcome !== 'refused') continue;
    const chat = chats.find(({ _id }) => _id === result.chatId);
    namesBy.set(result.message, [...(namesBy.get(result.message) ?? []), visitorName(chat?.visitorInfo.name)]);
  }
  return [...namesBy].map(([reason, names]) => `${listed(names)}: ${t(reason)}`);
}

function listed(names: string[]): string {
  const more = names.length - NAMES_MAX;
  return more > 0
    ? plural(more, '{names} and {count} more', '{names} and {count} more', {
        names: names.slice(0, NAMES_MAX).join(', '),
      })
    : names.join(', ');
}

/** A sentence that says what failed where the server did not answer. */
export function failureOf({ action }: BulkChange): string {
  if (action === 'close') return t('The chats could not be closed.');
  if (action === 'reopen') return t('The chats could not be reopened.');
  return action === 'transfer' ? t('The chats could not be assigned.') : t('The tags could not be changed.');
}
