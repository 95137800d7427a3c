import { mailboxOf } from '#platform/mail';

/**
 * What mail programs write above a quote: a line such as "On 3 May, Shop <chat@example.com> wrote:", or a block of headers. Words differ by language and
 * program, so both are recognised by their form and by what only we can be called in them.
 */

/** Whose mails are quoted, in lower case: our addresses, without tokens, and the names of their senders. */
export interface Senders {
  addresses: Set<string>;
  names: string[];
}

/** The lines of a head of a quote, from the first up to before `to`. */
export interface QuoteHead {
  from: number;
  to: number;
  /** Whether one of our addresses is in it, so that no line of a person looks like it. */
  isCertain: boolean;
}

const LINE_MAX = 400;
/** Of a whole attribution. */
const ATTRIBUTION_MIN = 10;
/** Into how many lines it is broken. */
const ATTRIBUTION_LINES_MAX = 4;
/** Words with which attributions begin, in the languages that put them before the date. Only needed where a broken one would be found without its first line. */
const OPENINGS = /^(?:on|am|le|el|em|en|no dia|il|op|den|w dniu|dne|på|va|în|в|на|в|في|בתאריך|ב) /u;
/** A time or a year, in any digits. */
const TIME_OR_YEAR = /\p{Nd}[:.hH]\p{Nd}{2}(?!\p{Nd})|\p{Nd}{4}/u;

