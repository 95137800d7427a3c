import { entryFor, type PublishedArticles, type PublishedEntry } from '../readers/published.ts';
import type { PageContext } from './layout.ts';

/** A category with what readers of a language see in it; without a name: the articles of none. */
export interface Section {
  id: string | null;
  name: string | null;
  entries: PublishedEntry[];
}

/** What readers of a language see, in the order of the site. Empty categories are left out. */
export function sectionsOf(
  { articles }: PublishedArticles,
  { help, lang }: Pick<PageContext, 'help' | 'lang'>,
): Section[] {
  const byCategory = new Map<string | null, PublishedEntry[]>();
  const known = new Set(help.categories.map(({ id }) => id));
  for (const article of articles.values()) {
    const entry = entryFor(article, lang, help.language);
    const category = article.category !== null && known.has(article.category) ? article.category : null;
    if (entry) byCategory.set(category, [...(byCategory.get(category) ?? []), entry]);
  }
  const named: Section[] = help.categories.map(({ id, name }) => ({
    id,
    name: name[lang] ?? name[help.language] ?? Object.values(name)[0] ?? '',
    entries: byCategory.get(id) ?? [],
  }));
  const others: Section = { id: null, name: null, entries: byCategory.get(null) ?? [] };
  return [...named, others].filter(({ entries }) => entries.length > 0);
}
