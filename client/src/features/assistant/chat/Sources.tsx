import type { AnswerSource } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { paths } from '../../../lib/paths.ts';

/** The articles that an answer is made of, with its numbers. They open beside the chat, as readers see them where they are public. */
export function Sources({ sources }: { sources: readonly AnswerSource[] }) {
  return (
    <ol aria-label={t('Sources')} className="flex max-w-full flex-col items-end gap-0.5 px-1 text-xs">
      {sources.map(({ article, lang, title, url }, index) => (
        <li key={`${article} ${lang}`} className="flex max-w-full gap-1.5 text-muted">
          <span className="tabular-nums">{index + 1}</span>
          <a
            href={url ?? paths.article(article)}
            target="_blank"
            rel="noopener"
            dir="auto"
            lang={lang}
            className="truncate text-accent-strong underline-offset-2 hover:underline"
          >
            {title}
          </a>
        </li>
      ))}
    </ol>
  );
}
