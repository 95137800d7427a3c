import { type KeyboardEvent, useState } from 'react';
import { ARTICLE_TITLE_MAX_LENGTH, type Article, type ArticleLanguage, type HelpCenter } from 'server/contract';
import { cx } from '../../../lib/cx.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/Button.tsx';
import { directionOf, languageName } from '../words.ts';
import { Conflict } from './Conflict.tsx';
import { Details } from './Details.tsx';
import { MarkdownField } from './MarkdownField.tsx';
import { Preview } from './Preview.tsx';
import { fieldError } from './SavedState.tsx';
import { baseOf, type Saver } from './saver.ts';
import { useSaverState } from './useSavers.ts';

type View = 'write' | 'preview' | 'original';

interface TextEditorProps {
  article: Article;
  help: HelpCenter;
  lang: ArticleLanguage;
  saver: Saver;
  /** Whether its language is the one shown. */
  isShown: boolean;
  isReadOnly: boolean;
  autoFocus: boolean;
}

/** The text of an article in one language, with its preview beside it, or on a phone in its place. */
export function TextEditor(props: TextEditorProps) {
  const { article, help, lang, saver, isShown, isReadOnly, autoFocus } = props;
  const { values, conflicts, failure } = useSaverState(saver);
  const [view, setView] = useState<View>(isReadOnly ? 'preview' : 'write');
  const isTranslation = lang !== help.language;
  const original = baseOf(article, help.language);
  const side = view === 'original' && isTranslation ? { lang: help.language, ...original } : { lang, ...values };
  const isOld = article.texts.find((text) => text.lang === lang)?.outdated ?? false;
  const titleError = fieldError(failure, 'title');
  // Enter goes on to the text, as in a letter.
  const onTitleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    event.currentTarget.closest('section')?.querySelector('textarea')?.focus();
  };
  return (
    <section aria-label={languageName(lang)} hidden={!isShown} className="flex flex-col gap-4 pt-4 [[hidden]]:hidden!">
      {isOld && (
        <p
          role="status"
          className="flex flex-wrap items-center justify-between gap-2 rounded-control bg-waiting-soft p-3"
        >
          {t('The original was changed after this translation.')}
          <Button variant="secondary" size="sm" onClick={() => setView('original')}>
            {t('Show the original')}
          </Button>
        </p>
      )}
      {conflicts.length > 0 && <Conflict conflicts={conflicts} lang={lang} onChoose={saver.choose} />}
      <div>
        <input
          lang={lang}
          dir={directionOf(lang)}
          aria-label={t('Title')}
          aria-invalid={titleError ? true : undefined}
          placeholder={t('Title: the question as a customer asks it')}
          maxLength={ARTICLE_TITLE_MAX_LENGTH}
          readOnly={isReadOnly}
          // biome-ignore lint/a11y/noAutofocus: whoever presses 'New article' begins with its title
          autoFocus={autoFocus}
          value={values.title}
          onChange={({ target }) => saver.change({ title: target.value })}
          onKeyDown={onTitleKey}
          className="w-full rounded-small bg-transparent text-2xl font-semibold placeholder:text-muted/70"
        />
        {titleError && <p className="pt-1 text-xs font-medium text-danger">{titleError}</p>}
      </div>
      <ViewSwitch view={view} isTranslation={isTranslation} onChoose={setView} />
      <div className="grid gap-4 lg:grid-cols-2">
        <div className={cx('flex min-w-0 flex-col', view !== 'write' && 'max-lg:hidden')}>
          <MarkdownField articleId={article._id} lang={lang} saver={saver} text={values.text} isReadOnly={isReadOnly} />
        </div>
        <div
          className={cx(
            'min-w-0 overflow-y-auto rounded-card border bg-surface lg:max-h-[75vh]',
            view === 'write' && 'max-lg:hidden',
          )}
        >
          {isShown && <Preview siteId={article.siteId} lang={side.lang} title={side.title} text={side.text} />}
          {view === 'original' && isTranslation && values.text.trim() === '' && !isReadOnly && original.text !== '' && (
            <div className="border-t p-4">
              <Button variant="secondary" size="sm" onClick={() => saver.change({ text: original.text })}>
                {t('Begin the translation with this text')}
              </Button>
            </div>
          )}
        </div>
      </div>
      <Details article={article} help={help} lang={lang} saver={saver} values={values} isReadOnly={isReadOnly} />
    </section>
  );
}

interface ViewSwitchProps {
  view: View;
  isTranslation: boolean;
  onChoose: (view: View) => void;
}

/** What is shown in place of the text, or beside it on wide screens. */
function ViewSwitch({ view, isTranslation, onChoose }: ViewSwitchProps) {
  const views: { value: View; label: string; look?: string }[] = [
    { value: 'write', label: t('Write'), look: 'lg:hidden' },
    { value: 'preview', label: t('Preview') },
    ...(isTranslation ? [{ value: 'original' as const, label: t('Original') }] : []),
  ];
  return (
    <fieldset aria-label={t('View')} className={cx('flex gap-0.5 lg:justify-end', !isTranslation && 'lg:hidden')}>
      {views.map(({ value, label, look }) => {
        const isActive = view === value;
        const isBeside = value === 'preview' && view === 'write';
        return (
          <button
            key={value}
            type="button"
            aria-pressed={isActive}
            onClick={() => onChoose(value)}
            className={cx(
              'h-8 rounded-control px-3 font-medium',
              isActive ? 'bg-accent-soft text-accent-strong' : 'text-muted hover:bg-text/5 hover:text-text',
              isBeside && 'lg:bg-accent-soft lg:text-accent-strong',
              look,
            )}
          >
            {label}
          </button>
        );
      })}
    </fieldset>
  );
}
