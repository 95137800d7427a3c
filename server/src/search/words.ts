/** A longer word is found by its beginning. In code points. */
const WORD_MAX_LENGTH = 32;
/** Distinct words that one text is found by. */
const WORDS_MAX = 1_000;
/** Distinct words of a search that count. */
const TERMS_MAX = 12;

/** Scripts written without blanks: a run of theirs is indexed as pairs of characters. */
const UNSPACED = ['scx=Han', 'scx=Hiragana', 'scx=Katakana', 'scx=Bopomofo', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{${script.includes('=') ? script : `Script=${script}`}}`)
  .join('');
const RUN = `(?:(?=[\\p{L}\\p{N}])[${UNSPACED}])+`;
const WORD = `(?:(?![${UNSPACED}])[\\p{L}\\p{N}])+`;
const SEGMENT = new RegExp(`(?<run>${RUN})|(?<word>${WORD})|\\p{Extended_Pictographic}|\\p{RI}{2}`, 'gu');

/** A word that has to be there; as a prefix it stands for all words that begin with it. */
export interface Term {
  word: string;
  prefix: boolean;
}

/** The form in which words are compared: no case, accents, vowel signs, invisible characters or presentation forms. */
function fold(text: string): string {
  const bare = text.normalize('NFKD').replace(/[\p{M}\p{Cf}\u0640]/gu, '');
  return bare.toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

const cut = (word: string) => [...word].slice(0, WORD_MAX_LENGTH).join('');

function pairs(run: string): string[] {
  const characters = [...run];
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

/** The words that these texts are found by, each once. */
export function wordsOf(...texts: (string | null)[]): string[] {
  const words = new Set<string>();
  for (const text of texts) {
    for (const { 0: segment, groups } of fold(text ?? '').matchAll(SEGMENT)) {
      // the last character of a run begins no pair, and is to be found all the same
      const own = groups?.run === undefined ? [cut(segment)] : [...pairs(segment), [...segment].at(-1) ?? ''];
      for (const word of own) if (words.size < WORDS_MAX) words.add(word);
    }
  }
  return [...words];
}

/** What a search asks for: every term has to be met. The last word may still be being typed, and is a prefix. */
export function termsOf(search: string): Term[] {
  const segments = [...fold(search).matchAll(SEGMENT)];
  const terms = new Map<string, Term>();
  for (const [i, { 0: segment, groups }] of segments.entries()) {
    const isLast = i === segments.length - 1;
    const run = groups?.run === undefined ? [] : pairs(segment);
    const prefix = groups?.run === undefined ? isLast && groups?.word !== undefined : true;
    const own = run.length > 0 ? run.map((word) => ({ word, prefix: false })) : [{ word: cut(segment), prefix }];
    for (const term of own) if (!terms.has(term.word)) terms.set(term.word, term);
  }
  return [...terms.values()].slice(0, TERMS_MAX);
}

/** Whether some of these words meet a term. */
export function meets(words: readonly string[], { word, prefix }: Term): boolean {
  return prefix ? words.some((own) => own.startsWith(word)) : words.includes(word);
}
