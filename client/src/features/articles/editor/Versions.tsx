import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Article, ArticleLanguage, ArticleVersion } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { formatCount, formatDateTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { useAction } from '../../../shared/useAction.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { SidePanel } from '../../../ui/Dialog.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { keys, useArticleChange, useVersions } from '../api.ts';
import { directionOf, languageName } from '../words.ts';
import { baseOf } from './saver.ts';

interface VersionsProps {
  article: Article;
  lang: ArticleLanguage;
  isReadOnly: boolean;
  onDone: () => void;
}

/** The former states of a text, and the way back to each. */
export function Versions({ article, lang, isReadOnly, onDone }: VersionsProps) {
  const { data: versions, isError, refetch } = useVersions(article._id, lang);
  const [opened, setOpened] = useState<string | null>(null);
  return (
    <SidePanel open onOpenChange={(open) => !open && onDone()} title={t('Versions')} text={languageName(lang)}>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {!versions && isError && (
          <ErrorState what={t('The versions could not be loaded.')} onRetry={() => void refetch()} />
        )}
        {!versions && !isError && <Skeleton className="m-5 h-40" />}
        {versions?.length === 0 && <p className="p-5 text-muted">{t('No earlier versions yet.')}</p>}
        <ul className="divide-y">
          {versions?.map((version) => (
            <li key={version._id}>
              <button
                type="button"
                aria-expanded={opened === version._id}
                onClick={() => setOpened(opened === version._id ? null : version._id)}
                className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 px-5 py-3 text-start hover:bg-text/5 focus-visible:-outline-offset-2"
              >
                <span className="min-w-0 flex-1">
                  <span className="block font-medium">{formatDateTime(version.at)}</span>
                  <bdi className="block truncate text-muted">{version.by?.name ?? t('Somebody who left')}</bdi>
                </span>
                {version.published && <Badge tone="success">{t('Published')}</Badge>}
                <Difference version={version} />
              </button>
              {opened === version._id && (
                <OneVersion article={article} version={version} isReadOnly={isReadOnly} onDone={onDone} />
              )}
            </li>
          ))}
        </ul>
      </div>
    </SidePanel>
  );
}

function Difference({ version: { added, removed } }: { version: ArticleVersion }) {
  return (
    <span className="text-xs tabular-nums">
      <span className="sr-only">{t('{added} characters added, {removed} removed', { added, removed })}</span>
      <span aria-hidden className="text-success">
        +{formatCount(added)}
      </span>{' '}
      <span aria-hidden className="text-danger">
        −{formatCount(removed)}
      </span>
    </span>
  );
}

interface OneVersionProps extends Omit<VersionsProps, 'lang'> {
  version: ArticleVersion;
}

function OneVersion({ article, version, isReadOnly, onDone }: OneVersionProps) {
  const { lang, title } = version;
  const params = { id: article._id, versionId: version._id };
  const { data, isError, refetch } = useQuery({
    queryKey: [...keys.versions(article._id, lang), version._id],
    queryFn: async ({ signal }) =>
      (await call('GET /articles/:id/versions/:versionId', { params, signal })).version.text,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { rev } = baseOf(article, lang);
  const restoring = useArticleChange(() =>
    call('POST /articles/:id/versions/:versionId/restore', { params, body: { rev } }),
  );
  const restore = useAction(restoring, {
    success: t('The version is back, as a change that is not published yet'),
    failure: t('The version could not be restored.'),
    onSuccess: onDone,
  });
  if (data === undefined && isError) {
    return (
      <div className="px-5 pb-4">
        <ErrorState compact what={t('The version could not be loaded.')} onRetry={() => void refetch()} />
      </div>
    );
  }
  return (
    <div className="flex flex-col items-start gap-3 px-5 pb-4">
      <div
        lang={lang}
        dir={directionOf(lang)}
        className="max-h-80 w-full overflow-y-auto rounded-control border bg-background p-3 whitespace-pre-wrap wrap-anywhere"
      >
        <p className="pb-2 font-semibold">{title}</p>
        {data ?? <Skeleton className="h-20" />}
      </div>
      {!isReadOnly && (
        <Button variant="secondary" size="sm" busy={restoring.isPending} onClick={() => void restore(undefined)}>
          {t('Restore this version')}
        </Button>
      )}
    </div>
  );
}
