import { uuid } from 'browser/uuid';
import { allButtons, FLOW_BUTTONS_MAX, FLOW_TOTAL_MAX, type FlowButton, type FlowTarget } from 'server/contract';
import { msg, t } from '../../../lib/i18n.ts';

/** A button that somebody has just added. */
export function newButton(label = '', target: FlowTarget = { kind: 'chat' }): FlowButton {
  return { id: uuid(), label, target };
}

/** Something to begin with, in the owner's language. */
export function exampleButtons(): FlowButton[] {
  const answers = [msg('Less than a week ago'), msg('Longer ago')].map((answer) => newButton(t(answer)));
  return [
    newButton(t('Where is my order?'), { kind: 'question', question: t('When did you order?'), buttons: answers }),
    newButton(t('Opening hours')),
    newButton(t('Talk to us')),
  ];
}

/** The buttons that follow a button; none, unless it leads to a question. */
export function buttonsAfter({ target }: FlowButton): FlowButton[] {
  return target.kind === 'question' ? target.buttons : [];
}

/** The tree with another button in place of the one with its id. */
export function replaced(buttons: readonly FlowButton[], button: FlowButton): FlowButton[] {
  return inLevelOf(buttons, button.id, (level, at) => level.with(at, button));
}

/** The tree without a button, and without those that follow it. */
export function removed(buttons: readonly FlowButton[], id: string): FlowButton[] {
  return inLevelOf(buttons, id, (level, at) => level.toSpliced(at, 1));
}

/** The tree with a button a place further up (-1) or down (1) on its level. */
export function moved(buttons: readonly FlowButton[], id: string, step: -1 | 1): FlowButton[] {
  return inLevelOf(buttons, id, (level, at) => {
    const button = level[at];
    const isInside = at + step >= 0 && at + step < level.length;
    return button && isInside ? level.toSpliced(at, 1).toSpliced(at + step, 0, button) : [...level];
  });
}

/** The tree with one more button at the end of a level. @param parent whose question it answers; null: it is one of the first */
export function added(buttons: readonly FlowButton[], parent: string | null, button: FlowButton): FlowButton[] {
  if (parent === null) return [...buttons, button];
  return inLevelOf(buttons, parent, (level, at) =>
    level.map((each, place) => (place === at ? withNext(each, (next) => [...next, button]) : each)),
  );
}

/** Where a button stands: its level, its place from 0, and the button before that level. */
export function placeOf(
  buttons: readonly FlowButton[],
  id: string,
  parent: string | null = null,
): { level: readonly FlowButton[]; at: number; parent: string | null } | undefined {
  const at = buttons.findIndex((button) => button.id === id);
  if (at >= 0) return { level: buttons, at, parent };
  for (const button of buttons) {
    const place = placeOf(buttonsAfter(button), id, button.id);
    if (place) return place;
  }
  return undefined;
}

/** Why a level cannot have one more button; null: it can. */
export function fullText(level: readonly FlowButton[], total: number): string | null {
  if (level.length >= FLOW_BUTTONS_MAX)
    return t('There can be up to {max} buttons at a time', { max: FLOW_BUTTONS_MAX });
  return total >= FLOW_TOTAL_MAX ? t('A website can have up to {max} buttons in all', { max: FLOW_TOTAL_MAX }) : null;
}

/** As they are sent. */
export function tidyButtons(buttons: readonly FlowButton[]): FlowButton[] {
  return buttons.map((button) => ({ ...button, label: line(button.label), target: tidyTarget(button.target) }));
}

function tidyTarget(target: FlowTarget): FlowTarget {
  if (target.kind === 'link') return { ...target, url: target.url.trim() };
  if (target.kind !== 'question') return target;
  return { ...target, question: line(target.question), buttons: tidyButtons(target.buttons) };
}

/** A text as the server keeps it: in one line. */
export function line(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** How many buttons a tree has, over all levels. */
export const countOf = (buttons: readonly FlowButton[]): number => allButtons(buttons).length;

function inLevelOf(
  buttons: readonly FlowButton[],
  id: string,
  change: (level: readonly FlowButton[], at: number) => FlowButton[],
): FlowButton[] {
  const at = buttons.findIndex((button) => button.id === id);
  if (at >= 0) return change(buttons, at);
  return buttons.map((button) => withNext(button, (next) => inLevelOf(next, id, change)));
}

function withNext(button: FlowButton, change: (next: FlowButton[]) => FlowButton[]): FlowButton {
  const { target } = button;
  return target.kind === 'question' ? { ...button, target: { ...target, buttons: change(target.buttons) } } : button;
}
