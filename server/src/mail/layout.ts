import { type Letter, oneLine, type Quote, type Rendered } from './letter.ts';

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

/** The letter as plain text and as a page. @param origin what links begin with */
export function render(letter: Letter, origin: string): Rendered {
  return { text: asText(letter, origin), html: asHtml(letter, origin) };
}

function asText({ text, action, footer }: Letter, origin: string): string {
  const parts = text.map((part) => (typeof part === 'string' ? oneLine(part) : quotedText(part)));
  if (action) parts.push(`${oneLine(action.label)}:\n${origin}${action.path}`);
  return `${[...parts, `-- \n${oneLine(footer)}`].join('\n\n')}\n`;
}

function quotedText({ by, text }: Quote): string {
  return [`${oneLine(by)}:`, ...linesOf(text).map((line) => `> ${line}`)].join('\n');
}

function asHtml({ subject, text, action, footer }: Letter, origin: string): string {
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
