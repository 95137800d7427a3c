import { Parser } from 'htmlparser2';

/** Elements that hold the content of a page, without navigation and footer: the first one that the page has is taken. */
const MAINS = { article: /<article[\s>]/i, main: /<main[\s>]/i, body: /<body[\s>]/i };
const LEFT_OUT = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'nav',
  'header',
  'footer',
  'aside',
  'form',
  'iframe',
  'button',
  'select',
  'textarea',
  'title',
  'head',
]);
const MARKS: Record<string, string> = { strong: '**', b: '**', em: '*', i: '*', s: '~~', del: '~~' };
const BLOCKS = new Set([
  'p',
  'div',
  'section',
  'dl',
  'dt',
  'dd',
  'figure',
  'figcaption',
  'address',
  'details',
  'summary',
  'table',
  'article',
  'main',
  'body',
]);
const DEPTH_MAX = 12;

/** A page as Markdown. */
interface Page {
  title: string;
  text: string;
  /** How many pictures it had; they are not imported. */
  pictures: number;
}

/** What a page says, as Markdown. Time and memory grow with its length. */
export function markdownOfPage(html: string, url: string): Page {
  const main = Object.entries(MAINS).find(([, tag]) => tag.test(html))?.[0];
  const out = new Writer();
  let title = '';
  let heading = '';
  let inTitle = false;
  let depth = 0;
  let hidden = 0;
  const links: string[] = [];
  const parser = new Parser({
    onopentag(name, { href = '' }) {
      if (name === 'title') inTitle = true;
      if (name === main) depth++;
      if (LEFT_OUT.has(name)) hidden++;
      if (hidden > 0 || (main !== undefined && depth === 0)) return;
      if (name === 'a') links.push(addressOf(href, url));
      if (name === 'img') out.pictures++;
      out.open(name, links.at(-1));
    },
    ontext(text) {
      if (inTitle) title += text;
      if (hidden > 0 || (main !== undefined && depth === 0)) return;
      if (out.isInHeading) heading += heading.length < 1_000 ? text : '';
      out.text(text);
    },
    onclosetag(name) {
      if (name === 'title') inTitle = false;
      if (LEFT_OUT.has(name)) hidden = Math.max(0, hidden - 1);
      else if (hidden === 0 && (main === undefined || depth > 0)) {
        out.close(name, name === 'a' ? (links.pop() ?? '') : '');
        if (name === 'h1') out.isInHeading = false;
      }
      if (name === main) depth = Math.max(0, depth - 1);
    },
  });
  parser.end(html);
  const named = (heading || title).replace(/\s+/g, ' ').trim();
  return { title: named, text: out.finish(), pictures: out.pictures };
}

/** The absolute address of a link of the page; empty: articles may not have it. */
function addressOf(href: string, url: string): string {
  if (href.startsWith('#') || !URL.canParse(href, url)) return '';
  const { protocol, href: whole } = new URL(href, url);
  return /^(https?|mailto|tel):$/.test(protocol) ? whole.replaceAll('(', '%28').replaceAll(')', '%29') : '';
}

/** Writes Markdown piece by piece. */
class Writer {
  pictures = 0;
  isInHeading = false;
  #lines: string[] = [];
  #line = '';
  #lists: { ordered: boolean; count: number }[] = [];
  #quotes = 0;
  #pre = 0;
  #code = 0;
  #cells = 0;

