import { normalized } from '#platform/text';
import { type Block, formattingOf, type Run, withoutFormatting } from '#platform/text/formatting/contract';
import type { MailKind } from './kinds.ts';

/** A text by somebody else, rendered as a quotation so that it cannot look like the mail's own words. */
export interface Quote<Text = string> {
  /** The author's name. */
  by: string | Text;
  text: string;
  /** Whether the text has formatting. */
  formatted?: boolean | undefined;
  /** The id of the chat message that it quotes, so that a queued mail follows the message's changes. */
  message?: string;
}

/**
 * A link to a page of Parley; `path` begins with `/` and is appended to `PUBLIC_URL`. Secrets go after `#`, which is never
 * sent to a server. Mail servers open links to check them, so the page itself must change nothing.
 */
export interface MailLink<Text = string> {
  label: Text;
  path: string;
}

/** Links among the paragraphs. */
export interface MailLinks<Text = string> {
  links: MailLink<Text>[];
}

/** A mail before rendering. Names and texts of other people may be used unescaped. @see MailDraft */
export interface MailContent<Text = string> {
  kind: MailKind;
  /** A single address, without a name. */
  to: string;
  /** The sender's display name; by default that of `MAIL_FROM`. */
  fromName?: string | Text;
  /** The language of its reader; English where it is not known. */
  language?: string | undefined;
  subject: Text;
  /** A line above everything: its reader answers above it. */
  above?: Text;
  /** Paragraphs; line breaks within one are removed. */
  text: (Text | Quote<Text> | MailLinks<Text>)[];
  /** The mail's button. */
  action?: MailLink<Text>;
  /** Further buttons beside it. */
  moreActions?: MailLink<Text>[];
  /** Why this mail was sent, and where to switch such mails off. */
  footer: Text;
  /**
   * The site and its owner's account on whose behalf it is sent, or the account alone that it is about: they are served in turns
   * and limited. Left out: a link for a new password, or a mail to those who administer this server.
   */
  behalf?: { site?: string; account: string };
  /** Ids of the site and the visitor that it is about: when they are deleted, mails not sent yet are deleted, too. */
  about?: string[];
  /** Where its answers go; left out: nobody reads them. */
  replyTo?: string;
  /** `Message-ID`s of the mails that it continues, the oldest first, so that mail programs show them together. */
  references?: string[];
}

/** A rendered mail. */
export interface RenderedMail {
  text: string;
  html: string;
}

const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** The same in our own words, whose values are isolated. */
const OWN_CONTROLS = /(?:(?![\u2068\u2069])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}])+/gu;

/** The letters of Hebrew, Arabic and all other scripts that are written from the right. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** In which direction a language of mails is written. */
function directionOf(language: string | undefined): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr';
}

/** A value among the words of a sentence, which would change places with them where its letters run in the other direction. */
export function isolated(value: string, language: string | undefined): string {
  const isOther = directionOf(language) === 'rtl' ? /\p{L}|\d\D|\D\d/u.test(value) : RIGHT_TO_LEFT.test(value);
  return isOther ? `\u2068${value}\u2069` : value;
}

/** A single line without control and direction characters, safe in a header or beside our own words. */
export function oneLine(text: string): string {
  return text.replaceAll(CONTROLS, ' ').replaceAll(/\s+/gu, ' ').trim();
}

const ownLine = (text: string) => text.replaceAll(OWN_CONTROLS, ' ').replaceAll(/\s+/gu, ' ').trim();

const INK = '#1f2933';
const FAINT = '#616e7c';
const LINE = '#e4e7eb';
const ACCENT = '#0b69d0';
const BODY_STYLE = `margin:0;padding:32px 16px;background:#f5f7fa;color:${INK};font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;
const CARD_STYLE = `max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid ${LINE};border-radius:12px`;
/** Without logical properties, which mail programs do not know. @param side where the mail's lines begin */
const quoteStyle = (side: 'left' | 'right') =>
  `margin:0 0 16px;padding:4px 0;padding-${side}:16px;border-${side}:3px solid ${LINE};white-space:pre-wrap;overflow-wrap:anywhere`;
const BUTTON_STYLE = `display:inline-block;padding:12px 20px;background:${ACCENT};border-radius:8px;color:#ffffff;font-weight:600;text-decoration:none`;
const MORE_STYLE = `display:inline-block;padding:11px 19px;border:1px solid ${LINE};border-radius:8px;color:${ACCENT};font-weight:600;text-decoration:none;overflow-wrap:anywhere`;
const ABOVE_STYLE = `max-width:560px;margin:0 auto 16px;color:${FAINT};font-size:12px`;
const LINK_STYLE = `color:${ACCENT};font-weight:600`;
const FAINT_STYLE = `max-width:560px;margin:16px auto 0;color:${FAINT};font-size:13px`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Renders the mail as plain text and HTML. @param origin the origin of links */
export function render(content: MailContent, origin: string): RenderedMail {
  return { text: asText(content, origin), html: asHtml(content, origin) };
}

function asText({ above, text, action, moreActions = [], footer }: MailContent, origin: string): string {
  const linkText = ({ label, path }: MailLink) => `${ownLine(label)}:\n${origin}${path}`;
  const parts = text.map((part) => {
    if (typeof part === 'string') return ownLine(part);
    return 'links' in part ? part.links.map(linkText).join('\n') : quotedText(part);
  });
  if (above !== undefined) parts.unshift(ownLine(above));
  if (action) parts.push(...[action, ...moreActions].map(linkText));
  return `${[...parts, `-- \n${ownLine(footer)}`].join('\n\n')}\n`;
}

