import { CLIENT_WORDS, type ClientWords } from './mailClientWords.ts';

/** What mail programs send when one answers: how they quote, and in which words, by language. */

export const MAIL_CLIENTS = [
  'gmail',
  'outlookDesktop',
  'outlookWeb',
  'apple',
  'thunderbird',
  'yahoo',
  'samsung',
  'k9',
] as const;
export type MailClient = (typeof MAIL_CLIENTS)[number];

export const CLIENT_LANGUAGES = ['en', 'de', 'es', 'fr', 'pt', 'ar'] as const;
export type ClientLanguage = (typeof CLIENT_LANGUAGES)[number];

/** Where the person writes: above the quote, below it, or each paragraph below a part of it. */
export const ANSWER_STYLES = ['top', 'bottom', 'inline'] as const;
export type AnswerStyle = (typeof ANSWER_STYLES)[number];

export interface AnswerParts {
  /** What the person writes. */
  own: string;
  /** The mail that is answered. */
  quoted: { text: string; html: string; subject: string };
  from: { name: string; address: string };
  /** Who answers. */
  to: string;
  /** When the quoted mail was sent. */
  at: Date;
  style: AnswerStyle;
}

/** An answer as the program sends it. Some programs have no plain part, for which their HTML is to be read. */
export interface ClientAnswer {
  text: string;
  html: string;
}

/** Answers a mail. */
export function answerBy(client: MailClient, language: ClientLanguage, parts: AnswerParts): ClientAnswer {
  const form = FORMS[client];
  const said: Said = { ...parts, language, words: CLIENT_WORDS[language] };
  const head = form.head(said);
  const signature = form.signature?.(said) ?? [];
  const mark = (lines: string[]) => lines.flatMap((line) => wrapped(line, form)).map((line) => form.mark + line);
  const quotedLines = parts.quoted.text.trimEnd().split('\n');
  const headLines = (form.isHeadMarked ? mark(head) : head).concat(form.below);
  const signed = signature.length > 0 ? ['', ...signature] : [];
  if (parts.style === 'top') {
    return {
      text: [parts.own, ...signed, '', ...headLines, ...mark(quotedLines)].join('\n'),
      html: form.own(parts.own) + form.signed(signature) + form.quote(head, [form.part(bodyOf(parts.quoted.html))]),
    };
  }
  if (parts.style === 'bottom') {
    return {
      text: [...headLines, ...mark(quotedLines), '', parts.own, ...signed].join('\n'),
      html: form.quote(head, [form.part(bodyOf(parts.quoted.html)), form.own(parts.own)]) + form.signed(signature),
    };
  }
  const paragraphs = parts.own.split('\n\n');
  const size = Math.ceil(quotedLines.length / (paragraphs.length + 1));
  const pieces = [...paragraphs, ''].map((own, i) => ({ own, lines: quotedLines.slice(i * size, (i + 1) * size) }));
  const inText = pieces.flatMap(({ own, lines }) => [...mark(lines), ...(own ? ['', own, ''] : [])]);
  const inHtml = pieces.flatMap(({ own, lines }) => [form.part(htmlOf(lines)), own ? form.own(own) : '']);
  return {
    text: [...headLines, ...inText, ...signed].join('\n'),
    html: form.quote(head, inHtml) + form.signed(signature),
  };
}

interface Said extends AnswerParts {
  language: ClientLanguage;
  words: ClientWords;
}

