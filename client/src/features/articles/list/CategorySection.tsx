import { ArrowDown, ArrowUp, Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { type DragEvent, useId, useState } from 'react';
import type { ArticleCategory, HelpCenter, Site } from 'server/contract';
import { cx } from '../../../lib/cx.ts';
import { t } from '../../../lib/i18n.ts';
import { useAction } from '../../../shared/useAction.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { DropdownMenu, MenuItem } from '../../../ui/DropdownMenu.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { usePutCategories } from '../api.ts';
import { inMain } from '../words.ts';
import { ArticleRow } from './ArticleRow.tsx';
import { CategoryDialog } from './CategoryDialog.tsx';
import type { Section } from './order.ts';
import type { Drag } from './useDrag.ts';

interface SectionProps {
  site: Site;
  help: HelpCenter;
  section: Section;
  /** Null: the reader may not change anything. */
  drag: Drag | null;
}

/** A category with its articles. */
export function CategorySection({ site, help, section: { category, articles }, drag }: SectionProps) {
  const headingId = useId();
  const [isOver, setOver] = useState(false);
  const found = help.categories.find(({ id }) => id === category);
  const name = found && inMain(found.name, help.language);
  const onDragOver = (event: DragEvent) => {
    if (!drag?.dragged) return;
    event.preventDefault();
    setOver(true);
  };
  return (
    <section
      aria-labelledby={headingId}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        drag?.drop(category, null, true);
      }}
      className={cx('rounded-card border bg-surface', isOver && drag?.dragged && 'border-accent')}
    >
      <div className="flex min-h-11 items-center gap-2 border-b px-4 py-1 pe-2">
        <h2 id={headingId} dir="auto" className="min-w-0 flex-1 truncate font-semibold">
          {found ? name || t('Without a name') : help.categories.length > 0 ? t('Without a category') : t('Articles')}
        </h2>
        {found && drag && <CategoryMenu site={site} help={help} category={found} name={name ?? ''} />}
      </div>
      {articles.length > 0 ? (
        <ul aria-labelledby={headingId} className="divide-y">
          {articles.map((article) => (
            <ArticleRow key={article._id} help={help} article={article} drag={drag} />
          ))}
        </ul>
      ) : (
        <p className="px-4 py-3 text-muted">{t('No articles here yet. Readers do not see an empty category.')}</p>
      )}
    </section>
  );
}

interface CategoryMenuProps {
  site: Site;
  help: HelpCenter;
  category: ArticleCategory;
  name: string;
}

function CategoryMenu({ site, help, category, name }: CategoryMenuProps) {
  const [dialog, setDialog] = useState<'rename' | 'delete' | null>(null);
  const put = usePutCategories(site._id);
  const close = () => setDialog(null);
  const run = useAction(put, { failure: t('The categories could not be changed.'), onSuccess: close });
  const at = help.categories.findIndex(({ id }) => id === category.id);
  const move = (step: number) =>
    void run((known) => {
      const from = known.findIndex(({ id }) => id === category.id);
      return known.filter(({ id }) => id !== category.id).toSpliced(from + step, 0, category);
    });
  return (
    <>
      <DropdownMenu
        trigger={
          <IconButton label={t('More for {title}', { title: name })} size="sm">
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil size={16} aria-hidden />} onSelect={() => setDialog('rename')}>
          {t('Rename')}
        </MenuItem>
        {at > 0 && (
          <MenuItem icon={<ArrowUp size={16} aria-hidden />} onSelect={() => move(-1)}>
            {t('Move up')}
          </MenuItem>
        )}
        {at < help.categories.length - 1 && (
          <MenuItem icon={<ArrowDown size={16} aria-hidden />} onSelect={() => move(1)}>
            {t('Move down')}
          </MenuItem>
        )}
        <MenuItem icon={<Trash2 size={16} aria-hidden />} tone="danger" onSelect={() => setDialog('delete')}>
          {t('Delete')}
        </MenuItem>
      </DropdownMenu>
      {dialog === 'rename' && <CategoryDialog siteId={site._id} help={help} category={category} onDone={close} />}
      <ConfirmDialog
        open={dialog === 'delete'}
        onOpenChange={(open) => !open && close()}
        title={t('Delete this category?')}
        text={t('Its articles stay, without a category.')}
        confirmLabel={t('Delete')}
        busy={put.isPending}
        onConfirm={() => void run((known) => known.filter(({ id }) => id !== category.id))}
      />
    </>
  );
}
