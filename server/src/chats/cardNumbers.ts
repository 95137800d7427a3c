import type { SiteDoc } from '../sites/model.ts';

const LENGTH_MIN = 13;
const LENGTH_MAX = 19;
/** Card numbers are written in groups of at least so many digits, but for the last: `4111 1111 1111 1111`, `3782 822463 10005`. */
const GROUP_MIN = 3;
/** The first digit of the numbers of card networks. */
const FIRST_DIGIT = /[2-6]/;
const DIGITS_SHOWN = 4;
const MASK = '•';
/** Digits with at most one separator between two: a space, hyphen, dash or dot. */
const RUN = /\d(?:[ \u00a0\u2009\u202f.\-–]?\d)*/g;
const GROUP = /\d+/g;

/** A group of digits without separators; its ends as indexes of the digits of its run, and of the text. */
interface Group {
  digits: { from: number; to: number };
  text: { from: number; to: number };
}

/** @returns the text as it is stored for this site: with card numbers masked, unless the site has switched that off */
export function storedText({ settings }: Pick<SiteDoc, 'settings'>, text: string): string {
  // A site that was saved before the setting existed has none.
  return settings.maskCards === false ? text : maskCardNumbers(text);
}

/**
 * Replaces all but the last four digits of card numbers: 13 to 19 digits with the usual separators and a correct check digit
 * (Luhn, ISO/IEC 7812-1). Numbers in links stay, because a link of another number leads elsewhere. Masking again changes nothing.
 */
export function maskCardNumbers(text: string): string {
  let masked = '';
  let done = 0;
  /** Up to where links were looked for, and whether the word there is one. */
  let seen = 0;
  let isInLink = false;
  for (const run of text.matchAll(RUN)) {
    if (run[0].length < LENGTH_MIN) continue;
    const between = text.slice(seen, run.index);
    const wordAt = Math.max(between.lastIndexOf(' '), between.lastIndexOf('\n')) + 1;
    // A mark of a link has no digits, so that none lies across the part of its word that was seen.
    isInLink = (wordAt === 0 && isInLink) || between.includes('://', wordAt);
    seen = run.index;
    if (isInLink) continue;
    for (const { from, to } of cardsIn(run[0])) {
      masked += text.slice(done, run.index + from) + mask(run[0].slice(from, to));
      done = run.index + to;
    }
  }
  return masked + text.slice(done);
}

/** Where card numbers stand in a run of digits. They begin and end with a group; of several that begin with the same, the longest. */
function cardsIn(run: string): Group['text'][] {
  const groups = groupsOf(run);
  const isValid = checkDigits(run.replace(/\D/g, ''));
  const cards: Group['text'][] = [];
  for (let first = 0; first < groups.length; first++) {
    const from = groups[first] as Group;
    if (!FIRST_DIGIT.test(run.charAt(from.text.from))) continue;
    let last: number | undefined;
    for (let at = first; at < groups.length; at++) {
      const { digits } = groups[at] as Group;
      const length = digits.to - from.digits.from;
      if (length > LENGTH_MAX) break;
      if (length >= LENGTH_MIN && isValid(from.digits.from, digits.to)) last = at;
      if (digits.to - digits.from < GROUP_MIN) break;
    }
    if (last === undefined) continue;
    cards.push({ from: from.text.from, to: (groups[last] as Group).text.to });
    first = last;
  }
  return cards;
}

function groupsOf(run: string): Group[] {
  let count = 0;
  return [...run.matchAll(GROUP)].map(({ 0: { length }, index }) => {
    const digits = { from: count, to: count + length };
    count = digits.to;
    return { digits, text: { from: index, to: index + length } };
  });
}

/** @returns a function that tells by the Luhn algorithm whether the digits from one index to another end with their check digit */
function checkDigits(digits: string): (from: number, to: number) => boolean {
  // Every second digit counts twice, from the right. Sums up to each index, for both choices of the digits that count twice,
  // make each answer take the same time however many numbers a text may contain.
  const sums: [number[], number[]] = [[0], [0]];
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[at]);
    const twice = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
    for (const parity of [0, 1] as const)
      sums[parity].push((sums[parity][at] as number) + (at % 2 === parity ? twice : digit));
  }
  return (from, to) => {
    const sum = sums[to % 2 === 0 ? 0 : 1];
    return ((sum[to] as number) - (sum[from] as number)) % 10 === 0;
  };
}

function mask(card: string): string {
  const hidden = card.replace(/\D/g, '').length - DIGITS_SHOWN;
  let count = 0;
  return card.replace(/\d/g, (digit) => (count++ < hidden ? MASK : digit));
}
