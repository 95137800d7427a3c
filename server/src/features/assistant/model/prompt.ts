import { maskCardNumbers } from '#features/chats';

/** What marks could be made of: texts of other people have at most one in a row. */
const MARKS = /\[{2,}|\]{2,}/g;
const MAIL_ADDRESS = /[^\s@<>()[\]:;,"]{1,64}@[^\s@<>()[\]:;,"]{1,255}/g;
/** What may be a phone number: the shape, of which `isPhoneNumber` leaves out dates and short numbers. */
const PHONE_SHAPE = /(?<![\p{L}\p{N}])[+(]?\p{Nd}[\p{Nd} ./()-]{5,24}\p{Nd}(?!\p{N})/gu;
const PHONE_DIGITS_MIN = 7;
const DATE = /^(?:\p{Nd}{4}([-./])\p{Nd}{1,2}\1\p{Nd}{1,2}|\p{Nd}{1,2}([-./])\p{Nd}{1,2}\2\p{Nd}{4})$/u;

/** A text from which all that could close its fence, or open another, is removed. */
const unmarked = (text: string) => text.replace(MARKS, ([mark = '']) => mark).trim();

/** Published texts, numbered from 1, each in a fence with its title. */
export function fencedPassages(passages: { title: string; text: string }[]): string {
  return passages
    .map(({ title, text }, index) => {
      const heading = unmarked(title).replaceAll(/\s+/g, ' ');
      return `[[PASSAGE ${index + 1}]] ${heading}\n${unmarked(text)}\n[[END]]`;
    })
    .join('\n');
}

/** A text of somebody in a fence. */
export const fencedText = (text: string) => `[[TEXT]]\n${unmarked(text)}\n[[END]]`;

const isPhoneNumber = (found: string) =>
  !DATE.test(found) && (found.match(/\p{Nd}/gu)?.length ?? 0) >= PHONE_DIGITS_MIN;

/** The longest mark that stands for something that does not leave the house. */
const MARK_MAX_LENGTH = 24;

/** Hides personal data from a model, and puts it back into what the model says. */
export interface Masks {
  /** A text with a numbered mark for each mail address and phone number; card numbers are lost for good. */
  hide(text: string): string;
  /** Puts back what marks stand for, wherever the text is cut into pieces. @param isLast nothing follows */
  reveal(piece: string, isLast?: boolean): string;
}

/** Makes masks for one conversation with a model: the same thing has the same mark. */
export function createMasks(): Masks {
  const marks = new Map<string, string>();
  const hidden = new Map<string, string>();
  let held = '';

  function markOf(kind: string, found: string): string {
    const known = marks.get(found);
    if (known) return known;
    const mark = `[${kind} ${marks.size + 1}]`;
    marks.set(found, mark);
    hidden.set(mark, found);
    return mark;
  }

  return {
    hide: (text) =>
      maskCardNumbers(text)
        .replace(MAIL_ADDRESS, (found) => markOf('mail address', found))
        .replace(PHONE_SHAPE, (found) => (isPhoneNumber(found) ? markOf('phone number', found) : found)),
    reveal(piece, isLast = false) {
      const text = (held + piece).replace(/\[[^[\]]{1,24}\]/g, (mark) => hidden.get(mark) ?? mark);
      const open = text.lastIndexOf('[');
      const isOpen = open >= 0 && !text.includes(']', open) && text.length - open <= MARK_MAX_LENGTH;
      held = isOpen && !isLast ? text.slice(open) : '';
      return held === '' ? text : text.slice(0, open);
    },
  };
}

/** A text of a chat as it leaves the house: without numbers of cards and phones, and without mail addresses. */
export const withoutPersonalData = (text: string): string => createMasks().hide(text);
