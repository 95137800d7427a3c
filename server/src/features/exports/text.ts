import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, clockOf, type Heading, minutesBetween, pluralize, STATUS_WORDS, withGreeting } from './heading.ts';
import type { ExportChat, ExportMessage, Piece } from './pieces.ts';

const RULE = '='.repeat(80);
const LABEL_LENGTH = 12;
/**
 * Text written before the event loop gets a turn: a hundred of the longest messages at once would block the server for
 * 0.1 s.
 */
const CHUNK_LENGTH = 100_000;
/** Stands before every line but the first of a text, so that no message can imitate a line of the export itself. */
const INDENT = '    ';
const LINE_BREAK = /\r\n?|\n/g;
/**
 * Control characters, characters that change the direction of others, and separators that some readers treat as line
 * breaks.
 */
const TRICKY = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029\uFEFF]/gu;
const WRITERS: Record<ExportMessage['sender'], string> = {
  visitor: 'Visitor',
  agent: 'Agent',
  assistant: 'Automatic assistant',
  system: 'System',
};

/** Writes an export as plain text, as fast as its reader takes it (backpressure). */
export async function* writeText(heading: Heading, pieces: AsyncIterable<Piece[]>): AsyncGenerator<string> {
  const clock = clockOf(heading.timeZone);
  const rows = heading.rows.map(([label, value]) => field(label, value));
  yield `${heading.title}\n\n${rows.join('')}`;
  let chats = 0;
  let messages = 0;
  for await (const batch of pieces) {
    yield* chunksOf(batch, clock);
    for (const piece of batch) {
      if (piece.chat) chats++;
      messages += piece.messages.length;
    }
  }
  yield `\n${RULE}\n${chats === 0 ? 'No chats found.' : `End: ${pluralize(chats, 'chat')}, ${pluralize(messages, 'message')}.`}\n`;
}

/** The text of some pieces, in chunks of bounded length, each in its own turn of the event loop. */
async function* chunksOf(batch: Piece[], clock: Clock): AsyncGenerator<string> {
  let chunk = '';
  for (const line of linesOf(batch, clock)) {
    chunk += line;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = '';
    await nextTurn();
  }
  if (chunk) yield chunk;
}

function* linesOf(batch: Piece[], clock: Clock): Generator<string> {
  for (const { chat, messages } of batch) {
    if (chat) yield `\n${RULE}\n${chatText(chat, clock)}\n`;
    for (const message of messages.flatMap(withGreeting)) yield messageText(message, clock);
  }
}

function chatText(chat: ExportChat, clock: Clock): string {
  const { visitor, email, answers, site, department, supporter, status, beganAt, lastAt, tags, rating } = chat;
  const fields: [string, string | null][] = [
    ['Visitor', visitor ?? 'Anonymous'],
    ['Email', email],
    ...answers,
    ['Website', site],
    ['Department', department],
    ['Supporter', supporter ?? 'Unclaimed'],
    ['Status', STATUS_WORDS[status]],
    ['Started', clock.stamp(beganAt)],
    ['Duration', minutesBetween(beganAt, lastAt)],
    ['Tags', tags.join(', ')],
    ['Rating', rating && [`${rating.score} of 5`, rating.comment].filter(Boolean).join(': ')],
  ];
  return fields.map(([label, value]) => (value ? field(label, value) : '')).join('');
}

function field(label: string, value: string): string {
  return `${`${escapeInvisible(label)}:`.padEnd(LABEL_LENGTH)}${escapeInvisible(value)}\n`;
}

/** The role comes first, so that no name that a visitor chooses can pass for an agent. */
function messageText({ at, sender, name, text, mark }: ExportMessage, clock: Clock): string {
  const writer = [WRITERS[sender], sender === 'system' ? null : name, mark && `(${mark})`].filter(Boolean).join(' ');
  return `[${clock.stamp(at)}] ${escapeInvisible(writer)}: ${escapeInvisible(text)}\n`;
}

/** A text indented below its own first line. Characters that would be invisible are written as `<U+202E>`. */
function escapeInvisible(text: string): string {
  return text.toWellFormed().replace(LINE_BREAK, `\n${INDENT}`).replace(TRICKY, codeOf);
}

function codeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `<U+${code.padStart(4, '0')}>`;
}
