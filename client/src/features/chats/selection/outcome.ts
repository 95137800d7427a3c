import type { BulkChange, BulkResult, Chat } from 'server/contract';
import { visitorName } from '../../../shared/visitorName.ts';

/** So many names are listed for one reason. */
const NAMES_MAX = 3;

/** `5 chats`, `1 chat`. */
export const countOf = (count: number) => `${count} ${count === 1 ? 'chat' : 'chats'}`;

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
  const { after, already } = wordsOf(change);
  const whole = done === results.length ? countOf(done) : `${done} of ${countOf(results.length)}`;
  const rest = unchanged > 0 ? `; ${unchanged} ${unchanged === 1 ? 'is' : 'are'} ${already}` : '';
  return { summary: `${whole} ${after}${rest}`, refusals: refusalsOf(results, chats) };
}

function wordsOf(change: Named): { after: string; already: string } {
  switch (change.action) {
    case 'close':
      return { after: 'closed', already: 'already closed' };
    case 'reopen':
      return { after: 'reopened and claimed by you', already: 'already open' };
    case 'tag':
      return { after: `tagged ‘${change.tag}’`, already: 'already tagged so' };
    case 'untag':
      return { after: `no longer tagged ‘${change.tag}’`, already: 'not tagged so' };
    case 'transfer':
      if (change.userId === null) return { after: 'given back to the queue', already: 'already there' };
      return { after: `assigned to ${change.name}`, already: 'already theirs' };
  }
}

function refusalsOf(results: readonly BulkResult[], chats: readonly Chat[]): string[] {
  const namesBy = new Map<string, string[]>();
  for (const result of results) {
    if (result.outcome !== 'refused') continue;
    const chat = chats.find(({ _id }) => _id === result.chatId);
    namesBy.set(result.message, [...(namesBy.get(result.message) ?? []), visitorName(chat?.visitorInfo.name)]);
  }
  return [...namesBy].map(([reason, names]) => `${listed(names)}: ${reason}`);
}

function listed(names: string[]): string {
  const more = names.length - NAMES_MAX;
  return more > 0 ? `${names.slice(0, NAMES_MAX).join(', ')} and ${more} more` : names.join(', ');
}

/** A sentence that says what failed where the server did not answer. */
export function failureOf({ action }: BulkChange): string {
  if (action === 'close') return 'The chats could not be closed.';
  if (action === 'reopen') return 'The chats could not be reopened.';
  return action === 'transfer' ? 'The chats could not be assigned.' : 'The tags could not be changed.';
}
