import { MESSAGE_MAX_LENGTH } from '#features/chats/contract';
import { VISITOR_NAME_MAX_LENGTH } from '#features/visitors/contract';
import { isHtml, textOfHtml } from '#platform/text';
import { DAY_MS } from '#platform/time';
import type { ImportedMessage } from '../chats/messages/importedMessages.ts';
import type { ImportField, ImportPlan, ImportSkip, ImportSkipped } from './contract.ts';
import { keyOf } from './keys.ts';
import { noteSkipped } from './skipped.ts';
import { cellOf, type Table } from './table.ts';
import { timeReader } from './times.ts';

/** A conversation as the file has it, with its messages in order. */
export interface ImportedConversation {
  /** Stands for the number that the conversation has in its source. */
  key: string;
  /**
   * `key`: a hash of the address; null: there is none, so this person has one conversation only. `isFirst`: no earlier conversation of
   * the file is with this person.
   */
  person: { key: string | null; name: string | null; email: string | null; isFirst: boolean };
  messages: ImportedMessage[];
  /** The line of its first message. */
  line: number;
  rows: number;
}

/** What a file has. */
export interface ImportedHistory {
  conversations: ImportedConversation[];
  skipped: ImportSkipped[];
}

/** No chat on a website is older. */
const EARLIEST = Date.UTC(2000, 0);
/** For clocks that are ahead. */
const AHEAD_MS = DAY_MS;
/** A longer text is refused; one that is longer than a message may be becomes several. */
const TEXT_MAX_LENGTH = 10 * MESSAGE_MAX_LENGTH;
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,189}$/;

/** What exports call the two sides; numbers are those of Chatwoot. */
const VISITORS = ['visitor', 'v', 'user', 'users', 'customer', 'client', 'contact', 'lead', 'guest', 'end_user'];
const VISITOR_WORDS = [...VISITORS, 'enduser', 'incoming', 'inbound', 'received', '0'];
const AGENTS = ['agent', 'a', 'operator', 'admin', 'team', 'teammate', 'staff', 'support', 'supporter', 'bot'];
const AGENT_WORDS = [...AGENTS, 'assistant', 'outgoing', 'outbound', 'sent', 'template', '1', '3'];
const SYSTEM_WORDS = ['system', 's', 'activity', 'event', '2'];
/** Of a column that marks private notes, such as `private` or Intercom's `part_type`. */
const NOTE_WORDS = ['true', 'yes', '1', 'note', 'private', 'internal'];

interface Draft extends Omit<ImportedConversation, 'messages' | 'person'> {
  name: string | null;
  email: string | null;
  /** The name of the visitor in the messages, where no column has it. */
  saidBy: string | null;
  messages: (Omit<ImportedMessage, 'seq'> & { line: number })[];
  ids: Set<string>;
}

/** Reads the rows of a file as conversations, in the order of their first rows. @param now milliseconds */
export function readConversations(table: Table, plan: ImportPlan, now: number): ImportedHistory {
  const at = Object.fromEntries(
    Object.entries(plan.columns).map(([field, name]) => [field, table.columns.indexOf(name)]),
  ) as Partial<Record<ImportField, number>>;
  const readTime = timeReader(plan);
  const drafts = new Map<string, Draft>();
  const skipped: ImportSkipped[] = [];

  for (const source of table.rows) {
    const { line } = source;
    const cell = (field: ImportField) => cellOf(table, source, at[field] ?? -1).toWellFormed();
    const row = readRow(cell, readTime, now);
    if (typeof row === 'string') {
      noteSkipped(skipped, row, { line, rows: 1 });
      continue;
    }
    const key = keyOf(cell('conversation').trim());
    const draft = drafts.get(key) ?? {
      key,
      name: null,
      email: null,
      saidBy: null,
      messages: [],
      ids: new Set(),
      line,
      rows: 0,
    };
    drafts.set(key, draft);
    draft.name ??= nameOf(cell('visitorName'));
    draft.email ??= emailOf(cell('visitorEmail'));
    if (row.sender === 'visitor') draft.saidBy ??= row.name;
    const id = cell('message').trim();
    if (id !== '' && draft.ids.has(id)) {
      noteSkipped(skipped, 'repeated', { line, rows: 1 });
      continue;
    }
    if (id !== '') draft.ids.add(id);
    draft.rows++;
    draft.messages.push({ ...row, line });
  }
  const met = new Set<string>();
  const conversations = [...drafts.values()].map((draft) => {
    const conversation = finished(draft);
    const { key, person } = conversation;
    const isFirst = met.size < met.add(person.key ?? key).size;
    return { ...conversation, person: { ...person, isFirst } };
  });
  return { conversations, skipped };
}

type Row = Omit<ImportedMessage, 'seq'>;

function readRow(
  cell: (field: ImportField) => string,
  readTime: (text: string) => number | null,
  now: number,
): Row | ImportSkip {
  if (cell('conversation').trim() === '') return 'noConversation';
  if (NOTE_WORDS.includes(cell('note').trim().toLowerCase())) return 'note';
  const sender = senderOf(cell);
  if (sender === 'system' || sender === 'badSender') return sender;
  if (cell('text').length > TEXT_MAX_LENGTH) return 'tooLong';
  const text = textOf(cell('text'));
  if (text === '') return 'noText';
  if (cell('time').trim() === '') return 'noTime';
  const at = readTime(cell('time'));
  if (at === null) return 'badTime';
  if (at < EARLIEST || at > now + AHEAD_MS) return 'timeOutOfRange';
  return { at: Math.min(at, now), sender, name: nameOf(cell('senderName')), text };
}

function textOf(cell: string): string {
  return isHtml(cell) ? textOfHtml(cell) : cell.replaceAll('\r\n', '\n').trim();
}

function senderOf(cell: (field: ImportField) => string): 'visitor' | 'agent' | 'system' | 'badSender' {
  const word = cell('sender')
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  if (VISITOR_WORDS.includes(word)) return 'visitor';
  if (AGENT_WORDS.includes(word)) return 'agent';
  if (SYSTEM_WORDS.includes(word)) return 'system';
  // Some files have names or addresses there.
  const visitor = [cell('visitorName'), cell('visitorEmail')].map((one) =>
    one
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_'),
  );
  return word !== '' && visitor.includes(word) ? 'visitor' : 'badSender';
}

function finished({ key, name, email, saidBy, messages, line, rows }: Draft) {
  // Rows of the same moment keep their order.
  const inOrder = messages.sort((a, b) => a.at - b.at || a.line - b.line);
  const parts = inOrder.flatMap(({ line: _, text, ...message }) =>
    piecesOf(text).map((piece) => ({ ...message, text: piece })),
  );
  return {
    key,
    line,
    rows,
    person: { key: email === null ? null : keyOf(email), name: name ?? saidBy, email },
    messages: parts.map((message, index) => ({ ...message, seq: index + 1 })),
  };
}

/** A text in pieces that fit into messages. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = from + MESSAGE_MAX_LENGTH;
    // Not between the halves of a character.
    const to = /[\uD800-\uDBFF]/.test(text[end - 1] ?? '') && end < text.length ? end - 1 : end;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

function nameOf(text: string): string | null {
  return text.trim().replace(/\s+/g, ' ').slice(0, VISITOR_NAME_MAX_LENGTH).toWellFormed() || null;
}

function emailOf(text: string): string | null {
  const email = text.trim().toLowerCase();
  return EMAIL.test(email) ? email : null;
}
