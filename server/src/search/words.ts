/** A longer word is found by its beginning. In code points. */
const WORD_MAX_LENGTH = 32;
/** Distinct words that one message is found by: what it may cost in the index. */
export const MESSAGE_WORDS_MAX = 120;
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

/** What a folded text leaves out: marks, invisible characters, Arabic stretching, and the marks of half-width Katakana. */
const MARKS = '\\p{M}\\p{Cf}\\u0640\\uFF9E\\uFF9F';
const MARK_RUNS = new RegExp(`[${MARKS}]+`, 'gu');
/** A presentation form may stand for eighteen letters: what a text folds to is read this far. In UTF-16 units. */
const FOLDED_MAX = 20_000;

/**
 * The form in which words are compared: no case, accents, vowel signs, invisible characters or presentation forms.
 * Marks go before the text is decomposed, too: decomposing puts each run of them in order, which costs its length squared.
 */
function fold(text: string): string {
  const bare = text.replace(MARK_RUNS, '').normalize('NFKD').replace(MARK_RUNS, '').slice(0, FOLDED_MAX);
  // Small first: a capital sharp s has no greater form, and so would stay one letter, where the small one becomes two.
  return bare.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

const cut = (word: string) => [...word.slice(0, 2 * WORD_MAX_LENGTH)].slice(0, WORD_MAX_LENGTH).join('');

function pairs(run: string): string[] {
  const characters = [...run];
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

/** The words of one segment, with where in it they begin. */
function* wordsIn({ 0: segment, groups }: RegExpExecArray): Generator<{ word: string; at: number }> {
  if (groups?.run === undefined) {
    yield { word: cut(segment), at: 0 };
    return;
  }
  let [at, first] = [0, ''];
  for (const second of segment) {
    if (first !== '') yield { word: `${first}${second}`, at };
    at += first.length;
    first = second;
  }
  // The last character of a run begins no pair, and is to be found all the same.
  yield { word: first, at };
}

/** The words that these texts are found by, each once. */
export function wordsOf(...texts: (string | null)[]): string[] {
  const words = new Set<string>();
  for (const text of texts) {
    for (const segment of fold(text ?? '').matchAll(SEGMENT)) {
      for (const { word } of wordsIn(segment)) {
        if (words.size === MESSAGE_WORDS_MAX) return [...words];
        words.add(word);
      }
    }
  }
  return [...words];
}

/** What folds by itself: a character with its marks, and Korean letters together, since several become one syllable. */
const CLUSTER = new RegExp(`(?:\\p{Script=Hangul}+|[^])[${MARKS}]*`, 'gu');

/** Where the first word of a text begins that meets one of these terms; -1: there is none. */
export function firstMeeting(text: string, terms: Term[]): number {
  let folded = '';
  /** Where each part of `folded` comes from, by where it begins. */
  const origins = new Map<number, number>();
  for (const { 0: cluster, index } of text.matchAll(CLUSTER)) {
    if (folded.length > FOLDED_MAX) break;
    origins.set(folded.length, index);
    folded += fold(cluster);
  }
  for (const segment of folded.matchAll(SEGMENT)) {
    for (const { word, at } of wordsIn(segment)) {
      if (!terms.some((term) => meets([word], term))) continue;
      let from = segment.index + at;
      while (from > 0 && !origins.has(from)) from--;
      return origins.get(from) ?? 0;
    }
  }
  return -1;
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
