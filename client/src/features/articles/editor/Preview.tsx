import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { MouseEvent } from 'react';
import type { ArticleLanguage } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { t } from '../../../lib/i18n.ts';
import { useDebounced } from '../../../lib/timing.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { directionOf } from '../words.ts';
import './article.css';

const PAUSE_MS = 300;

interface PreviewProps {
  siteId: string;
  lang: ArticleLanguage;
  title: string;
  /** Markdown */
  text: string;
}

/** An article as its readers see it: the server renders it, with the same code. */
export function Preview({ siteId, lang, title, text }: PreviewProps) {
  const debounced = useDebounced(text, PAUSE_MS);
  const { data, isError, refetch } = useQuery({
    queryKey: ['article preview', siteId, debounced],
    queryFn: async ({ signal }) => {
      const params = { id: siteId };
      return (await call('POST /sites/:id/articles/preview', { params, body: { text: debounced }, signal })).html;
    },
    enabled: debounced.trim() !== '',
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const isEmpty = debounced.trim() === '';
  // The dashboard stays where it is.
  const onClick = (event: MouseEvent) => {
    const href = event.target instanceof Element && event.target.closest('a')?.getAttribute('href');
    if (!href) return;
    event.preventDefault();
    if (!href.startsWith('#')) window.open(href, '_blank', 'noopener');
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: links are pressed by Enter, which is a click, too
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens to what happens to the links in it
    <div lang={lang} dir={directionOf(lang)} onClick={onClick} className="article px-5 py-4 wrap-anywhere">
      <h1>{title || t('Without a title')}</h1>
      {isEmpty && <p className="text-muted">{t('What you write appears here as readers see it.')}</p>}
      {!isEmpty && isError && data === undefined && (
        <ErrorState compact what={t('The preview could not be loaded.')} onRetry={() => void refetch()} />
      )}
      {!isEmpty && data !== undefined && (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the server has sanitized it, as for the public pages
        <div dangerouslySetInnerHTML={{ __html: data }} />
      )}
    </div>
  );
}
