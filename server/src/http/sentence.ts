import type { MessageParts, Sentence, SentenceValues } from './contract.ts';

/** What is said to people: a fixed text, or one with values. */
export type Said = string | Sentence;

/**
 * A sentence with values in its placeholders: `sentence('Claimed by {name}', { name })`. Whoever shows it can translate the
 * text, which one put together with `${name}` does not allow.
 */
export function sentence(text: string, values: SentenceValues): Sentence {
  return { text, values };
}

/** The whole sentence in English. */
export function inEnglish(said: Said): string {
  if (typeof said === 'string') return said;
  return said.text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = said.values[name] ?? placeholder;
    return typeof value === 'object' ? value.text : `${value}`;
  });
}

/** The parts of a sentence that an answer has beside its message. */
export function partsOf(said: Said): MessageParts {
  return typeof said === 'string' ? {} : said;
}

/** A field's name in a sentence. Those of forms begin with a capital, and are texts; others are names of the API. */
export function labelled(label: string): string | { text: string } {
  return /^\p{Lu}/u.test(label) ? { text: label } : label;
}