/** Sorts what is given into addresses and names; `Shop <chat@example.com>` is both. */
export function sendersOf(given: string[]): Senders {
  const parts = given.flatMap((each) => each.toLowerCase().split(/[<>"]/)).map((part) => part.trim());
  const found = [...new Set(parts)].filter((part) => part.length >= 2);
  const names = found.filter((part) => !part.includes('@'));
  return { addresses: new Set(found.filter((part) => part.includes('@')).map(mailboxOf)), names };
}

/** A line without what is never part of its words: marks of directions, emphasis, spaces around it. */
const plainly = (line: string | undefined) =>
  (line ?? '')
    .slice(0, LINE_MAX + 1)
    .replaceAll(/[\p{Cf}*]/gu, '')
    .trim();

/**
 * An attribution that ends at a line, however it is broken.
 * @param floor the first line that can be part of it
 */
export function attributionAt(lines: string[], last: number, floor: number, senders: Senders): QuoteHead | null {
  if (!/[:：>][\p{Cf}*\s]*$/u.test((lines[last] ?? '').slice(-8))) return null;
  let first = last;
  while (first > floor && first > last + 1 - ATTRIBUTION_LINES_MAX && lines[first - 1]?.trim() !== '') first--;
  const around = lines.slice(first, last + 1);
  const joined = around.join(' ');
  if (!joined.includes('@') && !TIME_OR_YEAR.test(joined)) return null;
  if (!around.some((line) => /\p{Nd}/u.test(line.slice(0, LINE_MAX)))) return null;
  const parts = around.map((line) => plainly(line).toLowerCase());
  let found: QuoteHead | null = null;
  for (let count = 1; count <= parts.length; count++) {
    const [opening = ''] = parts.slice(-count);
    if (opening.length > LINE_MAX) break;
    const isCertain: boolean | null =
      found && !OPENINGS.test(opening) ? null : certaintyOf(parts.slice(-count).join(' '), senders);
    if (isCertain !== null) found = { from: last + 1 - count, to: last + 1, isCertain };
  }
  return found;
}

/** @returns whether one of our addresses stands in it as programs write it; null: it is no attribution */
function certaintyOf(text: string, senders: Senders): boolean | null {
  if (text.length < ATTRIBUTION_MIN) return null;
  const [before = '', ...bracketed] = text.split('<');
  const parts = bracketed.map((part) => part.split('>'));
  const given = parts.map(([inside = '']) => inside.trim()).filter((inside) => inside.includes('@'));
  if (given.length > 0) {
    const around = [before, ...parts.flatMap(([, ...after]) => after)].join(' ');
    return /\p{Nd}/u.test(around) ? given.some((address) => senders.addresses.has(mailboxOf(address))) : null;
  }
  return !text.endsWith('>') && TIME_OR_YEAR.test(text) && isNamed(text, senders) ? false : null;
}

/** Whether one of our names stands in a text. */
function isNamed(text: string, { names }: Senders): boolean {
  return names.some((name) => mentions(text, name));
}

/** Whether a name stands in a text as words of its own. */
function mentions(text: string, name: string): boolean {
  const isLetter = (character: string) => /[\p{L}\p{N}]/u.test(character);
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!isLetter(text.charAt(at - 1)) && !isLetter(text.charAt(at + name.length))) return true;
  }
  return false;
}

/** The headers that are quoted, as programs in the languages of mails call them. */
const FROM = ['from', 'von', 'de', 'من'];
const DATE = [
  ...['sent', 'date', 'gesendet', 'datum', 'enviado', 'enviado el', 'fecha', 'envoyé'],
  ...['enviada', 'enviada em', 'enviado em', 'data', 'تاريخ الإرسال', 'تم الإرسال', 'التاريخ'],
];
const LABEL_MAX = 30;
const HEADERS_MIN = 3;
const HEADER_LINES_MAX = 14;
/** A line between the answer and the headers, with or without words. */
const RULE = /^(?:[-_=─━—–]{3,}|[-_]{2,} ?[^-_]{1,60} ?[-_]{2,})$/u;

/**
 * A block of headers that begins at a line: at least three such as `Sent: 3 May 2026`, of which one says when and one that it is from us.
 * @param floor the first line that can be part of it: the line of dashes above it belongs to it
 */
export function headersAt(lines: string[], first: number, floor: number, senders: Senders): QuoteHead | null {
  if (!headerIn(lines[first])) return null;
  // Each block is read once.
  const [before = '', above = ''] = [lines[first - 1], lines[first - 2]];
  if ((first > floor && headerIn(before)) || (first > floor + 1 && before.trim() !== '' && headerIn(above)))
    return null;
  const headers: (Header & { at: number })[] = [];
  let to = first;
  for (let at = first; at < lines.length && at - first < HEADER_LINES_MAX; at++) {
    const header = headerIn(lines[at]);
    if (header) {
      headers.push({ ...header, at });
      to = at + 1;
    } else if (at > to || lines[at]?.trim() === '') break;
  }
  if (headers.length < HEADERS_MIN || !headers.some(({ value }) => TIME_OR_YEAR.test(value))) return null;
  let from = headers.find(({ label }) => FROM.includes(label))?.at ?? first;
  while (from > floor && plainly(lines[from - 1]) === '') from--;
  const hasRule = from > floor && RULE.test(plainly(lines[from - 1]));
  const head = { from: hasRule ? from - 1 : from, to };
  const words = headers.flatMap(({ value }) => value.split(/[\s<>()[\]",;]+/u));
  if (words.some((word) => word.includes('@') && senders.addresses.has(mailboxOf(word))))
    return { ...head, isCertain: true };
  // Programs that know who is meant leave the address out: then the usual words are needed.
  const isUsual =
    headers.some(({ label, value }) => FROM.includes(label) && isNamed(value, senders)) &&
    headers.some(({ label }) => DATE.includes(label)) &&
    (hasRule || headers.length > HEADERS_MIN);
  return isUsual ? { ...head, isCertain: false } : null;
}

/** In lower case. */
interface Header {
  label: string;
  value: string;
}

function headerIn(line: string | undefined): Header | null {
  if (line === undefined || !/[:：]/u.test(line.slice(0, LABEL_MAX + 10))) return null;
  const plain = plainly(line).toLowerCase();
  const colon = plain.search(/[:：]/u);
  if (colon < 1 || colon > LABEL_MAX) return null;
  const label = plain.slice(0, colon).trim();
  return /[^\p{L}\p{M}\s'’.-]/u.test(label) ? null : { label, value: plain.slice(colon + 1).trim() };
}
