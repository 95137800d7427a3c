import { type SentTexts, sentTexts } from './known.ts';
import { afterMarker } from './marker.ts';
import { attributionAt, headersAt, type Senders, sendersOf } from './quoteHeads.ts';
import { signatureIn } from './signatures.ts';

/** What an answer may quote of ours. */
export interface KnownQuotes {
  /** Texts that we sent: contents of messages and, for answers below quotes without marks, all other lines of our mails. */
  sent: string[];
  /** Addresses and names by which mail programs say whom they quote: the address of answers, `MAIL_FROM`, the site's name. */
  addresses: string[];
  /** With what links begin that only our mails have. */
  links: string[];
}

/** Lines that are read; those after them are cut. A mail with nothing but heads of quotes then takes 20 ms. */
const LINES_MAX = 1_500;
/** How far below the head of a quote without marks its first line of ours is looked for. */
const LOOKED_BELOW = 8;

/**
 * Finds what a person wrote in a mail that answers one of ours: without quotes, what mail programs write above them, and the signature. What could be the person's own is
 * kept. Takes time linear in the text.
 * @param text of any line ends; quotes of HTML begin with `> `
 * @returns `isCut` false: nothing was cut, or nothing would have been left, and the text is the whole one. Without spaces around it.
 */
export function cutQuotes(text: string, known: KnownQuotes): { text: string; isCut: boolean } {
  const all = text.split(/\r\n|[\r\n]/);
  const lines = all.slice(0, LINES_MAX);
  const senders = sendersOf(known.addresses);
  // Somebody may answer with just a line that we wrote, such as one of several to choose from.
  const own = ownOf(answerOf(lines, senders, known)) || ownOf(answerOf(lines, senders, { sent: [], links: [] }));
  const whole = all.join('\n').trim();
  return own === '' || own === whole ? { text: whole, isCut: false } : { text: own, isCut: true };
}

/** A mail with what is known of ours. */
interface Answer {
  lines: string[];
  sent: SentTexts;
  senders: Senders;
  links: string[];
  /** Whether a line is one that we sent, or begins our marker, outside of any quote. */
  isOurs(at: number): boolean;
}

function answerOf(lines: string[], senders: Senders, { sent, links }: Pick<KnownQuotes, 'sent' | 'links'>): Answer {
  const texts = sentTexts(sent);
  // Several lines above ask for it.
  const found: boolean[] = [];
  const isOurs = (at: number) => {
    found[at] ??= texts.endsOf(lines[at] ?? '', false).length > 0 || afterMarker(lines, at) > at;
    return found[at];
  };
  return { lines, senders, sent: texts, links, isOurs };
}

/** The person's own lines; '' if none are left. */
function ownOf(answer: Answer): string {
  const { lines, sent, links } = answer;
  const parts: string[] = [];
  /** Where the person's lines begin that were read last. */
  let from = 0;
  /** Whether a quote without marks has begun with nothing above it: then the person wrote below it, or in it. */
  let isInside = false;
  /** Where the last line stands in our texts. */
  let places: number[] = [];
  const cut = (first: number, next: number) => {
    const own = between(lines, from, signatureIn(lines, from, first, isInside));
    if (own !== '') parts.push(own);
    from = next;
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    if (isMarked(lines, at)) {
      cut(at, at + 1);
      places = isMarked(lines, at + 1) ? [] : sent.endsOf(line, true);
      continue;
    }
    const head = headAt(answer, at, from);
    if (head) {
      cut(head.from, head.to);
      if (!isMarkedBelow(lines, head.to)) {
        if (parts.length > 0) return parts.join('\n\n').trim();
        isInside = true;
      }
      at = head.to - 1;
    } else {
      const said = withoutLink(line, links);
      places = places.length > 0 ? sent.continuing(places, said) : [];
      if (places.length === 0) places = sent.endsOf(said, isInside);
      if (places.length > 0 || said === '' || (isInside && /^[-_\s]+$/u.test(said))) cut(at, at + 1);
    }
  }
  cut(lines.length, lines.length);
  return parts.join('\n\n').trim();
}

/** A line without one of our links at its end, whatever brackets a program puts around it. */
function withoutLink(line: string, links: string[]): string {
  const at = Math.max(...links.map((link) => line.indexOf(link)));
  return at < 0 || /\s/.test(line.slice(at).trimEnd())
    ? line
    : line
        .slice(0, at)
        .trimEnd()
        .replace(/[<([]$/, '')
        .trimEnd();
}

/** The lines without empty ones around them. */
function between(lines: string[], first: number, next: number): string {
  let from = first;
  while (from < next && lines[from]?.trim() === '') from++;
  return lines.slice(from, next).join('\n').trimEnd();
}

/** Whether `>` marks a line as quoted; `>:(` alone does not. */
function isMarked(lines: string[], at: number): boolean {
  const line = lines[at] ?? '';
  if (!MARK.test(line)) return false;
  return !FACE.test(line) || MARK.test(lines[at - 1] ?? '') || MARK.test(lines[at + 1] ?? '');
}

const MARK = /^[\s\p{Cf}]{0,8}>/u;
const FACE = /^\s?>[:;=._^/-]\S{0,3}\s*$/u;

function isMarkedBelow(lines: string[], from: number): boolean {
  const at = filledFrom(lines, from);
  return at < lines.length && isMarked(lines, at);
}

function filledFrom(lines: string[], from: number): number {
  let at = from;
  while (at < lines.length && lines[at]?.trim() === '') at++;
  return at;
}

/** What stands above a quote: our marker line, headers, or an attribution that ends here. */
function headAt({ lines, senders, isOurs }: Answer, at: number, floor: number): { from: number; to: number } | null {
  const to = afterMarker(lines, at);
  if (to > at) return { from: at, to };
  const headers = headersAt(lines, at, floor, senders);
  if (headers) return headers;
  const attribution = attributionAt(lines, at, floor, senders);
  if (!attribution) return null;
  // A line of a person may look like an attribution, but has nothing of ours below it.
  const below = Array.from({ length: LOOKED_BELOW }, (_, i) => at + 1 + i);
  return attribution.isCertain || isMarkedBelow(lines, at + 1) || below.some(isOurs) ? attribution : null;
}
