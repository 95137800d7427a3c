import type { SiteDoc } from '#features/sites';
import { normalized } from '#platform/text';

const LENGTH_MIN = 13;
const LENGTH_MAX = 19;
/**
 * Card numbers are written in groups of at least so many digits, but for the last: `4111 1111 1111 1111`, `3782 822463 10005`. Smaller
 * ones are all of one length, with the same between all: `4 1 1 1`, `41-11-11`. So prices and dates beside each other are none.
 */
const GROUP_MIN = 3;
/** With what the numbers of card networks begin. */
const NETWORK = /^(?:4|5|6|2(?:2[2-9]|[3-6]|7[0-2]|20)|3(?:[046789]|5[2-9]))/;
/** IMEIs, the numbers of phones, have the same check digit. */
const PHONE = /^(?:35|86)/;
const PHONE_LENGTH = 15;
const DIGITS_SHOWN = 4;
const MASK = '•';
/** So many separators may stand between two digits. */
const SEPARATORS_MAX = 3;
const SEPARATOR = /[\s.,/_·|\u2212\p{Pd}]/u;
const INVISIBLE = /[\p{Cf}\p{M}]/u;

/** What stands for each UTF-16 unit of a text in its search form: a digit 0 to 9, or one of these. */
const SEPARATED = ' ';
const JOINED = '\0';
const OTHER = 'x';

/** A place in a text, or in the digits of a run. */
interface Range {
  from: number;
  to: number;
}

/** A group of digits without separators; its ends as indexes of the digits of its run, and of the text. */
interface Group {
  digits: Range;
  text: Range;
}

/** Groups of digits with nothing but separators between them. */
interface Run {
  digits: string;
  groups: Group[];
}

/** @returns the text as it is stored for this site: with card numbers masked, unless the site has switched that off */
export function storedText({ settings }: Pick<SiteDoc, 'settings'>, text: string): string {
  // A site that was saved before the setting existed has none.
  return settings.maskCards === false ? text : maskCardNumbers(text);
}

