import type { KeyboardEvent } from 'react';
import type { Editor } from './editor.ts';

/** What the toolbar and the keys do to the selected text. */
export type Format = 'bold' | 'italic' | 'list' | 'code' | 'link';

const MARKS = { bold: '**', italic: '*', code: '`' };
const FENCE = '```';
const ADDRESS = 'https://';

/** A text that takes the place of a part of the draft, and what of it is selected then. */
interface Edit {
  from: number;
  to: number;
  text: string;
  select: [from: number, to: number];
}

/** Formats the selection, or takes the same formatting away again. The browser's own undo takes it back. */
export function applyFormat(area: HTMLTextAreaElement, format: Format, insert: Editor['insert']): void {
  const { from, to, text, select } = editOf(area.value, trimmed(area), format);
  area.focus();
  area.setSelectionRange(from, to);
  // Deprecated, but the only way to change a field that undo knows; the browser tells of it as of typing.
  if (!document.execCommand?.('insertText', false, text)) insert(text);
  area.setSelectionRange(from + select[0], from + select[1]);
}

/** The key of a format: Ctrl or ⌘ with B, I, or Shift and 8; null: it is none. Ctrl+K searches. */
export function formatOf({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): Format | null {
  if (ctrlKey === metaKey || altKey) return null;
  if (shiftKey) return code === 'Digit8' ? 'list' : null;
  return ({ b: 'bold', i: 'italic' } as const)[key.toLowerCase()] ?? null;
}

/** The selection without the blanks at its ends: a mark beside a blank would be none. */
function trimmed({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): [from: number, to: number] {
  const selected = value.slice(selectionStart, selectionEnd);
  if (selected.trim() === '') return [selectionStart, selectionEnd];
  return [selectionEnd - selected.trimStart().length, selectionStart + selected.trimEnd().length];
}

function editOf(draft: string, [from, to]: [from: number, to: number], format: Format): Edit {
  const selected = draft.slice(from, to);
  if (format === 'list') return listed(draft, from, to);
  if (format === 'link') return linked(selected, from, to);
  const isLong = selected.includes('\n');
  if (format === 'code' && isLong) return around(draft, [from, to], `${FENCE}\n`, `\n${FENCE}`);
  // Each line has its own marks.
  if (isLong) return replaced(from, to, selected.replace(/^(?=.*\S)(.*)$/gm, `${MARKS[format]}$1${MARKS[format]}`));
  return around(draft, [from, to], MARKS[format], MARKS[format]);
}

/** Puts marks around the selection, or removes those that are there. */
function around(draft: string, [from, to]: [from: number, to: number], before: string, after: string): Edit {
  const selected = draft.slice(from, to);
  const outer = draft.slice(0, from);
  // Two stars are bold, three are both.
  const isOther = before === '*' && outer.endsWith('**') && !outer.endsWith('***');
  const isMarked = outer.endsWith(before) && draft.startsWith(after, to) && !isOther;
  if (isMarked)
    return { from: from - before.length, to: to + after.length, text: selected, select: [0, selected.length] };
  const text = before + selected + after;
  return { from, to, text, select: [before.length, before.length + selected.length] };
}

/** Makes the lines of the selection those of a list, or again what they were. */
function listed(draft: string, start: number, end: number): Edit {
  const from = draft.lastIndexOf('\n', start - 1) + 1;
  const next = draft.indexOf('\n', end);
  const to = next < 0 ? draft.length : next;
  const lines = draft.slice(from, to).split('\n');
  const isList = lines.every((line) => line.startsWith('- '));
  const text = lines.map((line) => (isList ? line.slice(2) : line.trim() || lines.length === 1 ? `- ${line}` : line));
  const { select, ...edit } = replaced(from, to, text.join('\n'));
  return { ...edit, select: start === end ? [select[1], select[1]] : select };
}

/** A link whose address, or whose name where an address was selected, is to be typed next. */
function linked(selected: string, from: number, to: number): Edit {
  if (/^(https?:\/\/|mailto:)\S+$/i.test(selected)) {
    const address = selected.replaceAll('(', '%28').replaceAll(')', '%29');
    return { from, to, text: `[](${address})`, select: [1, 1] };
  }
  const at = selected.length + '[]('.length;
  return { from, to, text: `[${selected}](${ADDRESS})`, select: selected ? [at, at + ADDRESS.length] : [1, 1] };
}

const replaced = (from: number, to: number, text: string): Edit => ({ from, to, text, select: [0, text.length] });
