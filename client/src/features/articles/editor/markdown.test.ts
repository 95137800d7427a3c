import { expect, it } from 'vitest';
import { code, type Edit, link, nextLine, note, prefixed, type Selected, table, wrapped } from './markdown.ts';

/** A text whose selection stands between bars; one bar is the caret. */
function selected(marked: string): Selected {
  const start = marked.indexOf('|');
  const end = marked.lastIndexOf('|');
  const value = marked.replaceAll('|', '');
  return { value, start, end: end === start ? start : end - 1 };
}

function done({ value }: Selected, edit: Edit | null): string | null {
  if (!edit) return null;
  const after = value.slice(0, edit.from) + edit.text + value.slice(edit.to);
  const [from, to] = edit.select;
  return from === to
    ? `${after.slice(0, from)}|${after.slice(from)}`
    : `${after.slice(0, from)}|${after.slice(from, to)}|${after.slice(to)}`;
}

const check = (marked: string, edit: (text: Selected) => Edit | null) => done(selected(marked), edit(selected(marked)));

it('puts marks around words, and takes them away', () => {
  expect(check('a |b| c', (text) => wrapped(text, '**'))).toBe('a **|b|** c');
  expect(check('a **|b|** c', (text) => wrapped(text, '**'))).toBe('a |b| c');
  expect(check('a |', (text) => wrapped(text, '*'))).toBe('a *|*');
  expect(check('|b|', code)).toBe('`|b|`');
  expect(check('x|b\nc|', code)).toBe('x\n\n```\n|b\nc|\n```\n\n');
});

it('makes lines a list, a numbered list or a heading, and plain again', () => {
  const list = (text: Selected) => prefixed(text, () => '- ');
  expect(check('a\n|b\nc|', list)).toBe('a\n|- b\n- c|');
  expect(check('a\n|- b\n- c|', list)).toBe('a\n|b\nc|');
  expect(check('|- b\n- c|', (text) => prefixed(text, (line) => `${line + 1}. `))).toBe('|1. b\n2. c|');
  expect(check('a|b', (text) => prefixed(text, () => '## '))).toBe('## ab|');
});

it('makes links of words and of addresses', () => {
  expect(check('see |this|.', (text) => link(text, 'words'))).toBe('see [this](|https://|).');
  expect(check('|https://oak.example|', (text) => link(text, 'words'))).toBe('[|words|](https://oak.example)');
  expect(check('|', (text) => link(text, 'words'))).toBe('[|words|](https://)');
});

it('puts tables and notes on lines of their own', () => {
  expect(check('a|', (text) => table(text, ['A', 'B']))).toBe('a\n\n| |A| | B |\n| --- | --- |\n|  |  |\n\n');
  expect(check('|mind|', (text) => note(text, 'Note'))).toBe('> **Note:** |mind|\n\n');
});

it('goes on with a list by Enter, and ends it in an empty line', () => {
  expect(check('- a|', nextLine)).toBe('- a\n- |');
  expect(check('  9. a|', nextLine)).toBe('  9. a\n  10. |');
  expect(check('- a\n- |', nextLine)).toBe('- a\n|');
  expect(check('plain|', nextLine)).toBeNull();
});
