import { isComposing } from 'browser/isComposing';
import { type ClipboardEvent, type DragEvent, useRef } from 'react';
import { ARTICLE_TEXT_MAX_LENGTH, type ArticleLanguage } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { directionOf } from '../words.ts';
import { usePictures } from './pictures.ts';
import type { Saver } from './saver.ts';
import { onFormattingKey, Toolbar } from './Toolbar.tsx';

interface MarkdownFieldProps {
  articleId: string;
  lang: ArticleLanguage;
  saver: Saver;
  text: string;
  isReadOnly: boolean;
}

/** Where an article is written: Markdown, with tools, and pictures by paste, drop and button. */
export function MarkdownField({ articleId, lang, saver, text, isReadOnly }: MarkdownFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { uploads, add } = usePictures(articleId, field, saver);
  const take = (event: ClipboardEvent | DragEvent, files: FileList) => {
    if (!isReadOnly && add(files)) event.preventDefault();
  };
  return (
    <div className="flex min-h-[60vh] min-w-0 flex-1 flex-col rounded-card border border-edge bg-surface focus-within:border-accent">
      {!isReadOnly && <Toolbar field={field} onPictures={add} />}
      <textarea
        ref={field}
        lang={lang}
        dir={directionOf(lang)}
        aria-label={t('Text of the article')}
        placeholder={t('Write the answer as you would write it to one customer. Paste or drop pictures.')}
        maxLength={ARTICLE_TEXT_MAX_LENGTH}
        readOnly={isReadOnly}
        value={text}
        onChange={({ target }) => saver.change({ text: target.value })}
        onKeyDown={(event) => !isComposing(event.nativeEvent) && !isReadOnly && onFormattingKey(event)}
        onPaste={(event) => take(event, event.clipboardData.files)}
        onDrop={(event) => take(event, event.dataTransfer.files)}
        className="w-full flex-1 resize-none bg-transparent px-4 py-3 text-base leading-6 outline-none sm:text-sm sm:leading-6"
      />
      {uploads.length > 0 && (
        <ul aria-label={t('Pictures on their way')} className="border-t px-4 py-2 text-xs text-muted">
          {uploads.map(({ token, name, share }) => (
            <li key={token} className="flex justify-between gap-3">
              <bdi className="truncate">{name}</bdi>
              <span
                role="progressbar"
                aria-label={t('Sending {name}', { name })}
                aria-valuemin={0}
                aria-valuemax={100}
                aria-valuenow={Math.round(share * 100)}
                className="tabular-nums"
              >
                {t('{percent} % sent', { percent: Math.round(share * 100) })}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
