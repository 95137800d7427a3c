import { ASSISTANT_ANSWER_MAX_LENGTH } from '../contract.ts';

const FIRST_LINE = /^SOURCES:\s*(\d{1,2}(?:\s*,\s*\d{1,2})*)\s*$/;
/** More than the first line ever has. */
const FIRST_LINE_MAX_LENGTH = 80;
/** The end of a sentence; after a dot, a space: there may be a number. */
const END = /[.!?؟।](?=\s)|[。！？]|\n/u;
/** What ends sooner is an abbreviation, or the number of a list. */
const SENTENCE_MIN_LENGTH = 6;

/** Why an answer is not given. */
export class UnsourcedError extends Error {}

/** Reads an answer of the model as it comes. */
export interface AnswerReader {
  /** @throws UnsourcedError */
  add(piece: string): void;
  /** @returns the answer, and the numbers of its sources @throws UnsourcedError */
  end(): { answer: string; cited: number[] };
}

interface ReaderOptions {
  /** How many passages were sent. */
  passages: number;
  /** Makes what says whether a sentence stands in the passages with these numbers. */
  groundingIn(cited: number[]): (sentence: string) => boolean;
  /** Hears each sentence when it is released. @param upTo the length of the answer with it */
  onSentence(text: string, upTo: number): void;
}

/**
 * The gate: the first line must name the sources, and a sentence is released only if it stands in them. One that does not ends the
 * answer.
 */
export function createAnswerReader({ passages, groundingIn, onSentence }: ReaderOptions): AnswerReader {
  let held = '';
  let answer = '';
  let cited: number[] | null = null;
  let isGrounded: (sentence: string) => boolean = () => false;

  function readFirstLine(line: string): void {
    const [, numbers] = FIRST_LINE.exec(line.trim()) ?? [];
    if (numbers === undefined) throw new UnsourcedError('The model named no source.');
    const all = [...new Set(numbers.split(',').map(Number))];
    if (all.some((number) => number < 1 || number > passages))
      throw new UnsourcedError('The model named a source that it was not given.');
    cited = all;
    isGrounded = groundingIn(all);
  }

  function release(sentence: string): void {
    if (sentence.trim() === '') return;
    const text = answer === '' ? sentence.trimStart() : sentence;
    if (!isGrounded(sentence.trim())) throw new UnsourcedError(`Not in the sources: ${sentence.trim()}`);
    if (answer.length + text.length > ASSISTANT_ANSWER_MAX_LENGTH) throw new UnsourcedError('The answer is too long.');
    answer += text;
    onSentence(text, answer.length);
  }

  function releaseWhole(): void {
    for (let from = 0; ; ) {
      const end = END.exec(held.slice(from));
      if (!end) return;
      const length = from + end.index + end[0].length;
      const sentence = held.slice(0, length);
      if (sentence.trim().length < SENTENCE_MIN_LENGTH && end[0] !== '\n' && !/[。！？]/u.test(end[0])) {
        from = length;
        continue;
      }
      held = held.slice(length);
      from = 0;
      release(sentence);
    }
  }

  return {
    add(piece) {
      held += piece;
      if (!cited) {
        held = held.trimStart();
        const line = held.indexOf('\n');
        if (line < 0 && held.length > FIRST_LINE_MAX_LENGTH) throw new UnsourcedError('The model named no source.');
        if (line < 0) return;
        readFirstLine(held.slice(0, line));
        held = held.slice(line + 1);
      }
      releaseWhole();
      if (answer.length + held.length > 2 * ASSISTANT_ANSWER_MAX_LENGTH)
        throw new UnsourcedError('The answer is too long.');
    },
    end() {
      if (!cited) readFirstLine(held);
      else release(held);
      if (!cited || answer === '') throw new UnsourcedError('The model named sources, and said nothing.');
      return { answer: answer.trimEnd(), cited };
    },
  };
}
