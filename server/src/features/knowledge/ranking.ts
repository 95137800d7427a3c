import { excerptOf } from './excerpt.ts';
import { passagesOf, type Source } from './passages.ts';
import { QUESTION_WORDS } from './questionWords.ts';
import { type ReadWords, type Word, wordReader } from './words.ts';

/** BM25: how soon a further occurrence of a word adds nothing, and how much the length of a passage counts. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.35;
/** What a word counts in the title, in the headings above a passage, and in other ways to ask. */
const TITLE = 2;
const HEADINGS = 2;
const ASKED = 3;
/** What a word counts that stands in questions about anything. */
const COMMON = 0.2;
/** What a word counts that is found by its pieces, and the share of them that is needed. */
const LIKENESS = 0.65;
const PIECES_MIN = 0.6;
/** How much all passages of a source count together, beside the best one alone. */
const WHOLE = 0.5;
/** As if there were so many more sources: in a few, each word would seem to say little. */
const OTHER_SOURCES = 40;
/** Below it, nothing that is found is about the question: chosen, as the others, on half of the retrieval set. */
const FLOOR = 5.5;
/** How much it counts that most of a question is found. */
const BONUS_FROM = 0.5;
/** What stands behind the best has at least this share of its score. */
const BESIDE = 0.25;

/** Further words of a question are ignored, and so are further characters: what is asked stands at the beginning. */
const WORDS_MAX = 40;
const QUESTION_MAX_LENGTH = 1_000;
/** Of one index; what comes after them is not found. */
const PASSAGES_MAX = 4_000;
/** About what one entry of a list takes, and one list with its term. */
const POSTING_BYTES = 16;
const TERM_BYTES = 120;

/** A source that was found. */
export interface Hit {
  id: string;
  /** Comparable between questions and languages, roughly. */
  score: number;
  /** The part of its best passage that answers. */
  excerpt: string;
}

/** The sources of one language, ready to be searched. */
export interface RankedSources {
  /** About how much memory they take. */
  bytes: number;
  /** The sources that are about this question, the best first; none where all that is found hardly is. */
  /** @param share of the floor that is enough where a wrong hit does little harm */
  find(question: string, limit: number, share?: number): Hit[];
}

interface Entry {
  source: number;
  text: string;
  /** In words. */
  length: number;
}

/** How well a passage has a word: how often, by weight, and whether it is the word itself (1) or only looks like it. */
interface Match {
  times: number;
  likeness: number;
}

