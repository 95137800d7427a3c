import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { Article, ArticleLanguage } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { useSocket } from '../../../lib/socket.tsx';
import { keepArticle } from '../api.ts';
import { baseOf, createSaver, type Saver } from './saver.ts';

export type Savers = ReturnType<typeof useSavers>;

/** What saves the texts of an article, of each language that was opened. They are flushed when the screen is left. */
export function useSavers(article: Article, userId: string) {
  const client = useQueryClient();
  const { connected } = useSocket();
  const id = article._id;
  const [savers] = useState(() => new Map<ArticleLanguage, Saver>());

  function of(lang: ArticleLanguage): Saver {
    const known = savers.get(lang);
    if (known) return known;
    const keep = (answer: { article: Article }) => baseOf(keepArticle(client, answer.article), lang);
    const made = createSaver({
      draftKey: `${userId}:article:${id}:${lang}`,
      base: baseOf(article, lang),
      put: async (body) => keep(await call('PUT /articles/:id/texts/:lang', { params: { id, lang }, body })),
      read: async () => keep(await call('GET /articles/:id', { params: { id } })),
    });
    savers.set(lang, made);
    return made;
  }
  const flush = () => flushAll(savers);
  const onArticle = useEffectEvent(() => {
    for (const [lang, saver] of savers) saver.follow(baseOf(article, lang));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the article is the change to react to
  useEffect(() => onArticle(), [article]);
  const onConnect = useEffectEvent(() => void flush());
  useEffect(() => {
    if (connected) onConnect();
  }, [connected]);
  useEffect(() => {
    const hide = () => document.visibilityState === 'hidden' && void flushAll(savers);
    document.addEventListener('visibilitychange', hide);
    return () => {
      document.removeEventListener('visibilitychange', hide);
      void flushAll(savers);
    };
  }, [savers]);
  return {
    of,
    flush,
    /** Forgets what is not saved of a language, or of all. */
    discard: (lang?: ArticleLanguage) => {
      for (const [each, saver] of savers) {
        if (lang !== undefined && each !== lang) continue;
        saver.discard();
        savers.delete(each);
      }
    },
  };
}

/** @returns whether the server has everything */
async function flushAll(savers: ReadonlyMap<ArticleLanguage, Saver>): Promise<boolean> {
  const done = await Promise.all([...savers.values()].map((saver) => saver.flush()));
  return done.every(Boolean);
}

/** What the fields of a text show. */
export function useSaverState(saver: Saver) {
  return useSyncExternalStore(saver.watch, saver.state);
}
