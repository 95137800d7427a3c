import { Parser } from 'htmlparser2';

/** Elements that begin a line of their own. */
const BLOCKS = ['p', 'div', 'ul', 'ol', 'li', 'blockquote', 'pre', 'table', 'tr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
/** Before and after them stands an empty line. */
const PARAGRAPHS = ['p', 'ul', 'ol', 'blockquote', 'pre', 'table'];
const HIDDEN = ['script', 'style', 'title'];

/** What mail programs put around quotes besides `blockquote`, and around the line before them ('… wrote:'). */
const QUOTE_CLASSES = /\b(?:gmail_attr|moz-cite-prefix|yahoo_quoted|protonmail_quote|zmail_extra)\b/;
const QUOTE_IDS = ['mail-editor-reference-message-container'];
/** Outlook does not nest: all that follows is the quote. */
const QUOTE_BEGINNINGS = ['appendonsend', 'divRplyFwdMsg'];

const PIECE_LENGTH = 64 * 1024;
/** No page nests so deeply, and the parser looks through all open elements for each end of one. */
const DEPTH_MAX = 1_000;

/** Whether a text is HTML: exports have whole elements, while people write `a < b`. */
export function isHtml(text: string): boolean {
  return /^\s*<[a-z][\w\s="'>/]/i.test(text) && text.trimEnd().endsWith('>');
}

/**
 * The text of HTML as a reader sees it: lines and paragraphs apart, items of lists with a dash, links and pictures with their
 * addresses. Time and memory grow with the length of the HTML.
 */
export function textOfHtml(html: string): string {
  return read(html, { isMail: false, maxLength: Number.POSITIVE_INFINITY });
}

/**
 * The same of a mail: lines of quotes begin with `> `; without the addresses of pictures, which are of trackers or within the mail.
 * @param maxLength about as much text is read; the rest is left out
 */
export function textOfMailHtml(html: string, maxLength: number): string {
  return read(html, { isMail: true, maxLength });
}

function read(html: string, { isMail, maxLength }: { isMail: boolean; maxLength: number }): string {
  const lines: string[] = [];
  let length = 0;
  /** The pieces of the line: a text that grows would be copied whenever its end is looked at. */
  let line: string[] = [];
  let hidden = 0;
  let quotes = 0;
  const links: { address: string; label: string }[] = [];
  /** Of each open element, whether it is a quote. */
  const open: boolean[] = [];

  const quoted = (text: string) => (quotes > 0 ? `> ${text}` : text).trimEnd();

  function add(piece: string): void {
    if (piece !== '') line.push(piece);
  }

  function endLine(): void {
    const text = quoted(line.join(''));
    length += text.length + 1;
    lines.push(text);
    line = [];
  }

  function leaveLine(name: string): void {
    if (BLOCKS.includes(name) && line.some((piece) => piece.trim() !== '')) endLine();
  }

  function separate(name: string): void {
    if (PARAGRAPHS.includes(name) && lines.at(-1) !== '' && lines.at(-1) !== quoted('')) lines.push(quoted(''));
  }

  const parser = new Parser({
    onopentag(name, attributes) {
      const { href = '', src = '' } = attributes;
      leaveLine(name);
      separate(name);
      const isQuote = isMail && beginsQuote(name, attributes);
      open.push(isQuote);
      if (isQuote || (isMail && QUOTE_BEGINNINGS.includes(attributes.id ?? ''))) quotes++;
      if (HIDDEN.includes(name)) hidden++;
      if (name === 'br') endLine();
      if (name === 'li') line = ['- '];
      if (name === 'img' && !isMail) add(src);
      if (name === 'a') links.push({ address: isMail && !/^https?:/i.test(href) ? '' : href, label: '' });
    },
    ontext(text) {
      if (hidden > 0) return;
      const words = text.replace(/[ \t\r\n\f]+/g, ' ');
      add(line.length === 0 || line.at(-1)?.endsWith(' ') ? words.trimStart() : words);
      const link = links.at(-1);
      if (link) link.label += words;
    },
    onclosetag(name) {
      if (HIDDEN.includes(name)) hidden--;
      const link = name === 'a' ? links.pop() : undefined;
      // Quotes are compared with what was sent, which has none.
      if (link && quotes === 0 && !link.label.includes(link.address)) add(` (${link.address})`);
      leaveLine(name);
      if (open.pop()) {
        quotes--;
        if (lines.at(-1) === '>') lines.pop();
      }
      separate(name);
    },
  });
  for (let at = 0; at < html.length && length < maxLength && open.length < DEPTH_MAX; at += PIECE_LENGTH)
    parser.write(html.slice(at, at + PIECE_LENGTH));
  parser.end();
  if (line.length > 0) endLine();
  return lines.join('\n').trim();
}

function beginsQuote(
  name: string,
  { class: classes = '', id = '', name: named = '' }: Record<string, string>,
): boolean {
  // GMX and web.de name it. Not all of `.gmail_quote`: answers between quoted lines are in it, too.
  return (
    name === 'blockquote' ||
    QUOTE_CLASSES.test(classes) ||
    QUOTE_IDS.includes(id) ||
    (name === 'div' && named === 'quote')
  );
}
