import type { ChatDoc } from '#features/chats';
import type { Attribute } from '#features/presence/contract';
import { departmentOf, isOpen, type RuleDoc, type SiteDoc } from '#features/sites';
import type { VisitorDoc } from '#features/visitors';
import { normalized } from '#platform/text';
import type { RuleConditions } from './contract.ts';

/** What conditions are compared with. */
export interface Facts {
  site: SiteDoc;
  chat: Pick<ChatDoc, 'department'>;
  visitor: Pick<VisitorDoc, 'page' | 'speaks' | 'attributes'> | null;
  /** When it happened, in milliseconds. */
  at: number;
  /** The visitor's message, as `folded` gives it; null: it is not about one. */
  words: string | null;
  /** The rating; null: it is not about one. */
  score: number | null;
}

/** A text for comparisons in whatever case and width. */
export const folded = (text: string) => normalized(text, 'NFKC').toLowerCase();

/** Each condition: whether it holds, or is not made. */
const TESTS: { [Name in keyof Required<RuleConditions>]: (wanted: RuleConditions, facts: Facts) => boolean } = {
  page: ({ page }, { visitor }) => page === undefined || folded(visitor?.page?.url ?? '').includes(folded(page)),
  languages: ({ languages }, { visitor }) => !languages || languages.includes(primaryTag(visitor?.speaks ?? '')),
  departments: ({ departments }, { site, chat }) =>
    !departments || departments.includes(departmentOf(site, chat.department)?._id.toHexString() ?? 'none'),
  attribute: ({ attribute }, { visitor }) =>
    !attribute || (visitor?.attributes ?? []).some((each) => isSame(each, attribute)),
  hours: ({ hours }, { site, at }) => !hours || isOpen(site.settings.hours, at) === (hours === 'open'),
  words: ({ words }, { words: text }) => !words || (text !== null && words.some((word) => text.includes(folded(word)))),
  score: ({ score: most }, { score }) => most === undefined || (score !== null && score <= most),
};

const isSame = (one: Attribute, { name, value }: { name: string; value: string }) =>
  one.name === name && folded(String(one.value)) === folded(value);
const primaryTag = (language: string) => language.split(/[-_]/, 1)[0]?.toLowerCase() ?? '';

/** Whether all conditions of a rule hold. */
export function conditionsHold({ conditions }: Pick<RuleDoc, 'conditions'>, facts: Facts): boolean {
  return Object.values(TESTS).every((holds) => holds(conditions, facts));
}
