import MarkdownIt, { type Token } from 'markdown-it';
import sanitizeHtml from 'sanitize-html';
import { slugOf } from './contract.ts';

/** All tags that an article can have, with their attributes. */
export const ARTICLE_TAGS: Record<string, string[]> = {
  h2: ['id'],
  h3: ['id'],
  h4: ['id'],
  h5: ['id'],
  h6: ['id'],
  p: [],
  br: [],
  hr: [],
  strong: [],
  em: [],
  s: [],
  blockquote: [],
  ul: [],
  ol: ['start'],
  li: [],
  a: ['href', 'title', 'rel'],
  img: ['src', 'alt', 'title', 'width', 'height', 'loading'],
  pre: [],
  code: ['class'],
  table: [],
  thead: [],
  tbody: [],
  tr: [],
  th: ['class'],
  td: ['class'],
};

/** The prefix of the ids of headings: keeps them apart from other ids on the page. */
const HEADING_PREFIX = 's-';
/** The title of the page is its only heading of the first level. */
const HEADING_LEVEL_MIN = 2;
const PICTURE = /^\/api\/files\/[\w-]{43}$/;
/** How deep markdown-it nests. Thousands of brackets take longer with a higher number, thousands of stars with a lower one. */
const NESTING_MAX = 20;

const parser = new MarkdownIt({ html: false, linkify: false, typographer: false, maxNesting: NESTING_MAX });

/** What an article is rendered for. */
interface RenderOptions {
  /** Put before the addresses of pictures; empty: they are on the same origin. */
  origin?: string;
  /** The sizes of its pictures in pixels, by their addresses. */
  sizes?: ReadonlyMap<string, { width: number; height: number }>;
}

/** The parts of a text, with the ids of its headings: what the page shows and what the search finds agree on them. */
export function articleTokens(markdown: string): Token[] {
  const tokens = parser.parse(markdown, {});
  const ids = new Map<string, number>();
  tokens.forEach((token, at) => {
    if (token.type === 'heading_open') {
      const level = `h${Math.max(HEADING_LEVEL_MIN, Number(token.tag.slice(1)))}`;
      token.tag = level;
      const close = tokens[at + 2];
      if (close) close.tag = level;
      token.attrSet('id', uniqueId(textOf(tokens[at + 1]), ids));
    } else if (token.type === 'th_open' || token.type === 'td_open') {
      const [, side] = /text-align:\s*(left|center|right)/.exec(String(token.attrGet('style') ?? '')) ?? [];
      token.attrs = side ? [['class', `align-${side}`]] : null;
    }
  });
  return tokens;
}

function uniqueId(title: string, ids: Map<string, number>): string {
  const base = HEADING_PREFIX + (slugOf(title) || 'section');
  let count = ids.get(base) ?? 0;
  let id = base;
  while (ids.has(id)) id = `${base}-${++count}`;
  ids.set(base, Math.max(count, 1));
  if (id !== base) ids.set(id, 1);
  return id;
}

/** The text of an inline token, without marks. */
export function textOf(token: Token | undefined): string {
  if (!token) return '';
  return token.children ? token.children.map(textOf).join('') : isBreak(token) ? ' ' : token.content;
}

const isBreak = ({ type }: Token) => type === 'softbreak' || type === 'hardbreak';

/**
 * The HTML of an article: only `ARTICLE_TAGS`, only pictures of this server, no styles and no scripts. markdown-it takes no
 * HTML from the text, and sanitize-html checks the result, in case markdown-it has an error.
 */
export function renderArticle(markdown: string, { origin = '', sizes }: RenderOptions = {}): string {
  const html = parser.renderer.render(articleTokens(markdown), { ...parser.options, xhtmlOut: false }, {});
  return sanitizeHtml(html, {
    allowedTags: Object.keys(ARTICLE_TAGS),
    allowedAttributes: ARTICLE_TAGS,
    allowedClasses: { code: [/^language-[\w+#.-]{1,40}$/], th: [/^align-/], td: [/^align-/] },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowProtocolRelative: false,
    nestingLimit: 4 * NESTING_MAX,
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs.src,
    transformTags: {
      a: (tagName, { href = '', title }) => ({
        tagName,
        attribs: {
          href: href.startsWith('#') ? anchor(href) : href,
          ...(title && { title }),
          ...(/^https?:/i.test(href) && { rel: 'noopener' }),
        },
      }),
      img: (tagName, { src = '', alt = '', title }) => {
        if (!PICTURE.test(src)) return { tagName: 'img', attribs: {} };
        const size = sizes?.get(src);
        return {
          tagName,
          attribs: {
            src: origin + src,
            alt,
            ...(title && { title }),
            ...(size && { width: String(size.width), height: String(size.height) }),
            loading: 'lazy',
          },
        };
      },
    },
  });
}

/** A link to a heading of the same page, which people write without the prefix. */
const anchor = (href: string) => (href.startsWith(`#${HEADING_PREFIX}`) ? href : `#${HEADING_PREFIX}${href.slice(1)}`);

/** The beginning of a text in plain words, as a description; cut between words. */
export function plainText(markdown: string, max: number): string {
  let plain = '';
  for (const token of parser.parse(markdown.slice(0, max * 4), {})) {
    if (token.type === 'inline') plain += `${textOf(token)} `;
    if (plain.length > max) break;
  }
  const words = plain.replace(/\s+/g, ' ').trim();
  if (words.length <= max) return words;
  const cut = words.slice(0, max - 1);
  const end = cut.lastIndexOf(' ');
  return `${(end > max / 2 ? cut.slice(0, end) : cut).replace(/[\ud800-\udbff]$/, '')}…`;
}
