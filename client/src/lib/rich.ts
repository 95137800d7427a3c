import { createElement, Fragment, type ReactNode } from 'react';
import { fill, isolated, template, type Values } from './i18n.ts';

/** What stands in a placeholder, or draws what is between tags. */
type Part = ReactNode | ((inside: string) => ReactNode);

/**
 * A text with elements inside: `rich('Read the <a>docs</a>, {name}', { a: (text) => <a href="…">{text}</a>, name: <b>…</b> })`.
 * Tags are not nested.
 */
export function rich(text: string, parts: Record<string, Part>): ReactNode {
  const values = Object.fromEntries(
    Object.entries(parts).filter(([, part]) => typeof part === 'string' || typeof part === 'number'),
  ) as Values;
  // Of each split come the text before, then tag and content, or the name of a placeholder.
  const pieces = template(text).split(/<(\w+)>([^<]*)<\/\w+>|\{(\w+)\}/);
  const nodes: ReactNode[] = [];
  for (let at = 0; at < pieces.length; at += 4) {
    const [before = '', tag, inside = '', name] = pieces.slice(at, at + 4);
    nodes.push(before);
    const part = parts[tag ?? name ?? ''];
    if (typeof part === 'function') nodes.push(part(fill(inside, values)));
    else nodes.push(typeof part === 'string' ? isolated(part) : part);
  }
  return createElement(Fragment, null, ...nodes);
}
