import { randomUUID } from 'node:crypto';

/** What a mail of a test has; what is left out is usual. */
export interface RawMail {
  from?: string;
  to?: string;
  subject?: string;
  /** null: none. */
  messageId?: string | null;
  inReplyTo?: string;
  references?: string[];
  /** Further headers, before the others, as they are: names twice, or foreign characters, too. */
  headers?: [name: string, value: string][];
  text?: string;
  html?: string;
  files?: RawFile[];
  /** Other parts, written as they are: headers, an empty line, and content. */
  parts?: string[];
  /** Of the outermost multipart: `mixed`, or `report; report-type=delivery-status`. */
  multipart?: string;
}

/** A file of a mail. */
export interface RawFile {
  name: string;
  content: Uint8Array | string;
  type?: string;
  /** A picture that the HTML shows by `cid:`. */
  contentId?: string;
}

/** The bytes of a mail as a usual client sends it: UTF-8, lines with CRLF, texts and files in base64. */
export function rawMail(mail: RawMail = {}): Buffer {
  return Buffer.from(`${headersOf(mail)}${bodyOf(mail)}`.replace(/\r?\n/g, '\r\n'));
}

function headersOf({ headers = [], messageId = `<${randomUUID()}@mail.example.com>`, ...mail }: RawMail): string {
  const usual: [string, string | null | undefined][] = [
    ['From', mail.from ?? 'Mina Jones <mina@example.com>'],
    ['To', mail.to ?? 'chat@example.org'],
    ['Subject', mail.subject ?? 'Re: Your chat'],
    ['Message-ID', messageId],
    ['In-Reply-To', mail.inReplyTo],
    ['References', mail.references?.join('\n ')],
    ['Date', 'Fri, 27 Nov 2026 09:30:00 +0100'],
    ['MIME-Version', '1.0'],
  ];
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  const lines = [...headers, ...usual.filter(([name, value]) => value && !given.has(name.toLowerCase()))];
  return lines.map(([name, value]) => `${name}: ${value}\n`).join('');
}

function bodyOf({ text, html, files = [], parts = [], multipart }: RawMail): string {
  const texts = [
    ...(text === undefined && html !== undefined
      ? []
      : [inBase64('Content-Type: text/plain; charset=utf-8', text ?? 'yes')]),
    ...(html === undefined ? [] : [inBase64('Content-Type: text/html; charset=utf-8', html)]),
  ];
  const [onlyText] = texts;
  const written = texts.length === 1 && onlyText !== undefined ? onlyText : multipartOf('alternative', texts);
  const others = [...parts, ...files.map(fileOf)];
  if (others.length === 0 && multipart === undefined) return written;
  return multipartOf(multipart ?? 'mixed', [written, ...others]);
}

/** A part of several parts: its headers and its content. @param kind `mixed`, or with parameters */
export function multipartOf(kind: string, parts: string[]): string {
  const boundary = `=_${randomUUID()}`;
  const content = parts.map((part) => `--${boundary}\n${part}\n`).join('');
  return `Content-Type: multipart/${kind}; boundary="${boundary}"\n\n${content}--${boundary}--\n`;
}

function fileOf({ name, content, type = 'application/octet-stream', contentId }: RawFile): string {
  const disposition = contentId === undefined ? 'attachment' : 'inline';
  const id = contentId === undefined ? '' : `\nContent-ID: <${contentId}>`;
  return inBase64(
    `Content-Type: ${type}; name="${name}"\nContent-Disposition: ${disposition}; filename="${name}"${id}`,
    content,
  );
}

function inBase64(headers: string, content: Uint8Array | string): string {
  const lines = Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\n');
  return `${headers}\nContent-Transfer-Encoding: base64\n\n${lines}\n`;
}
