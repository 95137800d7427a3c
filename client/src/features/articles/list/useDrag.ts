import { useState } from 'react';
import type { ArticleEntry, HelpCenter } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { useAction } from '../../../shared/useAction.ts';
import { useOrderArticles } from '../api.ts';
import { inMain, titleOf } from '../words.ts';
import { placed, type Section } from './order.ts';

export type Drag = ReturnType<typeof useDrag>;

/** Moves articles: by the pointer, by keys on the handle, and by the menu of an article, which touch screens have, too. */
export function useDrag(siteId: string, help: HelpCenter, sections: readonly Section[]) {
  const order = useOrderArticles(siteId);
  const run = useAction(order, { failure: t('The article could not be moved.') });
  /** The article that is being dragged. */
  const [dragged, setDragged] = useState<string | null>(null);
  const [announced, setAnnounced] = useState('');

  const sectionOf = (category: string | null) => sections.find((section) => section.category === category);
  const nameOf = (category: string | null) => {
    const found = help.categories.find(({ id }) => id === category);
    return found ? (inMain(found.name, help.language) ?? '') : t('Without a category');
  };
  /** @param index among the others of the category */
  const place = (article: ArticleEntry, category: string | null, index: number) => {
    const { articles = [] } = sectionOf(category) ?? {};
    const ids = placed(articles, article._id, index);
    setDragged(null);
    if (ids.every((id, at) => articles[at]?._id === id)) return;
    void run({ category, articles: ids });
    const title = titleOf(article, help.language);
    setAnnounced(
      t('{title} is now number {number} in {category}.', {
        title,
        number: ids.indexOf(article._id) + 1,
        category: nameOf(category),
      }),
    );
  };
  const find = (id: string) => {
    const section = sections.find(({ articles }) => articles.some(({ _id }) => _id === id));
    const index = section?.articles.findIndex(({ _id }) => _id === id) ?? -1;
    return { section, index, article: section?.articles[index] };
  };
  /** Moves it past its neighbour. @param step -1 is up */
  const move = (id: string, step: -1 | 1) => {
    const { section, index, article } = find(id);
    const next = index + step;
    if (section && article && next >= 0 && next < section.articles.length) place(article, section.category, next);
  };
  /** Puts what is dragged before or behind an article, or with `null` at the end of a category. */
  const drop = (category: string | null, target: string | null, isBehind: boolean) => {
    const { article } = find(dragged ?? '');
    const others = sectionOf(category)?.articles.filter(({ _id }) => _id !== dragged) ?? [];
    const at = others.findIndex(({ _id }) => _id === target);
    if (article && target !== dragged) place(article, category, at < 0 ? others.length : at + Number(isBehind));
    setDragged(null);
  };
  const moveTo = (id: string, category: string | null) => {
    const { article } = find(id);
    if (article) place(article, category, sectionOf(category)?.articles.length ?? 0);
  };
  return { dragged, setDragged, announced, move, moveTo, drop, nameOf, find };
}
