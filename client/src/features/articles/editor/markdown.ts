/** A change of a text: the range to replace, the replacement, and the selection afterwards. */
export interface Edit {
  from: number;
  to: number;
  text: string;
  select: [number, number];
}

/** A text and what is selected in it. */
export interface Selected {
  value: string;
  start: number;
  end: number;
}

const LIST_LINE = /^([ \t]*)([-*]|\d{1,9}\.)[ \t]/;

/** Puts a mark around the selection, or takes it away. */
export function wrapped({ value, start, end }: Selected, mark: string): Edit {
  const inner = value.slice(start, end);
  const length = mark.length;
  if (value.slice(start - length, start) === mark && value.slice(end, end + length) === mark)
    return { from: start - length, to: end + length, text: inner, select: [start - length, end - length] };
  return { from: start, to: end, text: mark + inner + mark, select: [start + length, end + length] };
}

/** Marks a piece of a line as code, or several lines as a block. */
export function code(selected: Selected): Edit {
  const { value, start, end } = selected;
  const inner = value.slice(start, end);
  return inner.includes('\n') ? block(selected, `\`\`\`\n${inner}\n\`\`\``, 4, inner.length) : wrapped(selected, '`');
}

/** Begins each line of the selection with a mark, or takes it away where all have it. @param markOf by the number of the line */
export function prefixed({ value, start, end }: Selected, markOf: (line: number) => string): Edit {
  const from = value.lastIndexOf('\n', start - 1) + 1;
  const next = value.indexOf('\n', end);
  const to = next < 0 ? value.length : next;
  const lines = value.slice(from, to).split('\n');
  const has = lines.every((line, at) => line.startsWith(markOf(at)));
  const text = lines
    .map((line, at) =>
      has ? line.slice(markOf(at).length) : markOf(at) + line.replace(/^(#{1,6}|>|-|\d{1,9}\.) /, ''),
    )
    .join('\n');
  const caret = from + text.length;
  return { from, to, text, select: lines.length > 1 ? [from, caret] : [caret, caret] };
}

/** A link with the selection as its words; an address that is selected becomes the link's. */
export function link({ value, start, end }: Selected, words: string): Edit {
  const inner = value.slice(start, end);
  const isAddress = /^https?:\/\/\S+$/.test(inner);
  const label = isAddress || inner === '' ? words : inner;
  const url = isAddress ? inner : 'https://';
  const at = start + 1;
  const urlAt = at + label.length + 2;
  return {
    from: start,
    to: end,
    text: `[${label}](${url})`,
    select: isAddress || inner === '' ? [at, at + label.length] : [urlAt, urlAt + url.length],
  };
}

/** A table with two columns. @param head the names of the columns */
export function table(selected: Selected, head: [string, string]): Edit {
  const text = `| ${head.join(' | ')} |\n| --- | --- |\n|  |  |`;
  return block(selected, text, 2, head[0].length);
}

/** A note, which stands out of the text. @param label its first word */
export function note(selected: Selected, label: string): Edit {
  const inner = selected.value.slice(selected.start, selected.end).replaceAll('\n', '\n> ');
  const head = `> **${label}:** `;
  return block(selected, head + inner, head.length, inner.length);
}

/** Something on lines of its own, with an empty line before and behind it. */
function block({ value, start, end }: Selected, text: string, at: number, length: number): Edit {
  const before = value.slice(0, start);
  const lead = before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  const trail = value.slice(end).startsWith('\n\n') ? '' : value.slice(end).startsWith('\n') ? '\n' : '\n\n';
  const from = start + lead.length + at;
  return { from: start, to: end, text: lead + text + trail, select: [from, from + length] };
}

/** Enter in a list begins its next line, and in an empty one ends the list. @returns null: Enter does what it does elsewhere */
export function nextLine({ value, start, end }: Selected): Edit | null {
  if (start !== end) return null;
  const from = value.lastIndexOf('\n', start - 1) + 1;
  const line = value.slice(from, start);
  const [mark, indent = '', sign = ''] = LIST_LINE.exec(line) ?? [];
  if (mark === undefined) return null;
  if (line.trim() === mark.trim()) return { from, to: start, text: '', select: [from, from] };
  const next = /\d/.test(sign) ? `${Number.parseInt(sign, 10) + 1}.` : sign;
  const text = `\n${indent}${next} `;
  return { from: start, to: start, text, select: [start + text.length, start + text.length] };
}

/** Makes a change in a field, so that the browser can undo it where it knows how. */
export function applyEdit(field: HTMLTextAreaElement, { from, to, text, select }: Edit): void {
  field.focus();
  field.setSelectionRange(from, to);
  const command = text === '' ? 'delete' : 'insertText';
  if (from !== to || text !== '') {
    const isDone = typeof document.execCommand === 'function' && document.execCommand(command, false, text);
    if (!isDone) replaceIn(field, from, to, text);
  }
  field.setSelectionRange(...select);
}

/** Makes a change in a field anywhere; the caret stays at its words. */
export function replaceIn(field: HTMLTextAreaElement, from: number, to: number, text: string): void {
  const { selectionStart, selectionEnd } = field;
  const moved = (at: number) => (at >= to ? at + text.length - (to - from) : Math.min(at, from + text.length));
  field.setRangeText(text, from, to);
  field.setSelectionRange(moved(selectionStart), moved(selectionEnd));
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