  open(name: string, link: string | undefined): void {
    const level = /^h([1-6])$/.exec(name)?.[1];
    if (name === 'h1' && !this.#lines.some((line) => line !== '')) {
      this.#endBlock();
      this.isInHeading = true;
    } else if (level) {
      this.#endBlock();
      this.#line = `${'#'.repeat(Math.max(2, Number(level)))} `;
    } else if (name === 'pre') {
      this.#endBlock();
      this.#put('```');
      this.#pre++;
    } else if (name === 'ul' || name === 'ol') {
      if (this.#lists.length === 0) this.#endBlock();
      else this.#endLine();
      this.#lists.push({ ordered: name === 'ol', count: 0 });
    } else if (name === 'li') this.#beginItem();
    else if (name === 'blockquote') {
      this.#endBlock();
      this.#quotes++;
    } else if (name === 'tr') this.#endLine();
    else if (name === 'td' || name === 'th') {
      this.#line += this.#line === '' ? '| ' : '';
      this.#cells++;
    } else if (name === 'br') this.#endLine();
    else if (name === 'hr') {
      this.#endBlock();
      this.#put('---');
      this.#put('');
    } else if (name === 'a' && link) this.#line += '[';
    else if (name === 'code' && this.#pre === 0) this.#quoteCode(1);
    else if (BLOCKS.has(name) && this.#cells === 0) this.#endParagraph();
    else this.#line += this.#markOf(name);
  }

  text(text: string): void {
    if (this.isInHeading) return;
    if (this.#pre > 0) {
      const [first = '', ...others] = text.replaceAll('```', "'''").split('\n');
      this.#line += first;
      for (const other of others) {
        this.#put(this.#line);
        this.#line = other;
      }
      return;
    }
    const plain = text.replace(/\s+/g, ' ');
    const words = this.#code > 0 ? plain.replaceAll('`', "'") : plain.replace(/[\\`*_[\]<>|]/g, '\\$&');
    this.#line += this.#line === '' || this.#line.endsWith(' ') ? words.trimStart() : words;
  }

  close(name: string, link: string): void {
    if (name === 'pre') {
      if (this.#line !== '') this.#put(this.#line);
      this.#line = '';
      this.#pre = Math.max(0, this.#pre - 1);
      this.#put('```');
      this.#put('');
    } else if (/^h[1-6]$/.test(name)) this.#endBlock();
    else if (name === 'ul' || name === 'ol') {
      this.#endLine();
      this.#lists.pop();
      if (this.#lists.length === 0) this.#put('');
    } else if (name === 'li') this.#endLine();
    else if (name === 'blockquote') {
      this.#endBlock();
      this.#quotes = Math.max(0, this.#quotes - 1);
    } else if (name === 'td' || name === 'th') this.#line += ' | ';
    else if (name === 'tr') this.#endRow();
    else if (name === 'table') this.#endBlock();
    else if (name === 'a' && link) this.#line += `](${link})`;
    else if (name === 'code' && this.#pre === 0) this.#quoteCode(-1);
    else if (BLOCKS.has(name) && this.#cells === 0) this.#endParagraph();
    else this.#line = closed(this.#line, this.#markOf(name));
  }

  finish(): string {
    this.#endBlock();
    return this.#lines
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
  }

  #markOf(name: string): string {
    return this.#pre > 0 || this.isInHeading ? '' : (MARKS[name] ?? '');
  }

  #quoteCode(step: 1 | -1): void {
    this.#line += '`';
    this.#code = Math.max(0, this.#code + step);
  }

  #beginItem(): void {
    this.#endLine();
    const list = this.#lists.at(-1) ?? { ordered: false, count: 0 };
    list.count++;
    const indent = '   '.repeat(Math.min(DEPTH_MAX, Math.max(0, this.#lists.length - 1)));
    this.#line = `${indent}${list.ordered ? `${list.count}.` : '-'} `;
  }

  /** The first row is the head: Markdown has no table without one. */
  #endRow(): void {
    const [cells, isFirst] = [this.#cells, !this.#lines.at(-1)?.startsWith('|')];
    if (cells > 0) {
      if (isFirst) this.#put('');
      this.#put(this.#line.trimEnd());
      if (isFirst) this.#put(`|${' --- |'.repeat(cells)}`);
    }
    this.#line = '';
    this.#cells = 0;
  }

  /** Within an item of a list, paragraphs are lines. */
  #endParagraph(): void {
    if (this.#lists.length > 0) {
      if (!/^\s*(-|\d+\.) $/.test(this.#line)) this.#endLine();
    } else this.#endBlock();
  }

  #endLine(): void {
    if (this.#line.trim() !== '') this.#put(this.#line.trimEnd());
    this.#line = '';
  }

  #endBlock(): void {
    this.#endLine();
    if (/[^> ]/.test(this.#lines.at(-1) ?? '')) this.#put('');
  }

  #put(line: string): void {
    const quote = '> '.repeat(Math.min(DEPTH_MAX, this.#quotes));
    this.#lines.push(`${quote}${line}`.trimEnd());
  }
}

/** Closes a mark directly after the last word: Markdown does not close it after a blank. */
function closed(line: string, mark: string): string {
  if (mark === '') return line;
  const words = line.trimEnd();
  if (words.endsWith(mark)) return words.slice(0, -mark.length);
  return `${words}${mark}${line.slice(words.length)}`;
}
