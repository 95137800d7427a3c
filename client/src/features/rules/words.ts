import type { Rule, RuleAction, RuleBody, RuleConditions, RuleEvent, RuleOutcome } from 'server/contract';
import { languageName } from '#features/articles';
import { formatDuration } from '../../lib/format.ts';
import { isolated, listed, localeTag, msg, plural, t } from '../../lib/i18n.ts';
import { namesIn, type Targets } from './targets.ts';

/** What the form of a rule has. */
export type RuleValues = Required<RuleBody>;

/** What rules can wait for, in the order of the form. */
export const EVENTS: Record<RuleEvent, string> = {
  opened: msg('A visitor begins a chat'),
  message: msg('A visitor writes a message'),
  unanswered: msg('A visitor has had no answer for some time'),
  closed: msg('A chat is closed'),
  rated: msg('A visitor rates a chat'),
};

/** What a rule waits for, in words. */
export function eventWords({ event, minutes }: Pick<Rule, 'event' | 'minutes'>): string {
  if (event !== 'unanswered' || minutes === null) return t(EVENTS[event]);
  return t('A visitor has had no answer for {time}', { time: formatDuration(minutes) });
}

export type ConditionName = keyof RuleConditions;

/** The conditions by name, in the order of the form. */
export const CONDITIONS: Record<ConditionName, string> = {
  words: msg('Words of the message'),
  score: msg('Rating'),
  page: msg('Page'),
  languages: msg('Language'),
  departments: msg('Department'),
  attribute: msg('Attribute of the visitor'),
  hours: msg('Office hours'),
};
const CONDITION_NAMES = Object.keys(CONDITIONS) as ConditionName[];

/** The conditions that rules of an event can have. */
export function conditionsFor(event: RuleEvent): ConditionName[] {
  const isOfMessage = event !== 'closed' && event !== 'rated';
  return CONDITION_NAMES.filter((name) => (name !== 'words' || isOfMessage) && (name !== 'score' || event === 'rated'));
}

/** 'No department' among the departments of a condition. */
export const NO_DEPARTMENT = 'none';

/** The conditions of a rule, each in words. */
export function conditionWords(conditions: RuleConditions, { departments }: Targets): string[] {
  const { page, languages, departments: wanted, attribute, hours, words, score } = conditions;
  const named = wanted && namesIn([{ id: NO_DEPARTMENT, name: t('No department') }, ...departments], wanted);
  return [
    words && t('the message contains {words}', { words: quoted(words) }),
    score !== undefined && scoreWords(score),
    page !== undefined && t('the page’s address contains {text}', { text: page }),
    languages && t('the language is {languages}', { languages: anyOf(languages.map(languageName)) }),
    named && t('the department is {departments}', { departments: anyOf(named) }),
    attribute && t('{attribute} is {value}', { attribute: attribute.name, value: attribute.value }),
    hours && t(hours === 'open' ? 'it is within the office hours' : 'it is outside the office hours'),
  ].filter((each) => typeof each === 'string');
}

/** The worst ratings, up to this one. */
export function scoreWords(score: number): string {
  return plural(score, 'the rating is {count} star', 'the rating is {count} stars or fewer');
}

const quoted = (words: readonly string[]) => anyOf(words.map((word) => t('“{text}”', { text: word })));

/** 'a, b or c'. */
function anyOf(names: readonly string[]): string {
  return new Intl.ListFormat(localeTag(), { type: 'disjunction' }).format(names.map((name) => isolated(name) ?? name));
}

export type ActionName = RuleAction['do'];

/** The actions by name, in the order of the form. */
export const ACTIONS: Record<ActionName, string> = {
  department: msg('Put it into a department'),
  assign: msg('Give it to a member'),
  tag: msg('Add a tag'),
  reply: msg('Send a canned reply'),
  mail: msg('Send a mail to members'),
  snooze: msg('Snooze it'),
  webhook: msg('Tell a webhook'),
};
export const ACTION_NAMES = Object.keys(ACTIONS) as ActionName[];

/** An action in words. */
export function actionWords(action: RuleAction, targets: Targets): string {
  const named = (kind: 'departments' | 'members' | 'webhooks' | 'replies', ids: string[]) =>
    listed(namesIn(targets[kind], ids));
  switch (action.do) {
    case 'department':
      return t('put it into {department}', { department: named('departments', [action.department]) });
    case 'assign':
      return t('give it to {name}', { name: named('members', [action.member]) });
    case 'tag':
      return t('add the tag {tag}', { tag: action.tag });
    case 'reply':
      return t('send the canned reply {reply}', { reply: named('replies', [action.reply]) });
    case 'mail':
      return t('send a mail to {names}', { names: named('members', action.members) });
    case 'snooze':
      return t('snooze it for {time}', { time: formatDuration(action.minutes) });
    case 'webhook':
      return t('tell {webhook}', { webhook: named('webhooks', [action.webhook]) });
  }
}

/** What became of an action. */
export const OUTCOMES: Record<RuleOutcome, [label: string, tone: 'success' | 'waiting' | 'closed']> = {
  done: [msg('Done'), 'success'],
  unchanged: [msg('Was so already'), 'closed'],
  missing: [msg('Does not exist any more'), 'waiting'],
  refused: [msg('Was not possible'), 'waiting'],
  failed: [msg('Failed'), 'waiting'],
};

/** Choices of minutes, with the present one: programs may set any number. */
export function durations(choices: readonly number[], now: number | null) {
  const minutes = [...new Set([...choices, ...(now === null ? [] : [now])])].sort((a, b) => a - b);
  return minutes.map((each) => ({ value: String(each), label: formatDuration(each) }));
}
