import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as hindi } from '@orama/stemmers/indian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as turkish } from '@orama/stemmers/turkish';
import { stretchesOf } from '#features/search';

const STEMMERS: Record<string, (word: string) => string> = {
  ar: arabic,
  de: german,
  en: english,
  es: spanish,
  fr: french,
  hi: hindi,
  pt: portuguese,
  ru: russian,
  tr: turkish,
};
/** Shorter words have no pieces: they would be found in too many others. */
const PIECE_LENGTH = 4;
/** The words of a language come again and again, and stemming one takes microseconds. */
const STEMS_MAX = 20_000;

/** A word as it is compared. */
export interface Word {
  /** Folded; it tells inflected forms apart. */
  text: string;
  /** What its inflected forms have in common; a pair of characters in scripts without blanks. */
  stem: string;
  /** Its overlapping pieces of four letters: compounds and typing errors have most of them in common with the word that is meant. */
  pieces: string[];
}

/** Reads words in one language. */
export type ReadWords = (text: string) => Word[];

/** Makes what reads the words of a language, which remembers the stems that it has made. */
export function wordReader(lang: string): ReadWords {
  const stemmer = STEMMERS[lang];
  const known = new Map<string, Word>();
  function read(word: string): Word {
    const before = known.get(word);
    if (before) return before;
    if (known.size >= STEMS_MAX) known.clear();
    const made = { text: word, stem: stemmer?.(word) || word, pieces: piecesOf(word) };
    known.set(word, made);
    return made;
  }
  return (text) =>
    stretchesOf(text).flatMap(({ word, pairs }) => {
      if (pairs === undefined) return [read(word)];
      return (pairs.length > 0 ? pairs : [word]).map((stem) => ({ text: stem, stem, pieces: [] }));
    });
}

function piecesOf(word: string): string[] {
  const letters = [...word];
  const count = letters.length - PIECE_LENGTH + 1;
  if (count < 2 || /\d/.test(word)) return [];
  return [...new Set(Array.from({ length: count }, (_, i) => letters.slice(i, i + PIECE_LENGTH).join('')))];
}
