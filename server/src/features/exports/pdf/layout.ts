import { clockOf, type Heading, minutesBetween, STATUS_WORDS, withGreeting } from '../heading.ts';
import type { ExportChat, ExportMessage, Piece } from '../pieces.ts';
import { type Cell, createPaper, GREY, MARGIN, RULE_HEIGHT, WIDTH } from './paper.ts';
import type { Line, Style } from './typesetter.ts';

const INK = '#111827';
const ACCENT = '#1d4ed8';
const TITLE: Style = { size: 22, color: INK, bold: true };
const LABEL: Style = { size: 9, color: GREY };
const VALUE: Style = { size: 9, color: INK };
const NAME: Style = { size: 12, color: INK, bold: true };
const TEXT: Style = { size: 9.5, color: INK };
/** The height of lines of ordinary size; in points, like the lengths below. */
const LEADING = 14;
/** The height of larger lines, as a multiple of their font size. */
const LINE_HEIGHT = 1.35;
const TITLE_GAP = 10;
const DAY_GAP = 4;
const MESSAGE_GAP = 3;
const LABEL_WIDTH = 84;
const TIME_WIDTH = 40;
const SENDER_WIDTH = 100;
const GUTTER = 14;
const TEXT_X = MARGIN + TIME_WIDTH + SENDER_WIDTH + GUTTER;
const TEXT_WIDTH = MARGIN + WIDTH - TEXT_X;
const HEAD_GAP = 6;
/** A head moves to the next page with what follows it, unless at least this much of that fits below it. */
const TOGETHER_MIN = 3 * LEADING;
const SENDERS: Record<ExportMessage['sender'], Style> = {
  visitor: { ...TEXT, bold: true },
  agent: { ...TEXT, bold: true, color: ACCENT },
  assistant: { ...TEXT, color: ACCENT },
  system: { ...TEXT, color: GREY },
};

/** A PDF that is built chat by chat. */
export interface PdfDocument {
  add(piece: Piece): void;
  /** Removes and returns the bytes that are ready. */
  take(): Uint8Array<ArrayBuffer>;
  /** Finishes the document. @param sentence the reason why it ends before everything is in it */
  end(sentence?: string): void;
}

/** Begins a document with its heading. @param fontFolder where the font files are */
export function createPdf(fontFolder: string, heading: Heading): PdfDocument {
  const clock = clockOf(heading.timeZone);
  const paper = createPaper(fontFolder, heading.title);
  let chats = 0;
  let day = '';

  /** Draws lines one below the other. */
  function draw(lines: Line[], x: number): void {
    for (const line of lines) paper.row([{ x, line }], leadingOf(line));
  }

  /** Draws columns side by side, each with its own number of lines. */
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
    draw(paper.set(heading.title, WIDTH, TITLE), MARGIN);
    paper.gap(TITLE_GAP);
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
    const lines = [...paper.set(name, WIDTH, NAME), ...factsOf(chat).flatMap((fact) => paper.set(fact, WIDTH, LABEL))];
    paper.runningHead = null;
    paper.need(RULE_HEIGHT + heightOf(lines) + HEAD_GAP + TOGETHER_MIN);
    paper.rule();
    draw(lines, MARGIN);
    paper.gap(HEAD_GAP);
    paper.runningHead = `${name} (continued)`;
    day = clock.day(chat.beganAt);
  }

  function factsOf(chat: ExportChat): string[] {
    const { email, answers, site, department, supporter, status, beganAt, lastAt, tags, rating } = chat;
    const facts = [
      [email, site, department],
      answers.map(([label, answer]) => `${label}: ${answer}`),
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

  function message({ at, sender, name, text, mark }: ExportMessage): void {
    const today = clock.day(at);
    if (today !== day) {
      paper.need(TOGETHER_MIN);
      paper.gap(DAY_GAP);
      draw(paper.set(today, TEXT_WIDTH, LABEL), TEXT_X);
    }
    day = today;
    const style = SENDERS[sender];
    const author = sender === 'system' ? '' : `${name ?? 'Anonymous'}${mark ? ` (${mark})` : ''}`;
    columns([
      { lines: paper.set(clock.time(at), TIME_WIDTH, LABEL), x: MARGIN },
      { lines: paper.set(author, SENDER_WIDTH, style), x: MARGIN + TIME_WIDTH },
      { lines: paper.set(text, TEXT_WIDTH, sender === 'system' ? style : TEXT), x: TEXT_X, width: TEXT_WIDTH },
    ]);
    paper.gap(MESSAGE_GAP);
  }

  head();
  return {
    add({ chat, messages }) {
      if (chat) {
        chats++;
        chatHead(chat);
      }
      for (const each of messages.flatMap(withGreeting)) message(each);
    },
    take: paper.take,
    end(sentence = chats === 0 ? 'No chats found.' : '') {
      if (sentence !== '') {
        paper.runningHead = null;
        paper.need(RULE_HEIGHT + TOGETHER_MIN);
        paper.rule();
        draw(paper.set(sentence, WIDTH, LABEL), MARGIN);
      }
      paper.end();
    },
  };
}

function leadingOf({ style }: Line): number {
  return Math.max(LEADING, style.size * LINE_HEIGHT);
}

function heightOf(lines: Line[]): number {
  return lines.reduce((sum, line) => sum + leadingOf(line), 0);
}
