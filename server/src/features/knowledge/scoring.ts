import { excerptOf } from './excerpt.ts';
import { visitLike } from './likeness.ts';
import type { PassageIndex } from './passageIndex.ts';
import { commonStems, sharedReader, wordsOfQuestion } from './question.ts';
import { createTally } from './tally.ts';

/** BM25: how soon a further occurrence of a word adds nothing, and how much the length of a passage counts. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.35;
/** What a word counts that stands in questions about anything. */
const COMMON = 0.2;
/** What weighs less than this share of the most telling word is left out: such words stand in most entries of a large index. */
const NEGLIGIBLE = 0.02;
/** As if there were so many more sources: in a few, each word would seem to say little. */
const OTHER_SOURCES = 40;
/** What stands behind the best has at least this share of its score. */
const BESIDE = 0.25;

/**
 * How sure it must be that something is about a question: the less so, the less harm a wrong hit does. Chosen on the retrieval set,
 * whose table says what each of them lets through.
 */
const FLOORS = { page: 2.2, suggest: 4.5, link: 5.5, answer: 9 };

/** What a hit is for: beside a page, for an agent who chooses, for a visitor who opens it, or for an answer that nobody looks through. */
export type Level = keyof typeof FLOORS;

/** A source that was found. */
export interface Hit {
  id: string;
  /** Comparable between questions and languages, roughly. */
  score: number;
  /** The part of its best passage that answers. */
  excerpt: string;
}

/** The sources that are about this question, the best first; none where all that is found hardly is. */
export type Find = (question: string, limit: number, wanted?: Wanted) => Hit[];

interface Wanted {
  level?: Level;
  /** Of the question, if it is another one than that of the index. */
  lang?: string;
  /** Search words that somebody else chose for the question: they find more, and their lack counts for nothing. */
  words?: string;
}

/** Makes the search of an index. */
export function createFinder(index: PassageIndex): Find {
  const { stems, sourceOf, ids, texts } = index;
  const size = ids.length + OTHER_SOURCES;
  /** What BM25 makes of the length of each entry. */
  const norms = index.lengths.map(
    (length) => SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / index.meanLength),
  );

  function weightOf(stem: string, common: Set<string>): number {
    const number = stems.numberOf(stem);
    const found = number === undefined ? 0 : (index.frequency[number] as number);
    return Math.log(1 + (size - found + 0.5) / (found + 0.5)) * (common.has(stem) ? COMMON : 1);
  }

  return (question, limit, { level = 'link', words: chosen = '', lang = index.lang } = {}) => {
    const read = sharedReader(lang);
    const common = commonStems(lang, read);
    const asked = wordsOfQuestion(question, read);
    const all = new Map([...asked, ...wordsOfQuestion(chosen, read)].map((word) => [word.stem, word]));
    const weighed = [...all.values()].map((word) => ({ word, weight: weightOf(word.stem, common) }));
    const tally = createTally(sourceOf);
    weighed.sort((a, b) => b.weight - a.weight);
    for (const { word, weight } of weighed) {
      if (weight < NEGLIGIBLE * (weighed[0]?.weight ?? 0)) break;
      visitLike(index, word, (entry, times, likeness) => {
        const saturated = (times * (SATURATION + 1)) / (times + (norms[entry] as number));
        tally.count(entry, weight * likeness * saturated, likeness);
      });
      tally.endWord(weight);
    }
    const possible = asked.reduce((sum, { stem }) => sum + weightOf(stem, common), 0);
    const { best, surest } = tally.end({ limit, possible, beside: BESIDE, idOf: (source) => ids[source] as string });
    if (surest < FLOORS[level]) return [];
    const stemsAsked = new Set(all.keys());
    return best.map(({ source, entry, score }) => ({
      id: ids[source] as string,
      score,
      excerpt: excerptOf(texts[entry] ?? '', stemsAsked, read),
    }));
  };
}
