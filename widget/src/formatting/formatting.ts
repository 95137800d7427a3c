import { formattingOf, type Message, type Run } from 'server/contract';
import type { PartContext } from '../chat/context.ts';
import css from './formatting.css';

const LOOKS = ['code', 'em', 'strong'] as const;
/** The chat that has the style sheet. */
let styled: PartContext | undefined;

/** The light formatting of an agent's message, as elements. */
export function formatted(context: PartContext, { content }: Message): Node[] {
  const { addStyles, el } = context.host.dom;
  if (styled !== context) addStyles(context.host.root, css);
  styled = context;

  const draw = (run: Run) => {
    let node: Node | string = run.text;
    for (const look of LOOKS) if (run[look]) node = el(look, '', {}, node);
    return run.href ? el('a', '', { href: run.href, target: '_blank', rel: 'noopener nofollow' }, node) : node;
  };

  return formattingOf(content).map(({ tag, items }) =>
    el(
      tag,
      '',
      { dir: 'auto' },
      ...items.flatMap(({ value, runs }) => {
        const nodes = runs.map(draw);
        return tag[1] === 'l' ? el('li', '', { ...(value && { value }) }, ...nodes) : nodes;
      }),
    ),
  );
}
