import { QUESTION_WORDS } from './questionWords.ts';
import { type ReadWords, type Word, wordReader } from './words.ts';

/** Further words of a question are ignored, and so are further characters: what is asked stands at the beginning. */
const WORDS_MAX = 40;
const QUESTION_MAX_LENGTH = 1_000;

const common = new Map<string, Set<string>>();

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
  const read = wordReader(lang);
  const all = commonStems(lang, read);
  const telling = wordsOfQuestion(question, read).filter(({ stem }) => !all.has(stem));
  return telling.map(({ stem }) => stem).sort();
}
