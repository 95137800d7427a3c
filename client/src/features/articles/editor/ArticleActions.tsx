import {
  Archive,
  ArchiveRestore,
  Ellipsis,
  EyeOff,
  FileClock,
  Languages,
  Send,
  SquareArrowOutUpRight,
  Trash2,
} from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Article, ArticleLanguage, HelpCenter } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { t } from '../../../lib/i18n.ts';
import { paths } from '../../../lib/paths.ts';
import { useAction } from '../../../shared/useAction.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { DropdownMenu, MenuItem } from '../../../ui/DropdownMenu.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { useArticleChange, useDeleteArticle } from '../api.ts';
import { languageName } from '../words.ts';
import { usePublish } from './usePublish.ts';
import type { Savers } from './useSavers.ts';
import { useSaverState } from './useSavers.ts';

type Asked = 'withdraw' | 'archive' | 'translation' | 'delete';

interface ActionsProps {
  article: Article;
  help: HelpCenter;
  lang: ArticleLanguage;
  savers: Savers;
  onVersions: () => void;
  /** The text of the language shown is gone. */
  onTranslationDeleted: () => void;
}

/** What can be done with an article as a whole. */
export function ArticleActions({ article, help, lang, savers, onVersions, onTranslationDeleted }: ActionsProps) {
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Asked | null>(null);
  const params = { id: article._id };
  const close = () => setAsked(null);
  const { publish, isPending } = usePublish(article, lang, savers);
  const patch = useArticleChange((status: 'draft' | 'archived') =>
    call('PATCH /articles/:id', { params, body: { status } }),
  );
  const setStatus = useAction(patch, { failure: t('The article could not be changed.'), onSuccess: close });
  const drop = useArticleChange(() => call('DELETE /articles/:id/texts/:lang', { params: { ...params, lang } }));
  const dropTranslation = useAction(drop, {
    failure: t('The translation could not be deleted.'),
    onSuccess: () => {
      close();
      onTranslationDeleted();
    },
  });
  const removal = useDeleteArticle(article.siteId);
  const remove = useAction(removal, {
    success: t('The article was deleted'),
    failure: t('The article could not be deleted.'),
    onSuccess: () => {
      savers.discard();
      void navigate(paths.help);
    },
  });

  const text = article.texts.find((each) => each.lang === lang);
  const { status, urls } = article;
  const isDirty = useSaverState(savers.of(lang)).phase !== 'saved';
  const isLive = status === 'published' && (text?.published ?? false);
  const hasChanges = !isLive || isDirty || (text?.changed ?? true);
  const others = article.texts.filter((each) => each.lang !== lang && (each.changed || !each.published));
  const questions = {
    withdraw: {
      title: t('Withdraw this article?'),
      text: t('Readers no longer find it, and its address says that it is gone. It becomes a draft again.'),
      confirmLabel: t('Withdraw'),
      busy: patch.isPending,
      run: () => setStatus('draft'),
    },
    archive: {
      title: t('Archive this article?'),
      text: t('Readers no longer find it. It stays in the archive at the end of the list.'),
      confirmLabel: t('Archive|verb'),
      busy: patch.isPending,
      run: () => setStatus('archived'),
    },
    translation: {
      title: t('Delete this translation?'),
      text: t('The text in {language} is deleted with its versions. Readers see the main language instead.', {
        language: languageName(lang),
      }),
      confirmLabel: t('Delete'),
      busy: drop.isPending,
      run: () => {
        savers.discard(lang);
        return dropTranslation(undefined);
      },
    },
    delete: {
      title: t('Delete this article?'),
      text: t('All its texts, versions and figures are deleted. This cannot be undone.'),
      confirmLabel: t('Delete'),
      busy: removal.isPending,
      run: () => remove(article._id),
    },
  } satisfies Record<Asked, object>;
  const question = asked && questions[asked];

  return (
    <div className="flex items-center gap-1">
      {status !== 'archived' && (
        <Button busy={isPending} disabled={!hasChanges} onClick={() => void publish('this')}>
          {!isLive ? t('Publish') : hasChanges ? t('Publish changes') : t('Published')}
        </Button>
      )}
      {status === 'archived' && (
        <Button variant="secondary" busy={patch.isPending} onClick={() => void setStatus('draft')}>
          <ArchiveRestore size={16} aria-hidden />
          {t('Take out of the archive')}
        </Button>
      )}
      <DropdownMenu
        trigger={
          <IconButton label={t('More')}>
            <Ellipsis size={18} aria-hidden />
          </IconButton>
        }
      >
        {others.length > 0 && status !== 'archived' && (
          <MenuItem icon={<Send size={16} aria-hidden />} onSelect={() => void publish('all')}>
            {t('Publish all languages')}
          </MenuItem>
        )}
        {urls[lang] && (
          <MenuItem
            icon={<SquareArrowOutUpRight size={16} aria-hidden />}
            onSelect={() => window.open(urls[lang], '_blank', 'noopener')}
          >
            {t('Open the public page')}
          </MenuItem>
        )}
        {text && (
          <MenuItem icon={<FileClock size={16} aria-hidden />} onSelect={onVersions}>
            {t('Versions')}
          </MenuItem>
        )}
        {status === 'published' && (
          <MenuItem icon={<EyeOff size={16} aria-hidden />} onSelect={() => setAsked('withdraw')}>
            {t('Withdraw')}
          </MenuItem>
        )}
        {status !== 'archived' && (
          <MenuItem icon={<Archive size={16} aria-hidden />} onSelect={() => setAsked('archive')}>
            {t('Archive|verb')}
          </MenuItem>
        )}
        {text && lang !== help.language && (
          <MenuItem icon={<Languages size={16} aria-hidden />} tone="danger" onSelect={() => setAsked('translation')}>
            {t('Delete this translation')}
          </MenuItem>
        )}
        {status !== 'published' && (
          <MenuItem icon={<Trash2 size={16} aria-hidden />} tone="danger" onSelect={() => setAsked('delete')}>
            {t('Delete')}
          </MenuItem>
        )}
      </DropdownMenu>
      <ConfirmDialog
        open={question !== null}
        onOpenChange={(open) => !open && close()}
        title={question?.title ?? ''}
        text={question?.text ?? ''}
        confirmLabel={question?.confirmLabel ?? ''}
        busy={question?.busy ?? false}
        onConfirm={() => void question?.run()}
      />
    </div>
  );
}
