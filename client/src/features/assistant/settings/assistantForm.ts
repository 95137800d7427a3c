import type { AssistantPatch, AssistantSettings, AssistantStep, AssistantTimes } from 'server/contract';
import { msg } from '../../../lib/i18n.ts';

/** What the settings edit; the tokens as they are typed. */
export type AssistantValues = Omit<AssistantSettings, 'tokensPerDay'> & { tokensPerDay: string };

type Field = Exclude<keyof AssistantValues, 'rev'>;

export const LABELS = {
  step: msg('How far it goes'),
  when: msg('When it answers'),
  name: msg('Its name'),
  categories: msg('Articles that it answers with'),
  languages: msg('Languages in which it answers'),
  tokensPerDay: msg('Tokens a day'),
} as const satisfies Record<Field, string>;

export const FIELDS = Object.keys(LABELS) as Field[];

/** The steps that a site may stop at, with what each does and costs. */
export const STEPS: readonly { value: AssistantStep; label: string; hint: string; cost: string }[] = [
  {
    value: 'links',
    label: msg('Links'),
    hint: msg('Visitors see fitting articles while they write. Nobody but people answers.'),
    cost: msg('Needs no model, and sends nothing anywhere.'),
  },
  {
    value: 'suggest',
    label: msg('Suggestions'),
    hint: msg(
      'Agents also see canned replies, articles and past answers that fit, and choose. Nothing is sent by itself.',
    ),
    cost: msg('Needs no model. With one, agents can have drafts, which cost tokens.'),
  },
  {
    value: 'answer',
    label: msg('Answers'),
    hint: msg(
      'An assistant answers visitors from your published articles, names them, and hands over to a person when it is not sure.',
    ),
    cost: msg('Needs a model. Each answer costs tokens.'),
  },
];

export const TIMES: readonly { value: AssistantTimes; label: string; hint: string }[] = [
  { value: 'always', label: msg('Always'), hint: msg('It answers first; a person takes over at any time.') },
  {
    value: 'offline',
    label: msg('Only while nobody is online'),
    hint: msg('In chats that begin while no agent is online.'),
  },
];

export function assistantDraftKey(userId: string, siteId: string): string {
  return `${userId}:assistant:${siteId}`;
}

/** The form of the settings as the server has them. */
export function valuesOf({
  step,
  when,
  name,
  categories,
  languages,
  tokensPerDay,
  rev,
}: AssistantSettings): AssistantValues {
  return { step, when, name, categories, languages, tokensPerDay: tokensPerDay > 0 ? String(tokensPerDay) : '', rev };
}

/** What the form sends of the changed fields. */
export function patchOf(values: AssistantValues, { rev }: AssistantValues, changed: readonly string[]): AssistantPatch {
  const body = { ...values, name: values.name.trim(), tokensPerDay: Number(values.tokensPerDay || 0) };
  return { ...Object.fromEntries(Object.entries(body).filter(([name]) => changed.includes(name))), rev };
}
