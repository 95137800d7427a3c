import { parentPort } from 'node:worker_threads';
import { type PreparedMessage, prepareMessages } from '../chats/messages/importedMessages.ts';
import {
  HISTORY_COLUMNS_MAX,
  type ImportColumn,
  type ImportColumns,
  type ImportPlan,
  type ImportSkipped,
} from './contract.ts';
import { type ImportedConversation, type ImportedHistory, readConversations } from './conversations.ts';
import { guessColumns, guessSource } from './guess.ts';
import { cellOf, readTable, type Table, TableError } from './table.ts';

/** What the thread is asked, one after the other. */
export type ReaderAsk =
  | { open: Uint8Array }
  /** @param now milliseconds */
  | { plan: ImportPlan; now: number }
  /** The conversations of one step, beginning with this one. */
  | { heads: number }
  /** The messages of conversations by index, from one on, with the ids that they have in these chats. */
  | { parts: { conversation: number; from: number; chat: string }[]; mask: boolean };

/** What a file has. */
export interface FilePreview {
  rows: number;
  source: string | null;
  columns: ImportColumn[];
  guess: ImportColumns;
}

/** How many conversations a plan finds. */
export interface PlanFinding {
  total: number;
  skipped: ImportSkipped[];
}

/** A conversation without its messages. */
export interface ConversationHead extends Omit<ImportedConversation, 'messages'> {
  messages: number;
  /** The bytes of all texts. */
  bytes: number;
  firstAt: number;
  lastAt: number;
  lastText: string;
}

/** The thread's answers, in the order of what it is asked. */
export type ReaderAnswer =
  | { preview: FilePreview }
  | { finding: PlanFinding }
  | { heads: ConversationHead[] }
  | { parts: PreparedMessage[][] }
  | { failure: TableError['reason'] };

const SAMPLES = 3;
const SAMPLE_LENGTH = 80;
/** Rows in which different values are looked for. */
const SAMPLED_ROWS = 100;
/** What one step stores at most; a longer conversation takes several steps. */
const STEP_CONVERSATIONS = 50;
const STEP_MESSAGES = 500;
const STEP_BYTES = 1024 * 1024;

let table: Table = { columns: [], shared: 0, rows: [] };
let history: ImportedHistory = { conversations: [], skipped: [] };

parentPort?.on('message', (ask: ReaderAsk) => {
  try {
    parentPort?.postMessage(answer(ask));
  } catch (error) {
    const failure = error instanceof TableError ? error.reason : 'UNREADABLE';
    parentPort?.postMessage({ failure } satisfies ReaderAnswer);
  }
});

function answer(ask: ReaderAsk): ReaderAnswer {
  if ('open' in ask) {
    table = readTable(ask.open);
    const columns = table.columns.slice(0, HISTORY_COLUMNS_MAX).map((name, at) => ({ name, samples: samplesOf(at) }));
    const source = guessSource(table.columns);
    return { preview: { rows: table.rows.length, source, columns, guess: guessColumns(table) } };
  }
  if ('plan' in ask) {
    history = readConversations(table, ask.plan, ask.now);
    return { finding: { total: history.conversations.length, skipped: history.skipped } };
  }
  if ('heads' in ask) return { heads: headsFrom(ask.heads) };
  return {
    parts: ask.parts.map(({ conversation, from, chat }) => prepareMessages(partOf(conversation, from), chat, ask.mask)),
  };
}

/** The first different values of a column. */
function samplesOf(column: number): string[] {
  const samples = new Set<string>();
  for (const row of table.rows.slice(0, SAMPLED_ROWS)) {
    const value = cellOf(table, row, column).trim().slice(0, SAMPLE_LENGTH).toWellFormed();
    if (value !== '') samples.add(value);
    if (samples.size === SAMPLES) break;
  }
  return [...samples];
}

/** As many conversations as fit into a step, but at least one. */
function headsFrom(first: number): ConversationHead[] {
  const heads: ConversationHead[] = [];
  let [messages, bytes] = [0, 0];
  for (const conversation of history.conversations.slice(first, first + STEP_CONVERSATIONS)) {
    const head = headOf(conversation);
    messages += head.messages;
    bytes += head.bytes;
    if (heads.length > 0 && (messages > STEP_MESSAGES || bytes > STEP_BYTES)) break;
    heads.push(head);
  }
  return heads;
}

function headOf({ messages, ...conversation }: ImportedConversation): ConversationHead {
  const last = messages.at(-1);
  return {
    ...conversation,
    messages: messages.length,
    bytes: messages.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
    firstAt: messages[0]?.at ?? 0,
    lastAt: last?.at ?? 0,
    lastText: last?.text ?? '',
  };
}

/** As many messages of a conversation as fit into a step, but at least one. */
function partOf(conversation: number, from: number) {
  const messages = history.conversations[conversation]?.messages.slice(from, from + STEP_MESSAGES) ?? [];
  let bytes = 0;
  const end = messages.findIndex(({ text }, i) => {
    bytes += Buffer.byteLength(text);
    return i > 0 && bytes > STEP_BYTES;
  });
  return end < 0 ? messages : messages.slice(0, end);
}