/** @returns the address of a page as it is stored: its path stays, because another path would be another page */
export function storedAddress(site: Pick<SiteDoc, 'settings'>, url: string): string {
  const path = url.search(/[?#]/);
  return path < 0 ? url : url.slice(0, path) + storedText(site, url.slice(path));
}

/**
 * Replaces all but the last four digits of card numbers: 13 to 19 digits of any script, with separators, and a correct check digit
 * (Luhn, ISO/IEC 7812-1). Numbers in the path of a link stay, because a link of another number leads elsewhere. Masking again
 * changes nothing. It takes linear time.
 */
export function maskCardNumbers(text: string): string {
  if ((text.match(/\p{N}/gu)?.length ?? 0) < LENGTH_MIN) return text;
  const form = searchForm(text);
  const isInLink = linksOf(text);
  let masked = '';
  let done = 0;
  for (const run of runsOf(form)) {
    for (const { from, to } of cardsIn(run, tailBefore(text, form, run))) {
      if (isInLink(from, to)) continue;
      masked += text.slice(done, from) + mask(text.slice(from, to), form.slice(from, to));
      done = to;
    }
  }
  return masked + text.slice(done);
}

/** The text with a digit, a separator or something else in the place of each of its units. */
function searchForm(text: string): string {
  let form = '';
  for (const character of text) form += kindOf(character).padEnd(character.length, JOINED);
  return form;
}

function kindOf(character: string): string {
  if (character >= '0' && character <= '9') return character;
  if (SEPARATOR.test(character)) return SEPARATED;
  if (character < '\u0080') return OTHER;
  if (INVISIBLE.test(character)) return JOINED;
  return digitOf(character) ?? OTHER;
}

/** The value of a digit of another script or form, such as ４, ٤ or ④; null: it is none. */
function digitOf(character: string): string | null {
  if (!/\p{N}/u.test(character)) return null;
  const plain = normalized(character, 'NFKC');
  if (/^\d$/.test(plain)) return plain;
  if (!/\p{Nd}/u.test(character)) return null;
  // The digits of a script stand one behind the other, from its zero on.
  const code = character.codePointAt(0) as number;
  let before = 0;
  while (before < 10 && /\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before++;
  return String(before % 10);
}

function* runsOf(form: string): Generator<Run> {
  let run: Run = { digits: '', groups: [] };
  let separators = 0;
  for (let at = 0; at < form.length; at++) {
    const unit = form[at] as string;
    if (unit === JOINED) continue;
    if (unit >= '0' && unit <= '9') {
      addDigit(run, unit, at, separators > 0);
      separators = 0;
    } else if (unit !== SEPARATED || ++separators > SEPARATORS_MAX) {
      if (run.digits.length >= LENGTH_MIN) yield run;
      run = { digits: '', groups: [] };
      separators = 0;
    }
  }
  if (run.digits.length >= LENGTH_MIN) yield run;
}

function addDigit(run: Run, digit: string, at: number, isNew: boolean): void {
  const count = run.digits.length;
  const group = run.groups.at(-1);
  if (group && !isNew) {
    group.digits.to = count + 1;
    group.text.to = at + 1;
  } else {
    run.groups.push({ digits: { from: count, to: count + 1 }, text: { from: at, to: at + 1 } });
  }
  run.digits += digit;
}

/** How many digits at the start of a run are the end of a number that is masked already. */
function tailBefore(text: string, form: string, { groups }: Run): number {
  let at = (groups[0] as Group).text.from - 1;
  while (at >= 0 && form[at] === SEPARATED) at--;
  return text[at] === MASK ? DIGITS_SHOWN : 0;
}

/** @returns a function that tells, for places in their order, whether they lie behind the host of a link */
function linksOf(text: string): (from: number, to: number) => boolean {
  const links = [...text.matchAll(/\S+/g)].flatMap(({ 0: word, index }): Range[] => {
    const scheme = /https?:\/\//i.exec(word);
    if (!scheme) return [];
    const host = scheme.index + scheme[0].length;
    const path = word.slice(host).search(/[/?#]/);
    return path < 0 ? [] : [{ from: index + host + path, to: index + word.length }];
  });
  let next = 0;
  return (from, to) => {
    while (next < links.length && (links[next] as Range).to <= from) next++;
    const link = links[next];
    return link !== undefined && from >= link.from && to <= link.to;
  };
}

/** Where card numbers stand in a run. They begin and end with a group; of several that begin with the same, the longest. */
function cardsIn({ digits, groups }: Run, skipped: number): Range[] {
  const isValid = checkDigits(digits);
  const cards: Range[] = [];
  for (let first = 0; first < groups.length; first++) {
    const { digits: start, text } = groups[first] as Group;
    const beginning = digits.slice(start.from, start.from + DIGITS_SHOWN);
    if (start.from < skipped || !(NETWORK.test(beginning) || PHONE.test(beginning))) continue;
    const last = lastGroup(groups, first, isValid);
    if (last === undefined) continue;
    const { digits: end, text: textEnd } = groups[last] as Group;
    const isPhone = PHONE.test(beginning) && end.to - start.from === PHONE_LENGTH;
    if (!isPhone && NETWORK.test(beginning)) cards.push({ from: text.from, to: textEnd.to });
    first = last;
  }
  return cards;
}

/** The last group of the longest valid number that begins with a group. */
function lastGroup(groups: Group[], first: number, isValid: (from: number, to: number) => boolean): number | undefined {
  const start = groups[first] as Group;
  const size = start.digits.to - start.digits.from;
  let last: number | undefined;
  for (let at = first; at < groups.length; at++) {
    const { digits } = groups[at] as Group;
    const length = digits.to - start.digits.from;
    if (length > LENGTH_MAX) break;
    if (length >= LENGTH_MIN && isValid(start.digits.from, digits.to)) last = at;
    const digitCount = digits.to - digits.from;
    if (size < GROUP_MIN ? digitCount !== size || !isEven(groups, first, at) : digitCount < GROUP_MIN) break;
  }
  return last;
}

/** Whether as much stands before a group as before the second one: between small groups, all is alike. */
function isEven(groups: Group[], first: number, at: number): boolean {
  const gap = (index: number) => (groups[index] as Group).text.from - (groups[index - 1] as Group).text.to;
  return at <= first + 1 || gap(at) === gap(first + 1);
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

function mask(card: string, form: string): string {
  const isDigit = (unit: string | undefined) => unit !== undefined && unit >= '0' && unit <= '9';
  let hidden = form.replace(/\D/g, '').length - DIGITS_SHOWN;
  let masked = '';
  let at = 0;
  for (const character of card) {
    const isHidden = isDigit(form[at]) && hidden-- > 0;
    masked += isHidden ? MASK : character;
    at += character.length;
  }
  return masked;
}
