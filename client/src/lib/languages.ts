import type { Language } from 'server/contract';
import { type Catalogue, language, showTexts } from './i18n.ts';
import { codeOf, isUnsaved } from './release.ts';
import { localStore } from './storage.ts';

/** The language that the user of this browser chose, so that it shows before the profile is loaded. */
const LANGUAGE_KEY = 'parley_language';

/** How often the texts of a language are requested again that could not be loaded. */
const AGAIN_EVERY_MS = 4_000;

/** Each is a file of its own, loaded when its language is shown. */
const CATALOGUES = {
  de: catalogue(() => import('../locales/de.json')),
  es: catalogue(() => import('../locales/es.json')),
  fr: catalogue(() => import('../locales/fr.json')),
  pt: catalogue(() => import('../locales/pt.json')),
  ar: catalogue(() => import('../locales/ar.json')),
};

/** What was asked for last: an older request may be answered later. */
let wanted: Language = 'en';

/** Shows the language that the user chose, or the first of the browser's that there is. */
export function showOwnLanguage(): Promise<void> {
  return load(known(localStore.get(LANGUAGE_KEY)) ?? ofBrowser());
}

/** Shows a language and remembers it. @param chosen `undefined`: that of the browser */
export async function chooseLanguage(chosen: Language | undefined): Promise<void> {
  if ((chosen ?? null) === localStore.get(LANGUAGE_KEY)) return;
  if (chosen) localStore.set(LANGUAGE_KEY, chosen);
  else localStore.remove(LANGUAGE_KEY);
  await showOwnLanguage();
}

async function load(next: Language): Promise<void> {
  wanted = next;
  if (next === language()) return;
  try {
    const texts = next === 'en' ? {} : await CATALOGUES[next].load();
    if (next === wanted) showTexts(next, texts, tagOf(next));
  } catch (error) {
    // The texts that are shown now can be read, too.
    console.warn('The texts of a language could not be loaded', error);
    setTimeout(() => void loadLate(next), AGAIN_EVERY_MS);
  }
}

/**
 * Loads them while they are wanted. Another language renders every screen again, so it waits for whoever is writing, has a dialog
 * open, or would lose something.
 */
async function loadLate(next: Language): Promise<void> {
  if (next !== wanted) return;
  const isInUse = document.activeElement?.matches('input, textarea, select, [role=dialog] *');
  if (isInUse || isUnsaved()) setTimeout(() => void loadLate(next), AGAIN_EVERY_MS);
  else await load(next);
}

function catalogue(request: () => Promise<{ default: Catalogue }>) {
  return codeOf(async () => (await request()).default);
}

function ofBrowser(): Language {
  return navigator.languages.map(known).find((each) => each !== undefined) ?? 'en';
}

/** The language of a tag such as `de-AT`, if it is one of ours. */
function known(tag: string | null): Language | undefined {
  const code = tag?.toLowerCase().split('-')[0] ?? '';
  return code === 'en' || Object.hasOwn(CATALOGUES, code) ? (code as Language) : undefined;
}

/** Dates and numbers as in the reader's country. Digits are those of all other numbers on the page. */
function tagOf(next: Language): string {
  if (next === 'en') return next;
  return `${navigator.languages.find((tag) => known(tag) === next) ?? next}-u-nu-latn`;
}
