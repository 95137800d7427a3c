/** The full-text index: longer words are indexed by their first so many code points. */
const WORD_MAX_LENGTH = 32;
/** Distinct words that one message is indexed by. It bounds what a message costs in the index. */
export const MESSAGE_WORDS_MAX = 120;
/** Distinct words of a search that are used; further ones are ignored. */
const TERMS_MAX = 12;

/** Scripts written without blanks between words: a run of their characters is indexed as overlapping pairs. */
const UNSPACED = ['scx=Han', 'scx=Hiragana', 'scx=Katakana', 'scx=Bopomofo', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{${script.includes('=') ? script : `Script=${script}`}}`)
  .join('');
const RUN = `(?:(?=[\\p{L}\\p{N}])[${UNSPACED}])+`;
const WORD = `(?:(?![${UNSPACED}])[\\p{L}\\p{N}])+`;
const SEGMENT = new RegExp(`(?<run>${RUN})|(?<word>${WORD})|\\p{Extended_Pictographic}|\\p{RI}{2}`, 'gu');

/** A word that must occur; as a prefix it matches all words that begin with it. */
export interface Term {
  word: string;
  prefix: boolean;
}

/** What folding removes: marks, invisible characters, Arabic stretching, and the marks of half-width Katakana. */
const MARKS = '\\p{M}\\p{Cf}\\u0640\\uFF9E\\uFF9F';
const MARK_RUNS = new RegExp(`[${MARKS}]+`, 'gu');
/** One presentation form may fold to eighteen letters, so only this much of a folded text is read. In UTF-16 units. */
const FOLDED_MAX = 20_000;

/**
 * The form in which words are compared: without case, accents, vowel signs, invisible characters or presentation forms.
 * Marks are removed before the text is decomposed as well: decomposing sorts each run of marks, in time quadratic in its
 * length.
 */
function fold(text: string): string {
  const bare = text.replace(MARK_RUNS, '').normalize('NFKD').replace(MARK_RUNS, '').slice(0, FOLDED_MAX);
  // Lower case first: a capital sharp s has no upper-case form and would not become two letters.
  return bare.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

const cut = (word: string) => [...word.slice(0, 2 * WORD_MAX_LENGTH)].slice(0, WORD_MAX_LENGTH).join('');

function pairs(run: string): string[] {
  const characters = [...run];
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

/** A stretch of a text between blanks and punctuation. */
export interface Stretch {
  /** Folded, and cut where it is too long. */
  word: string;
  /** The overlapping pairs of a stretch without blanks between its words; undefined: it is one word. */
  pairs?: string[];
}

/** The words of a text in their order, for other indexes than that of the chats. Long texts are read up to a bound. */
export function stretchesOf(text: string): Stretch[] {
  return Array.from(fold(text).matchAll(SEGMENT), ({ 0: segment, groups }) =>
    groups?.run === undefined ? { word: cut(segment) } : { word: segment, pairs: pairs(segment) },
  );
}

/** The words of one segment, each with its position in the segment. */
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
  // The last character of a run begins no pair, so it is indexed alone as well.
  yield { word: first, at };
}

/** The words that these texts are indexed by, each once. */
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

/**
 * The smallest parts that fold independently: a character with its marks, and a run of Korean letters, since several of
 * them become one syllable.
 */
const CLUSTER = new RegExp(`(?:\\p{Script=Hangul}+|[^])[${MARKS}]*`, 'gu');

/** The position of the first word of a text that matches one of these terms; -1: there is none. */
export function firstMatch(text: string, terms: Term[]): number {
  let folded = '';
  /** The position in the text of each part of `folded`, by its position there. */
  const origins = new Map<number, number>();
  for (const { 0: cluster, index } of text.matchAll(CLUSTER)) {
    if (folded.length > FOLDED_MAX) break;
    origins.set(folded.length, index);
    folded += fold(cluster);
  }
  for (const segment of folded.matchAll(SEGMENT)) {
    for (const { word, at } of wordsIn(segment)) {
      if (!terms.some((term) => matchesTerm([word], term))) continue;
      let from = segment.index + at;
      while (from > 0 && !origins.has(from)) from--;
      return origins.get(from) ?? 0;
    }
  }
  return -1;
}

/** The terms of a search, all of which must match. The last one is a prefix, since it may be typed only in part. */
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

/** Whether one of these words matches a term. */
export function matchesTerm(words: readonly string[], { word, prefix }: Term): boolean {
  return prefix ? words.some((own) => own.startsWith(word)) : words.includes(word);
}
