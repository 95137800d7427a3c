import type { ArticleLink, PublishedArticle, Success } from 'server/contract';
import { REQUEST_TIMEOUT_MS } from 'server/contract';
import type { Language } from '../chat/language.ts';
import type { Host } from '../host.ts';

export type Reader = ReturnType<typeof createReader>;

/** The calls of this part. Each answers null after a failure, and is cached for this page. */
export function createReader({ api }: Pick<Host, 'api'>, { name: lang }: Pick<Language, 'name'>) {
  const kept = new Map<string, unknown>();

  async function ask<Data>(path: string, query: Record<string, string> = {}): Promise<Data | null> {
    const url = `${api}/${path}?${new URLSearchParams({ lang, ...query })}`;
    if (kept.has(url)) return kept.get(url) as Data;
    try {
      const response = await fetch(url, { credentials: 'omit', signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
      const { data }: Partial<Success<Data>> = await response.json();
      // The answer of an error has no data.
      if (data) kept.set(url, data);
      return data ?? null;
    } catch {
      return null;
    }
  }

  const links = async (path: string, query?: Record<string, string>) =>
    (await ask<{ articles: ArticleLink[] }>(path, query))?.articles ?? null;

  return {
    /** The articles for this page. */
    first: () => links('articles', { page: location.href.slice(0, 2_000) }),
    /** What answers a question that somebody sent. */
    search: (q: string) => links('answers', { q, all: 'yes' }),
    /** The few that answer what somebody is typing. */
    hints: (q: string) => links('answers', { q }),
    article: async (slug: string) =>
      (await ask<{ article: PublishedArticle }>(`articles/${encodeURIComponent(slug)}`))?.article ?? null,
    /** Tells whether an article helped. Nothing depends on the answer. */
    sendFeedback(
      { slug, lang: of }: PublishedArticle,
      feedback: { helped: boolean } | { comment: string },
    ): Promise<unknown> {
      const body = JSON.stringify({ lang: of, ...feedback });
      const url = `${api}/articles/${encodeURIComponent(slug)}/feedback`;
      return fetch(url, { method: 'POST', body, credentials: 'omit', keepalive: true }).catch(() => null);
    },
  };
}
