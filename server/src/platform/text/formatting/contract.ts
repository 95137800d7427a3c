/** A stretch of text in one look. The names of its looks are those of the HTML elements that show them. */
export interface Run {
  text: string;
  strong?: true;
  em?: true;
  code?: true;
  /** Where it leads: an address with http, https or mailto. */
  href?: string;
}

/** The content of a paragraph, of a line of a list, or of a block of code. */
export interface Item {
  /** The number of a line in a numbered list, as typed. */
  value?: string | undefined;
  runs: Run[];
}

/** A paragraph, a list or a block of code, named by its HTML element. Only lists have more than one item. */
export interface Block {
  tag: 'p' | 'ul' | 'ol' | 'pre';
  items: Item[];
}

/** A line that begins or ends code, with the line breaks around it. */
const FENCE = /\r?\n?^ *```\w*\s*$\n?/m;
/** What makes a line one of a list. */
const MARKER = /^\s*(?:-|(\d+)\.)\s+/;
/** What may be marked within a line: code, an address, maybe with a name, or the beginning or end of bold and italic text. */
const MARK =
  /(`{1,3})([^`]+)\1|(?:\[([^[\]]+)\]\()?((?:https?:\/\/|mailto:)[^\s\p{Cf}()\\*`]*[^\s\p{Cf}()\\*`.,;:!?'"\]}](?:\([^\s()]*\))?)|\*\*?|_(?!_)/giu;

/**
 * Reads the light formatting of an agent's message: `**bold**`, `*italic*` or `_italic_`, lines that begin with `- ` or `1. `,
 * `` `code` ``, lines of code between ``` fences, and `[name](https://…)`. Takes linear time and reads every text; what is not
 * formatting stays as typed. Pictures, headings and HTML are not formatting.
 */
export function formattingOf(source: string): Block[] {
  // Every second part is code.
  const parts = source.split(FENCE);
  return parts.flatMap((text, at): Block[] =>
    at % 2 === 0 ? linesOf(text) : [{ tag: 'pre', items: [{ runs: [{ text, code: true }] }] }],
  );
}

function linesOf(text: string): Block[] {
  const blocks: Block[] = [];
  let block: Block | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [marker = '', value] = MARKER.exec(line) ?? [];
    const tag = value ? 'ol' : marker ? 'ul' : 'p';
    const item = { value, runs: runsOf(line.slice(marker.length)) };
    if (!line.trim()) block = undefined;
    else if (block?.tag !== tag) {
      block = { tag, items: [item] };
      blocks.push(block);
    } else if (marker) block.items.push(item);
    else block.items[0]?.runs.push({ text: '\n' }, ...item.runs);
  }
  return blocks;
}

/** The stretches of one line. A mark that begins nothing, or that nothing ends, stays in the text. */
function runsOf(line: string): Run[] {
  const runs: Run[] = [];
  /** Of each mark that may still be ended, the number of the stretch after it. */
  const open: Record<string, number | undefined> = {};
  const padded = ` ${line} `;
  let end = 0;
  for (const { 0: mark, 2: code, 3: name, 4: href, index } of line.matchAll(MARK)) {
    const next = index + mark.length;
    const before = padded[index];
    const after = padded[next + 1];
    // Within a word only `**` counts: `snake_case` and `2*3*4` have no marks.
    const edge = mark[1] ? /.\S/ : /\W\S/;
    const from = open[mark];
    const isEnd = from && (runs.length > from || index > end) && edge.test(`${after}${before}`);
    if (!(code || href || isEnd || edge.test(`${before}${after}`))) continue;
    const isNamed = name && after === ')';
    runs.push({ text: line.slice(end, href && !isNamed ? next - href.length : index) });
    end = isNamed ? next + 1 : next;
    if (code) runs.push({ text: code, code: true });
    else if (href) runs.push({ text: isNamed ? name + hiddenAddress(name, href) : href, href });
    else if (isEnd) {
      for (const run of runs.slice(from)) run[mark[1] ? 'strong' : 'em'] = true;
      (runs[from - 1] as Run).text = '';
      open[mark] = undefined;
    } else open[mark] = runs.push({ text: mark });
  }
  return [...runs, { text: line.slice(end) }].filter(({ text }) => text);
}

/** The address of a link whose name looks like another one, in brackets: nobody is led elsewhere than it says. */
function hiddenAddress(name: string, href: string): string {
  return /\S\.\S|@/.test(name) && !/^(https?:\/\/|mailto:)?(\/|$)/.test(href.replace(name, '')) ? ` (${href})` : '';
}

/** Whether a text has any formatting. */
export function isFormatted(source: string): boolean {
  const isMarked = ({ text, strong, em, code, href }: Run) => text && (strong || em || code || (href && href !== text));
  return formattingOf(source).some(({ tag, items }) => tag[1] === 'l' || items[0]?.runs.some(isMarked));
}

/** The text without its formatting, for places that show plain text. @param addresses whether the addresses of links follow their names */
export function withoutFormatting(source: string, addresses = false): string {
  const textOf = ({ text, href = '' }: Run) => (addresses && !text.includes(href) ? `${text} (${href})` : text);
  const blocks = formattingOf(source).map(({ tag, items }) =>
    items.map(({ value, runs }) => {
      const marker = value ? `${value}. ` : tag === 'ul' ? '• ' : '';
      return marker + runs.map(textOf).join('');
    }),
  );
  return blocks.map((lines) => lines.join('\n')).join('\n\n');
}
