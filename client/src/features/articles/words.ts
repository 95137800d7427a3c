import type { ArticleEntry, ArticleLanguage, ArticleStatus, ByLanguage } from 'server/contract';
import { language, localeTag, msg } from '../../lib/i18n.ts';

export const STATUSES = {
  draft: { label: msg('Draft'), tone: 'waiting' },
  published: { label: msg('Published'), tone: 'success' },
  archived: { label: msg('Archived'), tone: 'closed' },
} as const satisfies Record<ArticleStatus, object>;

/** A language by its name, in the reader's language. */
export function languageName(lang: string): string {
  return new Intl.DisplayNames([localeTag()], { type: 'language' }).of(lang) ?? lang;
}

/** In which direction texts of a language are written. */
export function directionOf(lang: ArticleLanguage): 'ltr' | 'rtl' {
  return lang === 'ar' || lang === 'fa' ? 'rtl' : 'ltr';
}

/** The text to show in the dashboard: that of the main language, else the first there is. */
export function inMain<Value>(by: ByLanguage<Value>, main: ArticleLanguage): Value | undefined {
  return by[main] ?? by[language()] ?? Object.values(by)[0];
}

/** The title of an article in a list; empty: it has none yet. */
export function titleOf({ texts }: Pick<ArticleEntry, 'texts'>, main: ArticleLanguage): string {
  return inMain(texts, main)?.title ?? '';
}