/** Makes an index of sources in one language: BM25 over their passages. Ranks do not depend on the order in which sources are added. */
export function createRanking(lang: string): { add(source: Source): void; done(): RankedSources } {
  const read = wordReader(lang);
  const ids: string[] = [];
  const entries: Entry[] = [];
  const stems = createPostings();
  const pieces = createPostings();
  /** In how many sources a stem is. */
  const frequency = new Map<string, number>();

  function add(source: Source): void {
    const seen = new Set<string>();
    const title = read(source.title);
    const asked = read(source.alsoAsked.join(' '));
    for (const [i, passage] of passagesOf(source).entries()) {
      if (entries.length === PASSAGES_MAX) break;
      const parts: [Word[], weight: number][] = [
        [title, TITLE],
        [read(passage.headings), HEADINGS],
        [asked, ASKED],
        [read(i === 0 ? `${source.description} ${passage.text}` : passage.text), 1],
      ];
      index(parts, entries.length, seen);
      const length = parts.reduce((sum, [words]) => sum + words.length, 0);
      entries.push({ source: ids.length, text: passage.text, length });
    }
    for (const stem of seen) frequency.set(stem, (frequency.get(stem) ?? 0) + 1);
    ids.push(source.id);
  }

  function index(parts: [Word[], weight: number][], entry: number, seen: Set<string>): void {
    const times = new Map<string, number>();
    const timesOfPieces = new Map<string, number>();
    for (const [words, weight] of parts) {
      for (const word of words) {
        times.set(word.stem, (times.get(word.stem) ?? 0) + weight);
        for (const piece of word.pieces) timesOfPieces.set(piece, Math.max(timesOfPieces.get(piece) ?? 0, weight));
      }
    }
    for (const [stem, count] of times) stems.add(stem, entry, count);
    for (const [piece, count] of timesOfPieces) pieces.add(piece, entry, count);
    for (const stem of times.keys()) seen.add(stem);
  }

  /** The passages with a word, or else with most of its pieces. */
  function matches({ stem, pieces: own }: Word): Map<number, Match> {
    const found = new Map<number, Match>();
    const parts = new Map<number, { count: number; times: number }>();
    for (const piece of own) {
      pieces.each(piece, (entry, times) => {
        const before = parts.get(entry);
        parts.set(entry, { count: (before?.count ?? 0) + 1, times: Math.max(before?.times ?? 0, times) });
      });
    }
    for (const [entry, { count, times }] of parts) {
      const share = count / own.length;
      if (share >= PIECES_MIN) found.set(entry, { times, likeness: LIKENESS * share });
    }
    stems.each(stem, (entry, times) => found.set(entry, { times, likeness: 1 }));
    return found;
  }

  function done(): RankedSources {
    const meanLength = entries.reduce((sum, { length }) => sum + length, 0) / Math.max(1, entries.length);
    const common = commonStems(lang, read);

    function weightOf(stem: string): number {
      const found = frequency.get(stem) ?? 0;
      return Math.log(1 + (ids.length + OTHER_SOURCES - found + 0.5) / (found + 0.5)) * (common.has(stem) ? COMMON : 1);
    }

    function saturated(times: number, { length }: Entry): number {
      return (
        (times * (SATURATION + 1)) / (times + SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / meanLength))
      );
    }

    function find(question: string, limit: number, share = 1): Hit[] {
      const words = wordsOfQuestion(question, read);
      const scores = new Map<number, number>();
      const sums = new Map<number, { score: number; covered: number }>();
      let possible = 0;
      for (const word of words) {
        const weight = weightOf(word.stem);
        possible += weight;
        /** The best that each source has of this word. */
        const best = new Map<number, { gain: number; likeness: number }>();
        for (const [at, { times, likeness }] of matches(word)) {
          const entry = entries[at] as Entry;
          const gain = weight * likeness * saturated(times, entry);
          scores.set(at, (scores.get(at) ?? 0) + gain);
          const before = best.get(entry.source);
          if (!before || before.gain < gain) best.set(entry.source, { gain, likeness });
        }
        for (const [source, { gain, likeness }] of best) {
          const { score, covered } = sums.get(source) ?? { score: 0, covered: 0 };
          sums.set(source, { score: score + gain, covered: covered + weight * likeness });
        }
      }
      const passages = bestPassages(scores);
      const hits = [...passages].map(([source, at]) => {
        const { score, covered } = sums.get(source) ?? { score: 0, covered: 0 };
        const mixed = (1 - WHOLE) * (scores.get(at) ?? 0) + WHOLE * score;
        return { id: ids[source] as string, at, score: mixed, sure: mixed * (BONUS_FROM + covered / (possible || 1)) };
      });
      const stemsAsked = new Set(words.map(({ stem }) => stem));
      const best = Math.max(0, ...hits.map(({ sure }) => sure));
      if (best < FLOOR * share) return [];
      return hits
        .filter(({ sure }) => sure >= best * BESIDE)
        .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
        .slice(0, limit)
        .map(({ id, at, score }) => ({
          id,
          score,
          excerpt: excerptOf(entries[at]?.text ?? '', stemsAsked, read),
        }));
    }

    function bestPassages(scores: Map<number, number>): Map<number, number> {
      const best = new Map<number, number>();
      for (const [at, score] of scores) {
        const { source } = entries[at] as Entry;
        const before = best.get(source);
        if (before === undefined || (scores.get(before) ?? 0) < score) best.set(source, at);
      }
      return best;
    }

    const texts = entries.reduce((sum, { text }) => sum + 2 * text.length, 0);
    return { bytes: texts + stems.bytes() + pieces.bytes(), find };
  }

  return { add, done };
}

/** By term: the passages that have it, and how often by weight. */
function createPostings() {
  const lists = new Map<string, number[]>();
  let count = 0;
  return {
    add(term: string, entry: number, times: number): void {
      count++;
      const list = lists.get(term);
      if (list) list.push(entry, times);
      else lists.set(term, [entry, times]);
    },
    each(term: string, visit: (entry: number, times: number) => void): void {
      const list = lists.get(term) ?? [];
      for (let i = 0; i < list.length; i += 2) visit(list[i] as number, list[i + 1] as number);
    },
    bytes: () => count * POSTING_BYTES + lists.size * TERM_BYTES,
  };
}

/** Each word of a question once. */
function wordsOfQuestion(question: string, read: ReadWords): Word[] {
  const words = read(question.slice(0, QUESTION_MAX_LENGTH));
  return [...new Map(words.map((word) => [word.stem, word])).values()].slice(0, WORDS_MAX);
}

const common = new Map<string, Set<string>>();

/** The stems of the words that stand in questions about anything. */
function commonStems(lang: string, read: ReadWords): Set<string> {
  const known = common.get(lang);
  if (known) return known;
  const stems = new Set(read(QUESTION_WORDS[lang] ?? '').map(({ stem }) => stem));
  common.set(lang, stems);
  return stems;
}

/** What a question is about: the stems of its words that do not stand in all questions, in alphabetical order. */
export function questionWords(question: string, lang: string): string[] {
  const read = wordReader(lang);
  const all = commonStems(lang, read);
  const telling = wordsOfQuestion(question, read).filter(({ stem }) => !all.has(stem));
  return telling.map(({ stem }) => stem).sort();
}
