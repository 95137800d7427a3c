import { ArrowDown, ArrowUp, Ellipsis, Folder, GripVertical } from 'lucide-react';
import { type DragEvent, type KeyboardEvent, useState } from 'react';
import { Link } from 'react-router-dom';
import type { ArticleEntry, ArticleLanguage, HelpCenter } from 'server/contract';
import { cx } from '../../../lib/cx.ts';
import { formatCount } from '../../../lib/format.ts';
import { facts, plural, t } from '../../../lib/i18n.ts';
import { paths } from '../../../lib/paths.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { DropdownMenu, MenuItem } from '../../../ui/DropdownMenu.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { languageName, STATUSES, titleOf } from '../words.ts';
import type { Drag } from './useDrag.ts';

interface RowProps {
  help: HelpCenter;
  article: ArticleEntry;
  /** Null: it cannot be moved. */
  drag: Drag | null;
}

/** An article in the list, which opens it. */
export function ArticleRow({ help, article, drag }: RowProps) {
  const [edge, setEdge] = useState<'before' | 'behind' | null>(null);
  const title = titleOf(article, help.language) || t('Without a title');
  const { label, tone } = STATUSES[article.status];
  const isChanged = article.status === 'published' && Object.values(article.texts).some(({ changed }) => changed);
  const onDragOver = (event: DragEvent) => {
    if (!drag?.dragged) return;
    event.preventDefault();
    const { top, height } = event.currentTarget.getBoundingClientRect();
    setEdge(event.clientY > top + height / 2 ? 'behind' : 'before');
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    event.stopPropagation();
    drag?.drop(article.category, article._id, edge === 'behind');
    setEdge(null);
  };
  return (
    <li
      onDragOver={onDragOver}
      onDragLeave={() => setEdge(null)}
      onDrop={onDrop}
      className={cx(
        'relative flex items-center gap-1 py-1 pe-2',
        drag ? 'ps-1' : 'ps-4',
        drag?.dragged === article._id && 'opacity-50',
        edge === 'before' && 'shadow-[inset_0_2px_0_var(--color-accent)]',
        edge === 'behind' && 'shadow-[inset_0_-2px_0_var(--color-accent)]',
      )}
    >
      {drag && <Handle title={title} id={article._id} drag={drag} />}
      <Link
        to={paths.article(article._id)}
        className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1 rounded-control py-1.5 hover:text-accent-strong"
      >
        <span dir="auto" className="min-w-0 flex-1 basis-44 truncate text-start font-medium">
          {title}
        </span>
        <span className="flex min-w-0 flex-wrap items-center gap-1.5">
          <Languages help={help} article={article} />
          {isChanged && <Badge>{t('Changes not published')}</Badge>}
          <Badge tone={tone}>{t(label)}</Badge>
        </span>
        <span className="text-xs text-muted tabular-nums sm:w-40 sm:text-end">{figuresText(article)}</span>
      </Link>
      {drag && <RowMenu title={title} help={help} article={article} drag={drag} />}
    </li>
  );
}

function figuresText({ figures: { read, helped, notHelped }, status }: ArticleEntry): string {
  if (read === 0 && status !== 'published') return '';
  const votes = helped + notHelped;
  return facts(
    read > 0 ? plural(read, 'read once', 'read {count} times') : t('not read yet'),
    votes > 0 && t('{helped} of {votes} helped', { helped: formatCount(helped), votes: formatCount(votes) }),
  );
}

/** The languages of an article beside the only or main one, with what is the matter with them. */
function Languages({ help, article }: Pick<RowProps, 'help' | 'article'>) {
  const langs = (Object.keys(article.texts) as ArticleLanguage[]).filter((lang) => lang !== help.language);
  return langs.map((lang) => {
    const isOld = article.texts[lang]?.outdated ?? false;
    const name = languageName(lang);
    return (
      <Badge key={lang} tone={isOld ? 'waiting' : 'neutral'}>
        <abbr
          title={isOld ? t('{language}: older than the original', { language: name }) : name}
          className="no-underline"
        >
          <span aria-hidden className="uppercase">
            {lang}
          </span>
          <span className="sr-only">{isOld ? t('{language}: older than the original', { language: name }) : name}</span>
        </abbr>
        {isOld && <span aria-hidden>{t('outdated')}</span>}
      </Badge>
    );
  });
}

/** Dragged by the pointer; with the focus on it, the arrow keys move the article. */
function Handle({ title, id, drag }: { title: string; id: string; drag: Drag }) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : null;
    if (step === null) return;
    event.preventDefault();
    drag.move(id, step);
  };
  return (
    <IconButton
      label={t('Move {title}: drag it, or press the arrow keys', { title })}
      size="sm"
      draggable
      onDragStart={(event: DragEvent) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', title);
        const row = event.currentTarget.closest('li');
        if (row) event.dataTransfer.setDragImage(row, 16, 16);
        drag.setDragged(id);
      }}
      onDragEnd={() => drag.setDragged(null)}
      onKeyDown={onKeyDown}
      className="cursor-grab! pointer-coarse:hidden"
    >
      <GripVertical size={16} aria-hidden />
    </IconButton>
  );
}

function RowMenu({ title, help, article, drag }: { title: string } & RowProps & { drag: Drag }) {
  const { _id, category } = article;
  const { section, index } = drag.find(_id);
  const others = [...help.categories.map(({ id }) => id), null].filter((each) => each !== category);
  return (
    <DropdownMenu
      trigger={
        <IconButton label={t('More for {title}', { title })} size="sm">
          <Ellipsis size={16} aria-hidden />
        </IconButton>
      }
    >
      {index > 0 && (
        <MenuItem icon={<ArrowUp size={16} aria-hidden />} onSelect={() => drag.move(_id, -1)}>
          {t('Move up')}
        </MenuItem>
      )}
      {index < (section?.articles.length ?? 0) - 1 && (
        <MenuItem icon={<ArrowDown size={16} aria-hidden />} onSelect={() => drag.move(_id, 1)}>
          {t('Move down')}
        </MenuItem>
      )}
      {others.map((other) => (
        <MenuItem key={other} icon={<Folder size={16} aria-hidden />} onSelect={() => drag.moveTo(_id, other)}>
          {other === null ? t('Take out of its category') : t('Move to {category}', { category: drag.nameOf(other) })}
        </MenuItem>
      ))}
    </DropdownMenu>
  );
}
