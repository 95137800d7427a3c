import { articleTokens, renderArticle, textOf } from '#features/articles';
import { type PublishedArticles, type PublishedEntry, pictureSizes, publishedText } from '../readers/published.ts';
import { languagesOf } from '../readers/resolve.ts';
import type { PageContext } from './layout.ts';
import { sectionsOf } from './sections.ts';
import { articlePage, missingPage, type ShownArticle } from './views.ts';

/** Deeper headings are not in the list beside an article. */
const LISTED = new Set(['h2', 'h3']);

/** The Markdown of an article with its title; null: it was withdrawn meanwhile. */
export async function markdownOf(entry: PublishedEntry): Promise<string | null> {
  const text = await publishedText(entry);
  return text === null ? null : `# ${entry.title}\n\n${text}\n`;
}

/** The page of an article; if it was withdrawn meanwhile, the one that says so. */
export async function renderedArticle(
  context: PageContext,
  published: PublishedArticles,
  entry: PublishedEntry,
  verdict: ShownArticle['verdict'],
): Promise<{ status: number; markup: string }> {
  const [text, sizes] = await Promise.all([publishedText(entry), pictureSizes(entry)]);
  if (text === null) return { status: 410, markup: missingPage(context, true) };
  const shown = new Set(languagesOf(context.help));
  const texts = new Map([...(published.articles.get(entry.article)?.texts ?? [])].filter(([lang]) => shown.has(lang)));
  const section = sectionsOf(published, context).find(({ entries }) =>
    entries.some(({ article }) => article === entry.article),
  );
  const body = renderArticle(text, { sizes });
  return {
    status: 200,
    markup: articlePage(context, { entry, texts, body, headings: headingsOf(text), section, verdict }),
  };
}

function headingsOf(markdown: string): ShownArticle['headings'] {
  const tokens = articleTokens(markdown);
  return tokens.flatMap((token, at) =>
    token.type === 'heading_open' && LISTED.has(token.tag)
      ? [{ id: String(token.attrGet('id')), title: textOf(tokens[at + 1]), isDeeper: token.tag !== 'h2' }]
      : [],
  );
}
