import type { MessageParts, Sentence, SentenceValues } from './contract.ts';

declare const MADE: unique symbol;

/**
 * A translatable text for people. Only `sentence()` makes it, so that `npm run check -- texts` finds all texts: a plain string is
 * refused by the compiler.
 */
export type TranslatableText = Sentence & { [MADE]: true };

/**
 * A sentence, with values in its placeholders: `sentence('Claimed by {name}', { name })`. Whoever shows it can translate the
 * text, which one put together with `${name}` does not allow.
 */
export function sentence(text: string, values: SentenceValues = {}): TranslatableText {
  return { text, values } as TranslatableText;
}

/** The whole sentence in English. */
export function inEnglish(parts: Sentence): string {
  return parts.text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = parts.values[name] ?? placeholder;
    return typeof value === 'object' ? value.text : `${value}`;
  });
}

/** The parts of a sentence that an answer has beside its message. */
export function partsOf(parts: TranslatableText): MessageParts {
  return Object.keys(parts.values).length === 0 ? {} : { text: parts.text, values: parts.values };
}

/** A field's name in a sentence. Those of forms begin with a capital, and are texts; others are names of the API. */
export function labelled(label: string): string | { text: string } {
  return /^\p{Lu}/u.test(label) ? { text: label } : label;
}
