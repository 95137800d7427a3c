const [OPEN, CLOSE] = ['<think>', '</think>'];

/**
 * Removes the block in which a model thinks, wherever its text is cut into pieces. Only at the beginning of an answer: later
 * the same words are part of what it says.
 */
export function createThinkFilter(): { add(piece: string): string; end(): string } {
  /** What is not decided yet; null: the answer has begun, and everything is part of it. */
  let held: string | null = '';

  function add(piece: string): string {
    if (held === null) return piece;
    held += piece;
    const begun = held.trimStart();
    if (OPEN.startsWith(begun)) return '';
    if (!begun.startsWith(OPEN)) return release(begun);
    const end = begun.indexOf(CLOSE);
    if (end < 0) {
      // Of what is thought only its mark is kept, and an end that may be the beginning of the other.
      held = OPEN + begun.slice(OPEN.length).slice(-CLOSE.length);
      return '';
    }
    // A second block may follow.
    held = '';
    return add(begun.slice(end + CLOSE.length));
  }

  function release(text: string): string {
    held = null;
    return text;
  }

  return {
    add,
    /** What is left at the end: an answer shorter than the mark. */
    end: () => (held === null || held.trimStart().startsWith(OPEN) ? '' : release(held.trimStart())),
  };
}
