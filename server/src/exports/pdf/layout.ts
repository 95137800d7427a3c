import { clockOf, counted, minutesBetween } from '../clock.ts';
import { type Heading, STATUS_WORDS } from '../heading.ts';
import type { ExportChat, ExportMessage, Piece } from '../pieces.ts';
import { type Cell, createPaper, GREY, MARGIN, WIDTH } from './paper.ts';
import type { Line, Style } from './setting.ts';

const INK = '#111827';
const ACCENT = '#1d4ed8';
const TITLE: Style = { size: 22, color: INK, bold: true };
const LABEL: Style = { size: 9, color: GREY };
const VALUE: Style = { size: 9, color: INK };
const NAME: Style = { size: 12, color: INK, bold: true };
const TEXT: Style = { size: 9.5, color: INK };
const LEADING = 14;
const LABEL_WIDTH = 84;
const TIME_WIDTH = 40;
const SENDER_WIDTH = 100;
const GUTTER = 14;
const TEXT_X = MARGIN + TIME_WIDTH + SENDER_WIDTH + GUTTER;
const TEXT_WIDTH = MARGIN + WIDTH - TEXT_X;
/** A chat's head stands with its first message, or goes to the next page with it. */
const HEAD_MIN = 96;
const SENDERS: Record<ExportMessage['sender'], Style> = {
  visitor: { ...TEXT, bold: true },
  agent: { ...TEXT, bold: true, color: ACCENT },
  system: { ...TEXT, color: GREY },
};

/** A PDF that grows chat by chat. */
export interface PdfDocument {
  add(piece: Piece): void;
  /** Takes the bytes that are ready. */
  take(): Uint8Array<ArrayBuffer>;
  end(): void;
}

/** Begins the document with its heading. @param fontFolder where the font files are */
export function createPdf(fontFolder: string, heading: Heading): PdfDocument {
  const clock = clockOf(heading.timeZone);
  const paper = createPaper(fontFolder, heading.title);
  let chats = 0;
  let day = '';

  /** Lines one below the other, as wide as the column. */
  function block(text: string, x: number, width: number, style: Style): void {
    for (const line of paper.set(text, width, style)) paper.row([{ x, line }], leadingOf(style));
  }

  /** Columns side by side, each of its own number of lines. */
  function columns(all: { lines: Line[]; x: number; width?: number }[]): void {
    const rows = Math.max(...all.map(({ lines }) => lines.length));
    for (let i = 0; i < rows; i++) {
      const cells = all.flatMap(({ lines, x, width }): Cell[] => {
        const line = lines[i];
        return line ? [{ x, width, line }] : [];
      });
      paper.row(cells, LEADING);
    }
  }

  function head(): void {
    block(heading.title, MARGIN, WIDTH, TITLE);
    paper.gap(10);
    const x = MARGIN + LABEL_WIDTH;
    const width = WIDTH - LABEL_WIDTH;
    for (const [label, value] of heading.rows) {
      columns([
        { lines: paper.set(label, LABEL_WIDTH, LABEL), x: MARGIN },
        { lines: paper.set(value, width, VALUE), x },
      ]);
    }
  }

  function chatHead(chat: ExportChat): void {
    const name = chat.visitor ?? 'Anonymous';
    paper.runningHead = null;
    paper.need(HEAD_MIN);
    paper.gap(18);
    paper.rule();
    paper.gap(10);
    block(name, MARGIN, WIDTH, NAME);
    for (const line of factsOf(chat)) block(line, MARGIN, WIDTH, LABEL);
    paper.gap(6);
    paper.runningHead = `${name} (continued)`;
    day = clock.day(chat.beganAt);
  }

  function factsOf(chat: ExportChat): string[] {
    const { email, site, supporter, status, beganAt, lastAt, tags, rating } = chat;
    const facts = [
      [email, site],
      [
        `${clock.day(beganAt)}, ${clock.time(beganAt)}`,
        minutesBetween(beganAt, lastAt),
        STATUS_WORDS[status],
        supporter ? `Supporter: ${supporter}` : 'Unclaimed',
      ],
      tags.length > 0 ? [`Tags: ${tags.join(', ')}`] : [],
      rating ? [`Rated ${rating.score} of 5`, rating.comment] : [],
    ];
    return facts.filter((line) => line.length > 0).map((line) => line.filter(Boolean).join('  ·  '));
  }

  function message({ at, sender, name, text }: ExportMessage): void {
    const today = clock.day(at);
    if (today !== day) {
      paper.need(3 * LEADING);
      paper.gap(4);
      block(today, TEXT_X, TEXT_WIDTH, LABEL);
    }
    day = today;
    const style = SENDERS[sender];
    const author = sender === 'system' ? '' : (name ?? 'Anonymous');
    columns([
      { lines: paper.set(clock.time(at), TIME_WIDTH, LABEL), x: MARGIN },
      { lines: paper.set(author, SENDER_WIDTH, style), x: MARGIN + TIME_WIDTH },
      { lines: paper.set(text, TEXT_WIDTH, sender === 'system' ? style : TEXT), x: TEXT_X, width: TEXT_WIDTH },
    ]);
    paper.gap(3);
  }

  head();
  return {
    add({ chat, messages }) {
      if (chat) {
        chats++;
        chatHead(chat);
      }
      for (const each of messages) message(each);
    },
    take: paper.take,
    end() {
      paper.runningHead = null;
      paper.gap(24);
      block(chats === 0 ? 'No chats found.' : `End of ${counted(chats, 'chat')}.`, MARGIN, WIDTH, LABEL);
      paper.end();
    },
  };
}

function leadingOf({ size }: Style): number {
  return Math.max(LEADING, size * 1.35);
}
