import type { MessageParts, Sentence, SentenceValues } from './contract.ts';

declare const MADE: unique symbol;

/**
 * What is said to people. Only `sentence()` makes it, so that `npm run check -- texts` finds all texts: a plain string is
 * refused by the compiler.
 */
export type Said = Sentence & { [MADE]: true };

/**
 * A sentence, with values in its placeholders: `sentence('Claimed by {name}', { name })`. Whoever shows it can translate the
 * text, which one put together with `${name}` does not allow.
 */
export function sentence(text: string, values: SentenceValues = {}): Said {
  return { text, values } as Said;
}

/** The whole sentence in English. */
export function inEnglish(said: Sentence): string {
  return said.text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = said.values[name] ?? placeholder;
    return typeof value === 'object' ? value.text : `${value}`;
  });
}

/** The parts of a sentence that an answer has beside its message. */
export function partsOf(said: Said): MessageParts {
  return Object.keys(said.values).length === 0 ? {} : { text: said.text, values: said.values };
}

/** A field's name in a sentence. Those of forms begin with a capital, and are texts; others are names of the API. */
export function labelled(label: string): string | { text: string } {
  return /^\p{Lu}/u.test(label) ? { text: label } : label;
}
