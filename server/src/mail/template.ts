/** Something that somebody else wrote: shown as a quotation, so that it cannot pass for the mail's own words. */
export interface Quote {
  /** Who wrote it. */
  by: string;
  text: string;
}

/** A mail before it has its looks. Names and texts of other people may stand in it as they are. */
export interface MailContent {
  /** What kind it is, for the log, which names no address. */
  kind: 'invite' | 'reset' | 'waiting' | 'offline' | 'answer' | 'transcript' | 'security' | 'storage' | 'test';
  /** One bare address. */
  to: string;
  /** The name beside the sender's address; without it the one of `MAIL_FROM`. */
  fromName?: string;
  subject: string;
  /** Paragraphs; each becomes a single line. */
  text: (string | Quote)[];
  /** The one thing to do; `path` begins with `/` and is put behind `PUBLIC_URL`. Secrets stand after `#`. */
  action?: { label: string; path: string };
  /** Why this mail came, and where such mails are switched off. */
  footer: string;
  /** On whose behalf it leaves: they take turns, and are bounded. Left out: Parley's own word, which waits for nobody. */
  behalf?: { site: string; account: string };
  /** Ids of the site and the visitor that it tells of: when they are erased, so is what has not left yet. */
  about?: string[];
}

/** A rendered mail. */
export interface RenderedMail {
  text: string;
  html: string;
}

const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** One line without control and direction characters: what may stand in a header, or beside our own words. */
export function oneLine(text: string): string {
  return text.replaceAll(CONTROLS, ' ').replaceAll(/\s+/gu, ' ').trim();
}

const INK = '#1f2933';
const FAINT = '#616e7c';
const LINE = '#e4e7eb';
const ACCENT = '#0b69d0';
const BODY_STYLE = `margin:0;padding:32px 16px;background:#f5f7fa;color:${INK};font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;
const CARD_STYLE = `max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid ${LINE};border-radius:12px`;
const QUOTE_STYLE = `margin:0 0 16px;padding:4px 0 4px 16px;border-left:3px solid ${LINE};white-space:pre-wrap;overflow-wrap:anywhere`;
const BUTTON_STYLE = `display:inline-block;padding:12px 20px;background:${ACCENT};border-radius:8px;color:#ffffff;font-weight:600;text-decoration:none`;
const FAINT_STYLE = `max-width:560px;margin:16px auto 0;color:${FAINT};font-size:13px`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** The mail as plain text and as a page. @param origin what links begin with */
export function render(content: MailContent, origin: string): RenderedMail {
  return { text: asText(content, origin), html: asHtml(content, origin) };
}

function asText({ text, action, footer }: MailContent, origin: string): string {
  const parts = text.map((part) => (typeof part === 'string' ? oneLine(part) : quotedText(part)));
  if (action) parts.push(`${oneLine(action.label)}:\n${origin}${action.path}`);
  return `${[...parts, `-- \n${oneLine(footer)}`].join('\n\n')}\n`;
}

function quotedText({ by, text }: Quote): string {
  return [`${oneLine(by)}:`, ...linesOf(text).map((line) => `> ${line}`)].join('\n');
}

function asHtml({ subject, text, action, footer }: MailContent, origin: string): string {
  const parts = text.map((part) => (typeof part === 'string' ? paragraph(part) : quotedHtml(part)));
  if (action) {
    const url = escaped(`${origin}${action.path}`);
    parts.push(`<p style="margin:24px 0 0"><a href="${url}" style="${BUTTON_STYLE}">${line(action.label)}</a></p>`);
  }
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light">',
    `<title>${line(subject)}</title></head><body style="${BODY_STYLE}">`,
    `<div style="${CARD_STYLE}">${parts.join('\n')}</div>`,
    `<p dir="auto" style="${FAINT_STYLE}">${line(footer)}</p></body></html>`,
  ].join('\n');
}

const paragraph = (text: string) => `<p dir="auto" style="margin:0 0 16px;overflow-wrap:anywhere">${line(text)}</p>`;

function quotedHtml({ by, text }: Quote): string {
  const who = `<p dir="auto" style="margin:0 0 4px;color:${FAINT};font-size:14px">${line(by)}</p>`;
  return `${who}<blockquote dir="auto" style="${QUOTE_STYLE}">${linesOf(text).map(escaped).join('\n')}</blockquote>`;
}

/** The lines of what somebody wrote, without the characters that turn or hide text. */
function linesOf(text: string): string[] {
  return text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).map(oneLine);
}

const line = (text: string) => escaped(oneLine(text));

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** In characters: a name, and no sentence that passes for the mail's own words. */
const NAME_MAX_LENGTH = 40;
/** Of a longer name, what stands behind is never looked at: normalising may make each character eighteen. */
const NAME_READ_MAX = 200;

/** What browsers and mail programs read as the dot of a domain, beside those that NFKC makes one. */
const DOTS = /[\u3002\ua4f8]/gu;
/** A dot within something that a mail program would make a link: two letters or a digit behind it, so that `J.R.R. Roe` stays. */
const DOMAIN_DOT = /(?<=[^\s.])\.+(?=\p{N}|[\p{L}\p{M}-]{2})/gu;
/** `https://`, `mailto:` and their like, and paths: AC/DC may keep its slash. */
const SCHEME = /:(?=\S)|\/{2,}|\\+/gu;

/**
 * A name that somebody chose, as a mail may say it beside its own words: one short line in which no mail program finds a link.
 * @param name as it was typed
 * @param instead said where nothing is left
 */
export function mailName(name: string | null | undefined, instead: string): string {
  const line = oneLine((name ?? '').slice(0, NAME_READ_MAX).normalize('NFKC'));
  const plain = oneLine(line.replace(DOTS, '.').replace(SCHEME, ' ').replace(DOMAIN_DOT, ' '));
  const characters = [...plain];
  if (characters.length <= NAME_MAX_LENGTH) return plain || instead;
  return `${characters
    .slice(0, NAME_MAX_LENGTH - 1)
    .join('')
    .trim()}…`;
}

/** What addresses of one mailbox have in common: most servers pass over what stands behind a `+`. */
export function mailboxOf(email: string): string {
  return email.toLowerCase().replace(/^([^+@]*)\+[^@]*@/, '$1@');
}
