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

/** A text of a chat as it leaves the house: without numbers of cards and phones, and without mail addresses. */
export function withoutPersonalData(text: string): string {
  return maskCardNumbers(text)
    .replace(MAIL_ADDRESS, '[mail address]')
    .replace(PHONE_SHAPE, (found) => (isPhoneNumber(found) ? '[phone number]' : found));
}

const isPhoneNumber = (found: string) =>
  !DATE.test(found) && (found.match(/\p{Nd}/gu)?.length ?? 0) >= PHONE_DIGITS_MIN;
