import type { ArticleLanguage } from '#features/articles/contract';
import texts from './texts.json' with { type: 'json' };

/** What the public pages say besides what a team has written. `{…}` stands for a value. */
export type PageTexts = (typeof texts)['en'];

/** The texts of the public pages, in all languages in which articles can be written. */
export const PAGE_TEXTS: Record<ArticleLanguage, PageTexts> = texts;

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set<ArticleLanguage>(['ar', 'fa']);

/** The direction in which a language is written. */
export const directionOf = (lang: ArticleLanguage) => (RIGHT_TO_LEFT.has(lang) ? 'rtl' : 'ltr');

/** A text with a value in the place of its mark. */
export function filled(text: string, value: string): string {
  return text.replace(/\{\w+\}/, () => value);
}

/** The name of a language, in itself. */
export function languageName(lang: ArticleLanguage): string {
  return new Intl.DisplayNames([lang], { type: 'language' }).of(lang) ?? lang;
}

const CALENDAR = { dateStyle: 'long', timeZone: 'UTC', calendar: 'gregory' } as const;

/** A day as a reader of this language writes it. */
export function dayIn(lang: ArticleLanguage, at: Date): string {
  return new Intl.DateTimeFormat(lang, CALENDAR).format(at);
}
