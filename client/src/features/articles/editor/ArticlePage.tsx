import { ArrowLeft, FileQuestionMark } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link, useLocation, useParams } from 'react-router-dom';
import { type Article, type ArticleLanguage, can, type HelpCenter } from 'server/contract';
import { useAuth } from '../../../lib/auth.tsx';
import { ApiError } from '../../../lib/http.ts';
import { facts, t } from '../../../lib/i18n.ts';
import { paths } from '../../../lib/paths.ts';
import { useSites } from '../../../shared/sites.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { Time } from '../../../ui/Time.tsx';
import { useArticle, useArticleLive, useDeleteArticle, useHelpCenter, useHelpLive } from '../api.ts';
import { STATUSES } from '../words.ts';
import { ArticleActions } from './ArticleActions.tsx';
import { LanguageBar } from './LanguageBar.tsx';
import { SavedState } from './SavedState.tsx';
import { TextEditor } from './TextEditor.tsx';
import { useSavers } from './useSavers.ts';
import { Versions } from './Versions.tsx';

/** /dashboard/help/:articleId */
export default function ArticlePage() {
  const { articleId = '' } = useParams();
  const { user } = useAuth();
  const { data: article, error, refetch } = useArticle(articleId);
  const help = useHelpCenter(article?.siteId);
  const sites = useSites();
  const site = sites.data?.find(({ _id }) => _id === article?.siteId);
  const isLoaded = article && help.data && !sites.isPending;
  return (
    <div className="w-full max-w-7xl px-4 py-6 sm:p-8">
      <h1 className="sr-only">{t('Help')}</h1>
      <Link to={paths.help} className="inline-flex items-center gap-1.5 text-muted hover:text-text">
        <ArrowLeft size={16} aria-hidden className="rtl:-scale-x-100" />
        {t('All articles')}
      </Link>
      {isLoaded && user && (
        <Editor
          key={article._id}
          article={article}
          help={help.data}
          userId={user._id}
          isReadOnly={!site || !can(site, 'articles.edit')}
        />
      )}
      {!article && error instanceof ApiError && error.status === 404 && <NoArticle />}
      {!article && error && !(error instanceof ApiError && error.status === 404) && (
        <ErrorState what={t('The article could not be loaded.')} onRetry={() => void refetch()} />
      )}
      {article && help.isError && !help.data && (
        <ErrorState what={t('The help centre could not be loaded.')} onRetry={() => void help.refetch()} />
      )}
      {!error && !help.isError && !isLoaded && <Skeleton className="mt-6 h-96 rounded-card!" />}
    </div>
  );
}

function NoArticle() {
  return (
    <EmptyState
      icon={FileQuestionMark}
      title={t('There is no such article')}
      text={t('It was deleted, or it belongs to a website that you are not on the team of.')}
      action={
        <Button asChild>
          <Link to={paths.help}>{t('All articles')}</Link>
        </Button>
      }
    />
  );
}

interface EditorProps {
  article: Article;
  help: HelpCenter;
  userId: string;
  isReadOnly: boolean;
}

function Editor({ article, help, userId, isReadOnly }: EditorProps) {
  useArticleLive(article._id);
  useHelpLive(article.siteId);
  const isNew = useLocation().state?.isNew === true;
  const savers = useSavers(article, userId);
  const first = article.texts.some(({ lang }) => lang === help.language) ? help.language : article.texts[0]?.lang;
  const [shown, setShown] = useState<ArticleLanguage>(first ?? help.language);
  const [visited, setVisited] = useState<readonly ArticleLanguage[]>([shown]);
  const [hasVersions, setVersions] = useState(false);
  const show = (lang: ArticleLanguage) => {
    setShown(lang);
    setVisited((all) => (all.includes(lang) ? all : [...all, lang]));
  };
  useForgetEmpty(article, savers, isNew && !isReadOnly);
  const { label, tone } = STATUSES[article.status];
  return (
    <>
      <div className="sticky top-0 z-10 flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 bg-background py-2">
        <Badge tone={tone}>{t(label)}</Badge>
        <div className="min-w-0 flex-1">{!isReadOnly && <SavedState saver={savers.of(shown)} />}</div>
        {!isReadOnly && (
          <ArticleActions
            key={shown}
            article={article}
            help={help}
            lang={shown}
            savers={savers}
            onVersions={() => void savers.flush().then(() => setVersions(true))}
            onTranslationDeleted={() => {
              setVisited((all) => all.filter((each) => each !== shown));
              show(help.language);
            }}
          />
        )}
      </div>
      <LanguageBar {...{ article, help, shown, isReadOnly }} begun={visited} onShow={show} />
      {visited.map((lang) => (
        <TextEditor
          key={lang}
          {...{ article, help, lang, isReadOnly }}
          saver={savers.of(lang)}
          isShown={lang === shown}
          autoFocus={isNew && lang === first}
        />
      ))}
      <p className="pt-4 text-xs text-muted">
        {facts(t('Last changed'), article.updatedBy?.name)} · <Time at={article.updatedAt} />
      </p>
      {hasVersions && (
        <Versions article={article} lang={shown} isReadOnly={isReadOnly} onDone={() => setVersions(false)} />
      )}
    </>
  );
}

/** Deletes a new article that was left empty. */
function useForgetEmpty(article: Article, savers: ReturnType<typeof useSavers>, isNew: boolean): void {
  const { mutate } = useDeleteArticle(article.siteId);
  const leave = useEffectEvent(() => {
    const isEmpty = article.texts.every(({ lang }) => {
      const { title, text } = savers.of(lang).state().values;
      return title.trim() === '' && text.trim() === '';
    });
    if (!isNew || !isEmpty || article.status !== 'draft') return;
    savers.discard();
    mutate(article._id);
  });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // In development, React's strict mode unmounts and mounts each screen once.
    clearTimeout(timer.current);
    return () => {
      timer.current = setTimeout(leave);
    };
  }, []);
}
