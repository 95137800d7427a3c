import type { LanguageName, LoadPart } from './parts.ts';
import { useWords } from './words.ts';

const KNOWN: readonly string[] = ['en', 'ar', 'de', 'es', 'fa', 'fr', 'hi', 'ja', 'pt', 'ru', 'tr', 'zh'];
const RIGHT_TO_LEFT = ['ar', 'fa'];

/** The language that the chat speaks. */
export interface Language {
  name: LanguageName;
  /** How numbers, times and dates are written: as in the visitor's own region, where that is of the same language. */
  locale: string;
  direction: 'ltr' | 'rtl';
}

/** Goes over to the first of these tags' languages that the widget speaks, else to English. */
export async function speak(tags: readonly (string | undefined)[], load: LoadPart): Promise<Language> {
  const wished = tags.map(nameOf).find((name) => KNOWN.includes(name)) as LanguageName | undefined;
  let name = wished ?? 'en';
  try {
    useWords(name === 'en' ? undefined : (await load(name, 0)).words);
  } catch {
    useWords();
    name = 'en';
  }
  return {
    name,
    locale: nameOf(navigator.language) === name && isTag(navigator.language) ? navigator.language : name,
    direction: RIGHT_TO_LEFT.includes(name) ? 'rtl' : 'ltr',
  };
}

/** Some systems say what no date can be written by, as `en-US@posix`. */
function isTag(tag: string): boolean {
  try {
    return Boolean(new Intl.Locale(tag));
  } catch {
    return false;
  }
}

/** `pt-BR` → `pt` */
function nameOf(tag = ''): string {
  return tag.toLowerCase().split(/[-_]/, 1)[0] ?? '';
}
