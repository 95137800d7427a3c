import { Plus } from 'lucide-react';
import type { Article, ArticleLanguage, HelpCenter } from 'server/contract';
import { cx } from '../../../lib/cx.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/Button.tsx';
import { DropdownMenu, MenuItem } from '../../../ui/DropdownMenu.tsx';
import { languageName } from '../words.ts';

interface LanguageBarProps {
  article: Article;
  help: HelpCenter;
  shown: ArticleLanguage;
  /** Those that were begun in this visit, and have no text yet. */
  begun: readonly ArticleLanguage[];
  onShow: (lang: ArticleLanguage) => void;
  isReadOnly: boolean;
}

/** The languages of an article. A site with one language has no use for it. */
export function LanguageBar({ article, help, shown, begun, onShow, isReadOnly }: LanguageBarProps) {
  const all = [help.language, ...help.languages, ...article.texts.map(({ lang }) => lang)];
  const present = [...new Set([help.language, ...all, shown])].filter(
    (lang) => lang === help.language || begun.includes(lang) || article.texts.some((text) => text.lang === lang),
  );
  const missing = help.languages.filter((lang) => !present.includes(lang));
  if (present.length === 1 && missing.length === 0) return null;
  return (
    <div className="flex items-center gap-1 overflow-x-auto border-b">
      <fieldset aria-label={t('Languages')} className="flex gap-1">
        {present.map((lang) => {
          const isOld = article.texts.find((text) => text.lang === lang)?.outdated;
          return (
            <button
              key={lang}
              type="button"
              aria-pressed={lang === shown}
              onClick={() => onShow(lang)}
              className={cx(
                'flex shrink-0 items-center gap-2 border-b-2 px-3 py-2.5 font-medium focus-visible:-outline-offset-2',
                lang === shown ? 'border-accent text-text' : 'border-transparent text-muted hover:text-text',
              )}
            >
              {languageName(lang)}{' '}
              {isOld && <span className="rounded-full bg-waiting-soft px-2 text-xs text-waiting">{t('outdated')}</span>}
            </button>
          );
        })}
      </fieldset>
      {missing.length > 0 && !isReadOnly && (
        <DropdownMenu
          align="start"
          trigger={
            <Button variant="ghost" size="sm">
              <Plus size={16} aria-hidden />
              {t('Add translation')}
            </Button>
          }
        >
          {missing.map((lang) => (
            <MenuItem key={lang} onSelect={() => onShow(lang)}>
              {languageName(lang)}
            </MenuItem>
          ))}
        </DropdownMenu>
      )}
    </div>
  );
}
