/**
 * The texts of the dashboard in its language. The English text is the key (as with gettext), so English needs no catalogue.
 *
 * - `t('Save changes')`, `t('Claimed by {name}', { name })`: a whole sentence with placeholders, never one put together.
 * - `plural(count, '{count} chat', '{count} chats')`: some languages have six forms.
 * - `t('Open|verb')`: where one English text needs two translations, a note follows a bar, and is not shown.
 * - `msg('Home')` marks a text in a constant of a module, which is made before the language is known; `t(label)` shows it.
 * - `rich('Read the <a>docs</a>', { a: … })`, in rich.ts, for texts with elements inside.
 *
 * `npm run check -- texts` finds texts that are not marked; `node scripts/texts.js` takes translations in.
 */
import type { Language } from 'server/contract';

/** A translation, or one for each plural form of the language. */
type Entry = string | Partial<Record<Intl.LDMLPluralRule, string>>;
/** The translations of a language by their English text; for plurals, by that of the form for several. */
export type Catalogue = Record<string, Entry>;
/** What stands in a text's placeholders. */
export type Values = Record<string, string | number>;

/** The letters of Hebrew, Arabic and all other scripts that are written from the right, and characters that turn others. */
const RIGHT_TO_LEFT = /[\u202A-\u202E\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

let shown: Language = 'en';
let locale: string = shown;
let catalogue: Catalogue = {};
let rules: Intl.PluralRules | undefined;
const listeners = new Set<() => void>();

/** The language shown. */
export function language(): Language {
  return shown;
}

/** The tag for `Intl`: of the language shown, as the reader's country writes it where that is known. */
export function localeTag(): string {
  return locale;
}

/** Calls the listener when the language changes: everything has to be rendered again. */
export function onLanguage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows a language from now on. @param tag for `Intl` */
export function showTexts(next: Language, texts: Catalogue, tag: string = next): void {
  [shown, catalogue, locale] = [next, texts, tag];
  rules = next === 'en' ? undefined : new Intl.PluralRules(next);
  Object.assign(document.documentElement, { lang: next, dir: direction() });
  for (const listener of listeners) listener();
}

/** All texts of the language shown, for those who have no catalogue of their own. */
export function shownTexts(): { language: Language; direction: string; catalogue: Catalogue } {
  return { language: shown, direction: direction(), catalogue };
}

/** In which direction the language shown is written. */
export function direction(): 'ltr' | 'rtl' {
  return shown === 'ar' ? 'rtl' : 'ltr';
}

/** A text in the language shown. */
export function t(text: string, values?: Values): string {
  return fill(template(text), values);
}

/** A text with a count in it. @param one in English, of one @param other in English, of several; the key */
export function plural(count: number, one: string, other: string, values?: Values): string {
  const entry = catalogue[other];
  const own = rules && typeof entry === 'object' ? (entry[rules.select(count)] ?? entry.other) : undefined;
  return fill(own ?? (count === 1 ? one : other), { count: count.toLocaleString(locale), ...values });
}

/** Marks a text that is translated later, by `t`. */
export function msg<Text extends string>(text: Text): Text {
  return text;
}

/** The text in the language shown, with its placeholders. */
export function template(text: string): string {
  const entry = catalogue[text];
  return typeof entry === 'string' ? entry : text.replace(/\|\w+$/, '');
}

/** Puts the values into the placeholders; others stay. */
export function fill(text: string, values: Values = {}): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => isolated(values[name]) ?? placeholder);
}

/**
 * A value among the words of a sentence, where it keeps its own direction: a name, an address or a phone number would change
 * places with the words beside it. Values that cannot do that stay as they are, and so do parts that are isolated already.
 */
export function isolated(value: string | number | undefined): string | undefined {
  if (value === undefined) return undefined;
  const open = `${value}`.replace(/\u2068[^\u2068\u2069]*\u2069/g, '');
  const isOther = direction() === 'rtl' ? /\p{L}|\d\D|\D\d/u.test(open) : RIGHT_TO_LEFT.test(open);
  return isOther ? `\u2068${value}\u2069` : `${value}`;
}

/** 'a, b, c', with the comma of the language. */
export function listed(parts: readonly string[]): string {
  return parts.map(isolated).join(shown === 'ar' ? '، ' : ', ');
}

/** Short facts in one line: 'Ana · Oak and Line'. What is not known is left out. */
export function facts(...parts: readonly (string | false | null | undefined)[]): string {
  return parts.flatMap((part) => (part ? isolated(part) : [])).join(' · ');
}

/** Whole sentences one after the other. */
export function sentences(...parts: readonly string[]): string {
  return parts.filter(Boolean).join(' ');
}
