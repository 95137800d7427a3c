import {
  FLOW_LABEL_MAX_LENGTH,
  FLOW_QUESTION_MAX_LENGTH,
  FLOW_URL_MAX_LENGTH,
  type FlowButton,
  type FlowTarget,
} from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { buttonsAfter, line } from './flowTree.ts';

/** What is wrong with a button, by field. */
export interface FlowProblem {
  label?: string;
  target?: string;
}

/** What is wrong with a button; null: nothing. In the server's own words. @param level the buttons beside it, with itself */
export function problemOf({ id, label, target }: FlowButton, level: readonly FlowButton[]): FlowProblem | null {
  const text = line(label);
  const isTwice = level.findIndex((each) => line(each.label) === text) < level.findIndex((each) => each.id === id);
  const wrong = targetProblem(target);
  const problem: FlowProblem = {
    ...(text === '' && { label: t('A button needs a text of up to {max} characters', { max: FLOW_LABEL_MAX_LENGTH }) }),
    ...(text !== '' && isTwice && { label: t('Two buttons beside each other have the same text') }),
    ...(wrong !== null && { target: wrong }),
  };
  return Object.keys(problem).length > 0 ? problem : null;
}

/** The first button of a tree that cannot be saved. */
export function wrongButton(buttons: readonly FlowButton[]): FlowButton | undefined {
  for (const button of buttons) {
    const wrong = problemOf(button, buttons) ? button : wrongButton(buttonsAfter(button));
    if (wrong) return wrong;
  }
  return undefined;
}

function targetProblem(target: FlowTarget): string | null {
  switch (target.kind) {
    case 'article':
      return target.article === '' ? t('Choose the article that a button opens') : null;
    case 'department':
      return target.department === '' ? t('Choose the department that a button leads to') : null;
    case 'link':
      return isAddress(target.url) ? null : addressProblem();
    case 'question':
      return questionProblem(target);
    default:
      return null;
  }
}

const addressProblem = () =>
  t('A link must be an address of up to {max} characters that begins with https:, http:, mailto: or tel:', {
    max: FLOW_URL_MAX_LENGTH,
  });

function questionProblem({ question, buttons }: FlowTarget & { kind: 'question' }): string | null {
  if (line(question) === '')
    return t('A question needs a text of up to {max} characters', { max: FLOW_QUESTION_MAX_LENGTH });
  return buttons.length === 0 ? t('A question needs at least one button') : null;
}

/** Whether visitors may be led to an address. */
export function isAddress(url: string): boolean {
  return /^(https?|mailto|tel):/i.test(url.trim()) && URL.canParse(url.trim());
}
