import type { BulkChange, BulkResult, Chat } from 'server/contract';
import { translated } from '../../lib/http.ts';
import { facts, listed, plural, t } from '../../lib/i18n.ts';
import { visitorName } from '../../shared/visitorName.ts';
import { toastAction } from '../../ui/actionToast.tsx';

/** So many names are listed for one reason. */
const NAMES_MAX = 3;

type Named = BulkChange & { name: string };

interface Outcome {
  change: Named;
  results: readonly BulkResult[];
  chats: readonly Chat[];
  /** Takes back what was done; null: there is no way back. */
  undo: (() => void) | null;
}

/** Says in a toast what happened to which chat, and why. One that names refusals stays until it is dismissed. */
export function toastOutcome({ change, results, chats, undo }: Outcome): void {
  const count = (outcome: BulkResult['outcome']) => results.filter((result) => result.outcome === outcome).length;
  const [done, unchanged] = [count('done'), count('unchanged')];
  const refusals = refusalsOf(results, chats);
  toastAction({
    text: (
      <>
        <span className="block">
          {facts(doneText(change, done, results.length), unchanged > 0 && unchangedText(change, unchanged))}
        </span>
        {refusals.length > 0 && (
          <ul className="pt-1 text-xs text-muted">
            {refusals.map((refusal) => (
              <li key={refusal}>{refusal}</li>
            ))}
          </ul>
        )}
      </>
    ),
    label: t('Undo'),
    run: undo,
    stays: refusals.length > 0,
  });
}

/** How many chats were changed. */
function doneText(change: Named, done: number, all: number): string {
  const isWhole = done === all;
  const { name } = change;
  const tag = 'tag' in change ? change.tag : '';
  switch (kindOf(change)) {
    case 'close':
      return isWhole
        ? plural(all, '{count} chat closed', '{count} chats closed')
        : plural(all, '{done} of {count} chat closed', '{done} of {count} chats closed', { done });
    case 'reopen':
      return isWhole
        ? plural(all, '{count} chat reopened and claimed by you', '{count} chats reopened and claimed by you')
        : plural(
            all,
            '{done} of {count} chat reopened and claimed by you',
            '{done} of {count} chats reopened and claimed by you',
            { done },
          );
    case 'tag':
      return isWhole
        ? plural(all, '{count} chat tagged ‘{tag}’', '{count} chats tagged ‘{tag}’', { tag })
        : plural(all, '{done} of {count} chat tagged ‘{tag}’', '{done} of {count} chats tagged ‘{tag}’', { done, tag });
    case 'untag':
      return isWhole
        ? plural(all, '{count} chat no longer tagged ‘{tag}’', '{count} chats no longer tagged ‘{tag}’', { tag })
        : plural(
            all,
            '{done} of {count} chat no longer tagged ‘{tag}’',
            '{done} of {count} chats no longer tagged ‘{tag}’',
            { done, tag },
          );
    case 'transfer':
    case 'department':
      return isWhole
        ? plural(all, '{count} chat assigned to {name}', '{count} chats assigned to {name}', { name })
        : plural(all, '{done} of {count} chat assigned to {name}', '{done} of {count} chats assigned to {name}', {
            done,
            name,
          });
    case 'queue':
      return isWhole
        ? plural(all, '{count} chat given back to the queue', '{count} chats given back to the queue')
        : plural(
            all,
            '{done} of {count} chat given back to the queue',
            '{done} of {count} chats given back to the queue',
            { done },
          );
  }
}

/** How many chats were so before. */
function unchangedText(change: Named, count: number): string {
  switch (kindOf(change)) {
    case 'close':
      return plural(count, '{count} is already closed', '{count} are already closed');
    case 'reopen':
      return plural(count, '{count} is already open', '{count} are already open');
    case 'tag':
      return plural(count, '{count} is already tagged so', '{count} are already tagged so');
    case 'untag':
      return plural(count, '{count} is not tagged so', '{count} are not tagged so');
    case 'transfer':
      return plural(count, '{count} is already theirs', '{count} are already theirs');
    case 'queue':
    case 'department':
      return plural(count, '{count} is already there', '{count} are already there');
  }
}

function kindOf(change: Named): BulkChange['action'] | 'queue' {
  return change.action === 'transfer' && change.userId === null ? 'queue' : change.action;
}

/** Why chats were refused, each reason with their visitors. */
function refusalsOf(results: readonly BulkResult[], chats: readonly Chat[]): string[] {
  const namesBy = new Map<string, string[]>();
  for (const result of results) {
    if (result.outcome !== 'refused') continue;
    const chat = chats.find(({ _id }) => _id === result.chatId);
    const reason = translated(result.message, result);
    namesBy.set(reason, [...(namesBy.get(reason) ?? []), visitorName(chat?.visitorInfo.name)]);
  }
  return [...namesBy].map(([reason, names]) => t('{name}: {text}', { name: shortened(names), text: reason }));
}

function shortened(names: string[]): string {
  const more = names.length - NAMES_MAX;
  return more > 0
    ? plural(more, '{names} and {count} more', '{names} and {count} more', {
        names: listed(names.slice(0, NAMES_MAX)),
      })
    : listed(names);
}

/** A sentence that says what failed where the server did not answer. */
export function failureOf({ action }: BulkChange): string {
  if (action === 'close') return t('The chats could not be closed.');
  if (action === 'reopen') return t('The chats could not be reopened.');
  if (action === 'transfer' || action === 'department') return t('The chats could not be assigned.');
  return t('The tags could not be changed.');
}
