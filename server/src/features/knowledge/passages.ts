import MarkdownIt from 'markdown-it';

/** The most characters of a passage: about what a screen shows. */
const PASSAGE_MAX_LENGTH = 1_200;

/** A part of a source that is found as one. */
export interface Passage {
  /** The headings that lead to it, without the source's title. */
  headings: string;
  /** Plain text, at most `PASSAGE_MAX_LENGTH` characters. */
  text: string;
}

const markdown = new MarkdownIt({ html: false });

/** The passages of a Markdown text: what stands below each heading, in pieces where that is long. The first is there without any text, too. */
export function passagesOf(text: string): Passage[] {
  const passages: Passage[] = [];
  /** The headings above, by their level. */
  const above: string[] = [];
  let level = 0;
  let current: Passage = { headings: '', text: '' };

  function close(): void {
    if (current.text !== '' || current.headings !== '') passages.push(current);
    current = { headings: above.filter(Boolean).join(' '), text: '' };
  }

  function add(paragraph: string): void {
    for (const piece of pieces(paragraph)) {
      if (current.text.length + piece.length + 1 > PASSAGE_MAX_LENGTH) close();
      current.text += current.text === '' ? piece : ` ${piece}`;
    }
  }

  for (const { type, tag, content, children } of markdown.parse(text, {})) {
    if (type === 'heading_open') level = Number(tag.slice(1));
    else if (type === 'heading_close') level = 0;
    else if (type === 'fence' || type === 'code_block') add(content);
    else if (type === 'inline') {
      const words = (children ?? []).map((child) => (child.type.endsWith('break') ? ' ' : child.content)).join('');
      if (level === 0) add(words);
      else {
        above.length = level;
        above[level - 1] = words;
        close();
      }
    }
  }
  close();
  return passages.length > 0 ? passages : [{ headings: '', text: '' }];
}

/** A paragraph in pieces that fit into a passage, cut at the end of a sentence or word where there is one. */
function pieces(paragraph: string): string[] {
  const parts: string[] = [];
  let rest = paragraph.replace(/\s+/g, ' ').trim();
  while (rest.length > PASSAGE_MAX_LENGTH) {
    const head = rest.slice(0, PASSAGE_MAX_LENGTH);
    const end =
      Math.max(head.lastIndexOf('. '), head.lastIndexOf('。')) + 1 || head.lastIndexOf(' ') + 1 || head.length;
    parts.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  return rest === '' ? parts : [...parts, rest];
}
