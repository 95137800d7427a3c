/** Words in a row by which a place in our texts is found. */
const WORDS = 3;
/** A line outside of a quote is ours if it is a whole line of ours, or a part of one, with at least so many letters: people write the same short lines. */
const WHOLE_MIN = 30;
const PART_MIN = 40;
/** The same words at more places are compared at the first ones only. */
const PLACES_MAX = 8;
/** Of all texts that we sent together, in characters. */
const READ_MAX = 100_000;

/** A place in our texts: after which of its words. */
type Place = number;

/** The texts that we sent, to recognise their lines in an answer, however they are wrapped, marked or indented. */
export interface SentTexts {
  /** Where a line of ours ends in our texts. Nothing: it is not ours. @param isQuoted whether it is in a quote, where short lines count too */
  endsOf(line: string, isQuoted: boolean): Place[];
  /** The same for a line that is the rest of a wrapped one: it continues our line after one of those places. */
  continuing(places: Place[], line: string): Place[];
}

/** Indexes texts. Each question then takes time linear in the line. */
export function sentTexts(texts: string[]): SentTexts {
  const words: string[] = [];
  const begins = new Set<Place>();
  const finishes = new Set<Place>();
  const places = new Map<string, Place[]>();
  const shortLines = new Map<string, Place[]>();
  for (const line of linesWithin(texts)) {
    const from = words.length;
    for (const word of line.toLowerCase().match(WORD) ?? []) words.push(word);
    begins.add(from);
    finishes.add(words.length);
    if (words.length - from < WORDS) addTo(shortLines, words.slice(from).join(' '), words.length);
  }
  for (let at = 0; at + WORDS <= words.length; at++) addTo(places, words.slice(at, at + WORDS).join(' '), at);

  const continuing = (after: Place[], line: string): Place[] => {
    let left = after;
    let count = 0;
    for (const word of wordsOf(line)) {
      const at = count++;
      left = left.filter((place) => words[place + at] === word);
      if (left.length === 0) return [];
    }
    return count === 0 ? [] : left.map((place) => place + count);
  };
  return {
    continuing: (after, line) =>
      continuing(
        after.filter((place) => !begins.has(place)),
        line,
      ),
    endsOf(line, isQuoted) {
      if (!isQuoted && line.length < WHOLE_MIN) return [];
      const first = firstWords(line);
      // Faces and dashes have no words.
      if (first.length === 0) return [];
      const key = first.join(' ');
      if (first.length < WORDS) return shortLines.get(key)?.filter(() => isQuoted || key.length >= WHOLE_MIN) ?? [];
      const starts = places.get(key);
      if (!starts) return [];
      const length = lettersIn(line);
      return starts.flatMap((start) =>
        continuing([start], line).filter((end) => {
          const isWhole = begins.has(start) && finishes.has(end);
          return isQuoted || length >= (isWhole ? WHOLE_MIN : PART_MIN);
        }),
      );
    },
  };
}

function* linesWithin(texts: string[]): Generator<string> {
  let room = READ_MAX;
  for (const text of texts) {
    yield* text.slice(0, room).split('\n');
    room -= Math.min(room, text.length);
  }
}

/** Marks of formatting, of quotes and of directions differ between mail programs. */
const WORD = /[\p{L}\p{N}]+/gu;

function* wordsOf(line: string): Generator<string> {
  for (const [word] of line.matchAll(WORD)) yield word.toLowerCase();
}

function firstWords(line: string): string[] {
  const first: string[] = [];
  for (const word of wordsOf(line)) if (first.push(word) === WORDS) break;
  return first;
}

/** Counted only up to what matters. */
function lettersIn(line: string): number {
  let count = 0;
  for (const word of wordsOf(line)) {
    count += word.length;
    if (count >= PART_MIN) break;
  }
  return count;
}

function addTo(map: Map<string, Place[]>, key: string, place: Place) {
  const known = map.get(key);
  if (!known) map.set(key, [place]);
  else if (known.length < PLACES_MAX) known.push(place);
}
