import { QUESTION_WORDS } from './questionWords.ts';
import { type ReadWords, type Word, wordReader } from './words.ts';

/** Further words of a question are ignored, and so are further characters: what is asked stands at the beginning. */
const WORDS_MAX = 40;
const QUESTION_MAX_LENGTH = 1_000;

const common = new Map<string, Set<string>>();
const readers = new Map<string, ReadWords>();

/** What reads the words of a language, one for all: it remembers the stems that it has made. */
export function sharedReader(lang: string): ReadWords {
  const known = readers.get(lang) ?? wordReader(lang);
  readers.set(lang, known);
  return known;
}

/** The stems of the words that stand in questions about anything. */
export function commonStems(lang: string, read: ReadWords): Set<string> {
  const known = common.get(lang);
  if (known) return known;
  const stems = new Set(read(QUESTION_WORDS[lang] ?? '').map(({ stem }) => stem));
  common.set(lang, stems);
  return stems;
}

/** Each word of a question once. */
export function wordsOfQuestion(question: string, read: ReadWords): Word[] {
  const words = read(question.slice(0, QUESTION_MAX_LENGTH));
  return [...new Map(words.map((word) => [word.stem, word])).values()].slice(0, WORDS_MAX);
}

/** What a question is about: the stems of its words that do not stand in all questions, in alphabetical order. */
export function questionWords(question: string, lang: string): string[] {
  const read = sharedReader(lang);
  const all = commonStems(lang, read);
  const telling = wordsOfQuestion(question, read).filter(({ stem }) => !all.has(stem));
  return telling.map(({ stem }) => stem).sort();
}

const LANGUAGES = Object.keys(QUESTION_WORDS);
/** Of a text, as much as shows its language. */
const SHOWN_MAX_LENGTH = 300;

let languages: Map<string, string[]> | undefined;

/** By word: the languages in whose questions it stands. */
function languagesByWord(): Map<string, string[]> {
  if (languages) return languages;
  languages = new Map();
  for (const lang of LANGUAGES) {
    for (const { text } of sharedReader(lang)(QUESTION_WORDS[lang] ?? '')) {
      const known = languages.get(text) ?? [];
      if (!known.includes(lang)) languages.set(text, [...known, lang]);
    }
  }
  return languages;
}

/** The language of a text, by the words that stand in texts about anything. @param otherwise where these do not show it */
export function languageOf(text: string, otherwise: string): string {
  const byWord = languagesByWord();
  const counts = new Map<string, number>([[otherwise, 0]]);
  for (const word of sharedReader(otherwise)(text.slice(0, SHOWN_MAX_LENGTH)))
    for (const lang of byWord.get(word.text) ?? []) counts.set(lang, (counts.get(lang) ?? 0) + 1);
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}
