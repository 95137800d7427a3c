import { uuid } from 'browser/uuid';
import { GREETING_DELAY_MAX_S, type Greeting } from 'server/contract';
import { t } from '../../../lib/i18n.ts';

/** What a new greeting starts with. */
export function newGreeting(): Greeting {
  const rules = { page: '', after: 10, visits: 'all', whileOnline: false, oncePerVisitor: true } as const;
  return { id: uuid(), text: '', enabled: true, ...rules };
}

/** The list with one greeting a place further up (-1) or down (1). */
export function moved(greetings: readonly Greeting[], id: string, step: -1 | 1): Greeting[] {
  const from = greetings.findIndex((greeting) => greeting.id === id);
  const greeting = greetings[from];
  const others = greetings.filter((each) => each.id !== id);
  return greeting ? others.toSpliced(from + step, 0, greeting) : others;
}

/** What is wrong with a greeting, by field; empty: nothing. */
export function greetingProblems({ text, after }: Greeting): { text?: string; after?: string } {
  const fits = Number.isInteger(after) && after >= 0 && after <= GREETING_DELAY_MAX_S;
  return {
    ...(text.trim() === '' && { text: t('Enter what the greeting says') }),
    ...(!fits && { after: t('Enter a whole number from 0 to {max}', { max: GREETING_DELAY_MAX_S }) }),
  };
}

/** The first greeting that cannot be saved. */
export function wrongGreeting(greetings: readonly Greeting[]): Greeting | undefined {
  return greetings.find((greeting) => Object.keys(greetingProblems(greeting)).length > 0);
}

/** When a greeting shows, in words. */
export function rulesText({ page, after, visits, whileOnline, oncePerVisitor }: Greeting): string {
  return [
    page.trim() === '' ? t('Every page') : t('Pages with “{part}”', { part: page.trim() }),
    Number(after) > 0 ? t('after {seconds} s', { seconds: after }) : t('at once'),
    { all: '', first: t('first visits'), returning: t('returning visitors') }[visits],
    whileOnline && t('while online'),
    oncePerVisitor ? t('once per visitor') : t('once per visit'),
  ]
    .filter(Boolean)
    .join(' · ');
}
