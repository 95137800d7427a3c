import { normalizeTag } from '#features/chats';
import { TAG_MAX_LENGTH } from '#features/chats/contract';
import { InvalidValue, isId, sentence, type TranslatableText } from '#platform/http';
import { storable } from '#platform/text';
import {
  RULE_ACTIONS_MAX,
  RULE_CHOICES_MAX,
  RULE_MINUTES_MAX,
  RULE_TEXT_MAX_LENGTH,
  type RuleAction,
  type RuleConditions,
} from './contract.ts';

const LANGUAGE = /^[a-z]{2,3}$/;
export const SCORE_MAX = 5;

type Given = Record<string, unknown>;
const isRecord = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The conditions of a rule as they are stored; unknown ones are left out. @throws InvalidValue */
export function toConditions(value: unknown): RuleConditions {
  if (!isRecord(value)) throw refused(sentence('conditions must be an object'));
  const { page, languages, departments, attribute, hours, words, score } = value;
  return {
    ...(page !== undefined && { page: toText('page', page) }),
    ...(languages !== undefined && { languages: toList('languages', languages, toLanguage) }),
    ...(departments !== undefined && { departments: toList('departments', departments, toDepartment) }),
    ...(attribute !== undefined && { attribute: toAttribute(attribute) }),
    ...(hours !== undefined && { hours: toHours(hours) }),
    ...(words !== undefined && { words: toList('words', words, (word) => toText('words', word)) }),
    ...(score !== undefined && { score: toWhole('score', score, SCORE_MAX) }),
  };
}

/** The actions of a rule as they are stored. @throws InvalidValue */
export function toActions(value: unknown): RuleAction[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > RULE_ACTIONS_MAX)
    throw refused(sentence('actions must be a list of 1 to {max} actions', { max: RULE_ACTIONS_MAX }));
  return value.map(toAction);
}

function toAction(value: unknown): RuleAction {
  const given = isRecord(value) ? value : {};
  switch (given.do) {
    case 'department':
      return { do: 'department', department: toId('department', given.department) };
    case 'tag':
      return { do: 'tag', tag: toTag(given.tag) };
    case 'assign':
      return { do: 'assign', member: toId('member', given.member) };
    case 'snooze':
      return { do: 'snooze', minutes: toWhole('minutes', given.minutes, RULE_MINUTES_MAX) };
    case 'mail':
      return { do: 'mail', members: toList('members', given.members, (id) => toId('members', id)) };
    case 'webhook':
      return { do: 'webhook', webhook: toId('webhook', given.webhook) };
    case 'reply':
      return { do: 'reply', reply: toId('reply', given.reply) };
    default:
      throw refused(sentence('an action must be one of department, tag, assign, snooze, mail, webhook, reply'));
  }
}

const refused = (reason: TranslatableText) => new InvalidValue(reason);

function toText(field: string, value: unknown): string {
  const text = typeof value === 'string' ? storable(value).trim() : '';
  if (text === '' || text.length > RULE_TEXT_MAX_LENGTH)
    throw refused(sentence('a text must have 1 to {max} characters: {field}', { field, max: RULE_TEXT_MAX_LENGTH }));
  return text;
}

function toList<Item>(field: string, value: unknown, convert: (item: unknown) => Item): Item[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > RULE_CHOICES_MAX)
    throw refused(sentence('a list must have 1 to {max} entries: {field}', { field, max: RULE_CHOICES_MAX }));
  return [...new Set(value.map(convert))];
}

function toId(field: string, value: unknown): string {
  if (!isId(value)) throw refused(sentence('{field} is not an id', { field }));
  return value.toLowerCase();
}

const toDepartment = (value: unknown) => (value === 'none' ? value : toId('departments', value));

function toLanguage(value: unknown): string {
  if (typeof value !== 'string' || !LANGUAGE.test(value))
    throw refused(sentence('languages must be primary tags such as de'));
  return value;
}

function toAttribute(value: unknown): { name: string; value: string } {
  const { name, value: wanted } = isRecord(value) ? value : {};
  return { name: toText('attribute', name), value: toText('attribute', wanted) };
}

function toHours(value: unknown): 'open' | 'closed' {
  if (value === 'open' || value === 'closed') return value;
  throw refused(sentence('{field} must be one of {allowed}', { field: 'hours', allowed: 'open, closed' }));
}

function toWhole(field: string, value: unknown, max: number): number {
  const whole = Number.isInteger(value) ? Number(value) : 0;
  if (whole < 1 || whole > max)
    throw refused(sentence('{field} must be a whole number from {min} to {max}', { field, min: 1, max }));
  return whole;
}

function toTag(value: unknown): string {
  const tag = typeof value === 'string' ? normalizeTag(storable(value)) : '';
  if (tag === '' || tag.length > TAG_MAX_LENGTH)
    throw refused(sentence('a text must have 1 to {max} characters: {field}', { field: 'tag', max: TAG_MAX_LENGTH }));
  return tag;
}
