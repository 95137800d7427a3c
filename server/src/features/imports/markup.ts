import { Parser } from 'htmlparser2';

/** Elements that begin a line of their own. */
const BLOCKS = ['p', 'div', 'ul', 'ol', 'li', 'blockquote', 'pre', 'table', 'tr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
/** Before and after them stands an empty line. */
const PARAGRAPHS = ['p', 'ul', 'ol', 'blockquote', 'pre', 'table'];
const HIDDEN = ['script', 'style', 'title'];

/** Whether a text is HTML: exports have whole elements, while people write `a < b`. */
export function isHtml(text: string): boolean {
  return /^\s*<[a-z][\w\s="'>/]/i.test(text) && text.trimEnd().endsWith('>');
}

/**
 * The text of HTML as a reader sees it: lines and paragraphs apart, items of lists with a dash, links with their addresses.
 * Time and memory grow with the length of the HTML.
 */
export function textOfHtml(html: string): string {
  const lines: string[] = [];
  let line = '';
  let hidden = 0;
  const links: { address: string; label: string }[] = [];

  function endLine(): void {
    lines.push(line.trimEnd());
    line = '';
  }

  function breakAt(name: string): void {
    if (!BLOCKS.includes(name)) return;
    if (line.trim() !== '') endLine();
    if (PARAGRAPHS.includes(name) && lines.at(-1) !== '') lines.push('');
  }

  const parser = new Parser({
    onopentag(name, { href = '', src = '' }) {
      breakAt(name);
      if (HIDDEN.includes(name)) hidden++;
      if (name === 'br') endLine();
      if (name === 'li') line = '- ';
      if (name === 'img') line += src;
      if (name === 'a') links.push({ address: href, label: '' });
    },
    ontext(text) {
      if (hidden > 0) return;
      const words = text.replace(/[ \t\r\n\f]+/g, ' ');
      line += line === '' || line.endsWith(' ') ? words.trimStart() : words;
      const link = links.at(-1);
      if (link) link.label += words;
    },
    onclosetag(name) {
      if (HIDDEN.includes(name)) hidden--;
      const link = name === 'a' ? links.pop() : undefined;
      if (link && !link.label.includes(link.address)) line += ` (${link.address})`;
      breakAt(name);
    },
  });
  parser.end(html);
  endLine();
  return lines.join('\n').trim();
}