interface Form {
  head(said: Said): string[];
  /** Before each quoted line of the plain part. */
  mark: string;
  isHeadMarked?: boolean;
  /** Lines between head and quote. */
  below: string[];
  /** Quoted lines are broken again there. */
  width?: number;
  signature?(said: Said): string[];
  own(text: string): string;
  signed(lines: string[]): string;
  quote(head: string[], parts: string[]): string;
  part(html: string): string;
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const htmlOf = (lines: string[]) => lines.map((line) => `<div>${escaped(line) || '<br>'}</div>`).join('');
const broken = (lines: string[]) => lines.map(escaped).join('<br>');
const bodyOf = (html: string) => html.replace(/^.*?<body[^>]*>/s, '').replace(/<\/body>.*$/s, '');

function wrapped(line: string, { width = Number.POSITIVE_INFINITY }: Form): string[] {
  const lines = [''];
  for (const word of line.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last.length + word.length >= width && last !== '') lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

/** Gmail breaks the line before the address. */
const brokenAtAddress = (line: string) => line.replace('<', '<\n').split('\n');

const headersOf = ({ words: { headers }, from, to, quoted, ...said }: Said, when: string, names = headers.outlook) => [
  `${names[0]} ${from.name} <${from.address}>${said.language === 'ar' ? '\u200f' : ''}`,
  `${names[1]} ${when}`,
  `${names[2]} ${to}`,
  `${names[3]} ${quoted.subject}`,
];
const bold = (line: string) => escaped(line).replace(/^([^:]*:)/, '<b>$1</b>');
const plainDivs = (text: string) => htmlOf(text.split('\n'));
const byAddress = ({ from }: Said) => `${from.name} <${from.address}>`;

const LONG_DATE = { dateStyle: 'full' } as const;
const MEDIUM_DATE = { dateStyle: 'medium' } as const;
const SHORT_DATE = { dateStyle: 'short' } as const;
const GMAIL_DATE = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;

const dated = ({ words, at }: Said, form: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(words.locale, { ...form, timeZone: 'UTC' }).format(at);
const timed = (said: Said, hasSeconds = false) => dated(said, { timeStyle: hasSeconds ? 'medium' : 'short' });

const FORMS: Record<MailClient, Form> = {
  gmail: {
    head: (said) => brokenAtAddress(said.words.gmail(dated(said, GMAIL_DATE), timed(said), byAddress(said))),
    mark: '> ',
    below: [''],
    width: 72,
    own: (text) => `<div dir="ltr">${plainDivs(text)}</div><br>`,
    signed: () => '',
    quote: (head, parts) =>
      `<div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">${escaped(head.join(''))}<br></div>${parts.join('')}</div>`,
    part: (html) =>
      `<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;padding-left:1ex">${html}</blockquote>`,
  },
  outlookDesktop: {
    head: (said) => headersOf(said, `${dated(said, LONG_DATE)} ${timed(said)}`),
    mark: '',
    below: [''],
    own: (text) => `<p class="MsoNormal">${broken(text.split('\n'))}<o:p></o:p></p>`,
    signed: () => '',
    quote: (head, parts) =>
      `<p class="MsoNormal"><o:p>&nbsp;</o:p></p><div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal">${head.map(bold).join('<br>')}<o:p></o:p></p></div></div>${parts.join('')}`,
    part: (html) => html,
  },
  outlookWeb: {
    head: (said) => [
      '________________________________',
      ...headersOf(said, `${dated(said, LONG_DATE)} ${timed(said)}`),
    ],
    mark: '',
    below: [''],
    signature: ({ words }) => [`${words.outlook}<https://aka.ms/AAb9ysg>`],
    own: (text) => `<div dir="ltr" class="elementToProof">${plainDivs(text)}</div>`,
    signed: (lines) => `<div><br></div><div>${escaped(lines.join('').replace(/<.*/, ''))}</div>`,
    quote: ([, ...head], parts) =>
      `<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" style="font-size:11pt" color="#000000">${head.map(bold).join('<br>')}</font><div>&nbsp;</div></div>${parts.join('')}`,
    part: (html) => `<div>${html}</div>`,
  },
  apple: {
    head: (said) => [said.words.apple(dated(said, MEDIUM_DATE), timed(said), byAddress(said)), ''],
    mark: '> ',
    isHeadMarked: true,
    below: [],
    signature: ({ words }) => [words.iphone],
    own: (text) => `<div dir="ltr">${broken(text.split('\n'))}</div>`,
    signed: (lines) => `<br><br><div dir="ltr">${lines.join('')}</div>`,
    quote: ([head = ''], parts) =>
      `<div dir="ltr"><br><blockquote type="cite">${escaped(head)}<br><br></blockquote></div>${parts.join('')}`,
    part: (html) => `<blockquote type="cite"><div dir="ltr">${html}</div></blockquote>`,
  },
  thunderbird: {
    head: (said) => [said.words.thunderbird(dated(said, SHORT_DATE), timed(said), said.from.name)],
    mark: '> ',
    below: [],
    width: 72,
    own: (text) => `<p>${broken(text.split('\n'))}</p>`,
    signed: () => '',
    quote: (head, parts) => `<div class="moz-cite-prefix">${escaped(head.join(''))}<br></div>${parts.join('')}`,
    part: (html) => `<blockquote type="cite" cite="mid:1@example.com">${html}</blockquote>`,
  },
  yahoo: {
    head: (said) => [
      `    ${said.words.yahoo(dated(said, LONG_DATE), `${timed(said, true)} GMT+2`, byAddress(said))}  `,
    ],
    mark: ' ',
    below: [' '],
    own: (text) => `<div class="yahoo-style-wrap"><div dir="ltr">${plainDivs(text)}</div><div><br></div></div>`,
    signed: () => '',
    quote: (head, parts) =>
      `<div id="yahoo_quoted_1" class="yahoo_quoted"><div><div>${escaped(head.join('').trim())}</div><div><br></div><div><br></div>${parts.join('')}</div></div>`,
    part: (html) => `<div>${html}</div>`,
  },
  samsung: {
    head: (said) => [
      `-------- ${said.words.original} --------`,
      ...headersOf(said, `${dated(said, SHORT_DATE)}  ${timed(said)}  (GMT+01:00) `, said.words.headers.samsung),
    ],
    mark: '',
    below: [''],
    signature: ({ words }) => ['', words.galaxy],
    own: (text) => `<div dir="auto">${plainDivs(text)}</div><div dir="auto"><br></div>`,
    signed: (lines) =>
      `<div id="composer_signature" dir="auto"><div style="font-size:12px;color:#575757" dir="auto">${lines.join('')}</div></div>`,
    quote: (head, parts) =>
      `<div dir="auto"><br></div><div align="left" dir="auto" style="font-size:100%;color:#000000">${htmlOf(head)}<div><br></div></div>${parts.join('')}`,
    part: (html) => html,
  },
  k9: {
    head: (said) => [said.words.k9(dated(said, MEDIUM_DATE), `${timed(said, true)} GMT+02:00`, byAddress(said))],
    mark: '>',
    below: [],
    signature: ({ words }) => ['-- ', words.k9Signature],
    own: (text) => `<div dir="auto">${broken(text.split('\n'))}</div>`,
    signed: (lines) => `<br><br><div class="k9mail-signature">${broken(lines)}</div>`,
    quote: (head, parts) => `<br><br><div class="gmail_quote">${escaped(head.join(''))}${parts.join('')}</div>`,
    part: (html) =>
      `<blockquote class="gmail_quote" style="margin:0pt 0pt 0pt 0.8ex;padding-left:1ex">${html}</blockquote>`,
  },
};
