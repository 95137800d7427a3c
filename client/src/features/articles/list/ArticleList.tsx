import { ArrowDownUp, FilePlus, FileQuestionMark, FolderPlus, Search } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { type ArticleEntry, can, type HelpCenter, type Site } from 'server/contract';
import { plural, t } from '../../../lib/i18n.ts';
import { paths } from '../../../lib/paths.ts';
import { useAction } from '../../../shared/useAction.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Input } from '../../../ui/Input.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { useArticles, useNewArticle } from '../api.ts';
import { TransferDialog } from '../transfer/TransferDialog.tsx';
import { ArticleRow } from './ArticleRow.tsx';
import { CategoryDialog } from './CategoryDialog.tsx';
import { CategorySection } from './CategorySection.tsx';
import { matching, sectionsOf } from './order.ts';
import { useDrag } from './useDrag.ts';

interface ListProps {
  site: Site;
  help: HelpCenter;
}

/** The articles of a site by category, in the order of the public pages. */
export function ArticleList({ site, help }: ListProps) {
  const { data: articles, isError, refetch } = useArticles(site._id);
  const [words, setWords] = useState('');
  const [dialog, setDialog] = useState<'category' | 'transfer' | null>(null);
  const mayEdit = can(site, 'articles.edit');
  const close = () => setDialog(null);
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center gap-2">
        <div className="relative min-w-0 flex-1 basis-56 sm:max-w-sm">
          <Search size={16} aria-hidden className="absolute start-3 top-3 text-muted" />
          <Input
            type="search"
            aria-label={t('Search articles')}
            placeholder={t('Search articles')}
            className="ps-9"
            value={words}
            onChange={({ target }) => setWords(target.value)}
          />
        </div>
        {mayEdit && (
          <div className="flex flex-wrap gap-2 sm:ms-auto">
            <Button variant="ghost" onClick={() => setDialog('transfer')}>
              <ArrowDownUp size={16} aria-hidden />
              {t('Import and export')}
            </Button>
            <Button variant="secondary" onClick={() => setDialog('category')}>
              <FolderPlus size={16} aria-hidden />
              {t('Add category')}
            </Button>
            <NewArticle site={site} />
          </div>
        )}
      </div>
      {!articles && isError && (
        <ErrorState what={t('The articles could not be loaded.')} onRetry={() => void refetch()} />
      )}
      {!articles && !isError && <Skeleton className="h-40 rounded-card!" />}
      {articles && words.trim() !== '' && (
        <Found help={help} articles={matching(articles, help, words)} onClear={() => setWords('')} />
      )}
      {articles && words.trim() === '' && <Sections site={site} help={help} articles={articles} />}
      {dialog === 'category' && <CategoryDialog siteId={site._id} help={help} category={null} onDone={close} />}
      {dialog === 'transfer' && <TransferDialog siteId={site._id} help={help} onDone={close} />}
    </div>
  );
}

function NewArticle({ site }: { site: Site }) {
  const navigate = useNavigate();
  const begin = useNewArticle(site._id);
  const run = useAction(begin, {
    failure: t('The article could not be begun.'),
    onSuccess: ({ _id }) => void navigate(paths.article(_id), { state: { isNew: true } }),
  });
  return (
    <Button busy={begin.isPending} className="max-sm:order-first" onClick={() => void run({})}>
      <FilePlus size={16} aria-hidden />
      {t('New article')}
    </Button>
  );
}

function Sections({ site, help, articles }: ListProps & { articles: readonly ArticleEntry[] }) {
  const sections = sectionsOf(help, articles);
  const archived = articles.filter(({ status }) => status === 'archived');
  const mayEdit = can(site, 'articles.edit');
  const drag = useDrag(site._id, help, sections);
  if (articles.length === 0 && help.categories.length === 0) {
    return (
      <div className="rounded-card border bg-surface">
        <EmptyState
          icon={FileQuestionMark}
          title={t('No articles yet')}
          text={t('Begin with the question that you answered last.')}
          action={mayEdit && <NewArticle site={site} />}
        />
      </div>
    );
  }
  return (
    <>
      {sections.map(
        (section) =>
          (section.category !== null || section.articles.length > 0) && (
            <CategorySection
              key={section.category}
              site={site}
              help={help}
              section={section}
              drag={mayEdit ? drag : null}
            />
          ),
      )}
      {archived.length > 0 && (
        <details className="rounded-card border bg-surface">
          <summary className="px-4 py-3 font-medium text-muted">
            {plural(archived.length, '{count} archived article', '{count} archived articles')}
          </summary>
          <ul className="divide-y border-t">
            {archived.map((article) => (
              <ArticleRow key={article._id} help={help} article={article} drag={null} />
            ))}
          </ul>
        </details>
      )}
      <p role="status" className="sr-only">
        {drag.announced}
      </p>
    </>
  );
}

function Found({
  help,
  articles,
  onClear,
}: {
  help: HelpCenter;
  articles: readonly ArticleEntry[];
  onClear: () => void;
}) {
  if (articles.length === 0) {
    return (
      <div className="rounded-card border bg-surface">
        <EmptyState
          icon={Search}
          title={t('No article has these words in its title')}
          action={
            <Button variant="secondary" onClick={onClear}>
              {t('Show all articles')}
            </Button>
          }
        />
      </div>
    );
  }
  return (
    <ul aria-label={t('Articles')} className="divide-y rounded-card border bg-surface">
      {articles.map((article) => (
        <ArticleRow key={article._id} help={help} article={article} drag={null} />
      ))}
    </ul>
  );
}
