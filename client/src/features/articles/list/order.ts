import type { ArticleEntry, HelpCenter } from 'server/contract';
import { titleOf } from '../words.ts';

/** Articles of one category, in their order; `null`: those without one. */
export interface Section {
  category: string | null;
  articles: ArticleEntry[];
}

/** What readers can see or will, by category. Articles of a category that is gone have none. */
export function sectionsOf({ categories }: HelpCenter, articles: readonly ArticleEntry[]): Section[] {
  const ids = categories.map(({ id }) => id);
  const live = articles.filter(({ status }) => status !== 'archived');
  const of = (category: string | null) =>
    live.filter((each) => (each.category !== null && ids.includes(each.category) ? each.category : null) === category);
  return [...ids.map((id) => ({ category: id, articles: of(id) })), { category: null, articles: of(null) }];
}

/** The ids of a category once an article has its new place there. @param index among the others */
export function placed(articles: readonly ArticleEntry[], id: string, index: number): string[] {
  return articles
    .map(({ _id }) => _id)
    .filter((each) => each !== id)
    .toSpliced(index, 0, id);
}

/** The articles with all these words in a title, whatever the language. */
export function matching(articles: readonly ArticleEntry[], { language }: HelpCenter, words: string): ArticleEntry[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return articles.filter((article) => {
    const titles = [titleOf(article, language), ...Object.values(article.texts).map(({ title }) => title)];
    const text = titles.join(' ').toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}