function quotedText({ by, text, formatted }: Quote): string {
  const plain = formatted ? withoutFormatting(text, true) : text;
  return [`${ownLine(by)}:`, ...linesOf(plain).map((line) => `> ${line}`)].join('\n');
}

function asHtml(
  { language = 'en', subject, above, text, action, moreActions = [], footer }: MailContent,
  origin: string,
): string {
  const dir = directionOf(language);
  const attributes = `lang="${escaped(language)}" dir="${dir}"`;
  const link =
    (style: string) =>
    ({ label, path }: MailLink) =>
      `<a href="${escaped(`${origin}${path}`)}" style="${style}">${line(label)}</a>`;
  const parts = text.map((part) => {
    if (typeof part === 'string') return paragraph(part);
    if (!('links' in part)) return quotedHtml(part, language);
    return `<p style="margin:0 0 24px">${part.links.map(link(LINK_STYLE)).join(' &nbsp; ')}</p>`;
  });
  if (action) {
    const buttons = [link(BUTTON_STYLE)(action), ...moreActions.map(link(MORE_STYLE))];
    parts.push(...buttons.map((button, at) => `<p style="margin:${at === 0 ? 24 : 12}px 0 0">${button}</p>`));
  }
  return [
    `<!doctype html><html ${attributes}><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light">',
    `<title>${escaped(oneLine(subject))}</title></head><body style="${BODY_STYLE}">`,
    ...(above === undefined ? [] : [`<p ${attributes} style="${ABOVE_STYLE}">${line(above)}</p>`]),
    // Mail programs drop the page around it.
    `<div ${attributes} style="${CARD_STYLE}">${parts.join('\n')}</div>`,
    `<p ${attributes} style="${FAINT_STYLE}">${line(footer)}</p></body></html>`,
  ].join('\n');
}

const paragraph = (text: string) => `<p style="margin:0 0 16px;overflow-wrap:anywhere">${line(text)}</p>`;

function quotedHtml({ by, text, formatted }: Quote, language: string): string {
  const who = `<p style="margin:0 0 4px;color:${FAINT};font-size:14px">${line(isolated(by, language))}</p>`;
  const style = quoteStyle(directionOf(language) === 'rtl' ? 'right' : 'left');
  const quoted = formatted ? formattingOf(text).map(blockHtml).join('') : linesOf(text).map(escaped).join('\n');
  return `${who}<blockquote dir="auto" style="${style}">${quoted}</blockquote>`;
}

/** A paragraph, a list or a block of code. Mail programs know no `dir="auto"` of a list's lines, so each has its own. */
function blockHtml({ tag, items }: Block): string {
  const lines = items.map(({ value, runs }) => {
    const line = runs.map(runHtml).join('');
    return tag === 'ul' || tag === 'ol' ? `<li${value ? ` value="${value}"` : ''}>${line}</li>` : line;
  });
  const room = tag === 'p' || tag === 'pre' ? '' : ';padding:0 24px';
  return `<${tag} dir="auto" style="margin:0 0 8px;white-space:pre-wrap${room}">${lines.join('')}</${tag}>`;
}

function runHtml({ text, href, ...looks }: Run): string {
  const words = escaped(text.split('\n').map(withoutControls).join('\n'));
  const marked = LOOKS.reduce((html, look) => (looks[look] ? `<${look}>${html}</${look}>` : html), words);
  return href ? `<a href="${escaped(href)}" rel="noopener nofollow" style="color:${ACCENT}">${marked}</a>` : marked;
}

const LOOKS = ['code', 'em', 'strong'] as const;
const withoutControls = (text: string) => text.replaceAll(CONTROLS, ' ');

/** The lines of a quoted text, without characters that reverse or hide text. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).map(oneLine);
}

const line = (text: string) => escaped(ownLine(text));

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** In characters: long enough for a name, too short for a sentence that could look like the mail's own words. */
const NAME_MAX_LENGTH = 40;
/** The rest of a longer name is ignored before normalizing, which can turn one character into eighteen. */
const NAME_READ_MAX = 200;

/** Characters that browsers and mail programs read as the dot of a domain, besides those that NFKC converts. */
const DOTS = /[\u3002\ua4f8]/gu;
/**
 * A dot that could make a mail program detect a link: two letters or a digit follow it, so that `J.R.R. Roe` is unchanged.
 */
const DOMAIN_DOT = /(?<=[^\s.])\.+(?=\p{N}|[\p{L}\p{M}-]{2})/gu;
/** `https://`, `mailto:` and similar, and paths; a single slash as in AC/DC is allowed. */
const SCHEME = /:(?=\S)|\/{2,}|\\+/gu;

/**
 * Makes a name chosen by a user safe beside the mail's own words: one short line in which no mail program detects a link.
 * @param name the name as typed
 * @param instead used when nothing is left of it
 */
export function mailName<Instead>(name: string | null | undefined, instead: Instead): string | Instead {
  const line = oneLine(normalized((name ?? '').slice(0, NAME_READ_MAX), 'NFKC'));
  const plain = oneLine(line.replace(DOTS, '.').replace(SCHEME, ' ').replace(DOMAIN_DOT, ' '));
  const characters = [...plain];
  if (characters.length <= NAME_MAX_LENGTH) return plain || instead;
  return `${characters
    .slice(0, NAME_MAX_LENGTH - 1)
    .join('')
    .trim()}…`;
}

/** The mailbox behind an address: most servers ignore what follows a `+`. */
export function mailboxOf(email: string): string {
  return email.toLowerCase().replace(/^([^+@]*)\+[^@]*@/, '$1@');
}
