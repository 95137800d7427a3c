import type { Pause } from '#platform/work';
import { frequencies, type PassageIndex } from './passageIndex.ts';
import type { Passage } from './passages.ts';
import { createPostings } from './postings.ts';
import { sharedReader } from './question.ts';
import { createFinder, type Find } from './scoring.ts';
import type { Word } from './words.ts';

/** What a word counts in the title, in the headings above a passage, and in other ways to ask. */
const TITLE = 2;
const HEADINGS = 2;
const ASKED = 3;
/** Of one index, unless it says otherwise; what comes after them is not found. */
const PASSAGES_MAX = 4_000;
/** What the id of a source takes. */
const ID_BYTES = 48;

/** What is found as one: an article, or anything else with texts. */
export interface Source {
  /** Unique among the sources of one index. */
  id: string;
  title: string;
  /** What its first passage is found by, too. */
  description?: string;
  /** Other ways to ask for it. */
  alsoAsked: string[];
  /** If it is another one than that of the index. */
  lang?: string;
  passages: Passage[];
}

/** The sources of an index, ready to be searched. */
export interface RankedSources {
  /** About how much memory they take. */
  bytes: number;
  find: Find;
}

/** What an index is like. */
interface Options {
  passagesMax?: number;
  /** Without them, hits have no excerpts. */
  keepsTexts?: boolean;
}

/** Makes an index of sources, most of them in one language: BM25 over their passages. Ranks do not depend on the order in which sources are added. */
export function createRanking(
  lang: string,
  { passagesMax = PASSAGES_MAX, keepsTexts = true }: Options = {},
): { add(source: Source): void; done(pause?: Pause): Promise<RankedSources> } {
  const ids: string[] = [];
  const sources: number[] = [];
  const lengths: number[] = [];
  const texts: string[] = [];
  const stems = createPostings();
  const pieces = createPostings();
  const forms = new Set<string>();

  function add({ id, title, description = '', alsoAsked, passages, lang: own = lang }: Source): void {
    const read = sharedReader(own);
    const shared: [Word[], weight: number][] = [
      [read(title), TITLE],
      [alsoAsked.flatMap(read), ASKED],
    ];
    for (const [i, { headings, text }] of passages.entries()) {
      if (sources.length === passagesMax) break;
      const words = read(i === 0 ? `${description} ${text}` : text);
      const parts: typeof shared = [...shared, [read(headings), HEADINGS], [words, 1]];
      index(parts, sources.length, own);
      sources.push(ids.length);
      lengths.push(parts.reduce((sum, [words]) => sum + words.length, 0));
      if (keepsTexts) texts.push(text);
    }
    ids.push(id);
  }

  function index(parts: [Word[], weight: number][], entry: number, own: string): void {
    const times = new Map<string, number>();
    const seen = new Map<string, Word>();
    for (const [words, weight] of parts) {
      for (const word of words) {
        times.set(word.stem, (times.get(word.stem) ?? 0) + weight);
        seen.set(word.text, word);
      }
    }
    const numbers = new Map([...times].map(([stem, count]) => [stem, stems.add(stem, entry, count)]));
    for (const [form, word] of seen) {
      const key = `${own} ${form}`;
      if (forms.has(key)) continue;
      forms.add(key);
      for (const piece of word.pieces) pieces.add(piece, numbers.get(word.stem) as number, 1);
    }
  }

  async function done(pause: Pause = () => Promise.resolve()): Promise<RankedSources> {
    const sourceOf = Int32Array.from(sources);
    const [ofStems, ofPieces] = [await stems.done(pause), await pieces.done(pause)];
    const index: PassageIndex = {
      lang,
      stems: ofStems,
      pieces: ofPieces,
      frequency: frequencies(ofStems, sourceOf),
      ids,
      sourceOf,
      lengths: Float64Array.from(lengths),
      meanLength: lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length),
      texts,
    };
    const own = texts.reduce((sum, text) => sum + 2 * text.length, ids.length * ID_BYTES);
    const arrays = [index.frequency, index.sourceOf, index.lengths].reduce(
      (sum, { byteLength }) => sum + byteLength,
      0,
    );
    return { bytes: own + arrays + ofStems.bytes + ofPieces.bytes, find: createFinder(index) };
  }

  return { add, done };
}
