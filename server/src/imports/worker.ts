import { parentPort } from 'node:worker_threads';
import {
  HISTORY_COLUMNS_MAX,
  type ImportColumn,
  type ImportColumns,
  type ImportPlan,
  type ImportSkipped,
} from './contract.ts';
import { type PastConversation, type PastHistory, readConversations } from './conversations.ts';
import { guessColumns, guessSource } from './guess.ts';
import { readTable, type Table, TableError } from './table.ts';

/** What the thread is asked, one after the other. */
export type ReaderAsk =
  | { open: Uint8Array }
  /** @param now milliseconds */
  | { plan: ImportPlan; now: number }
  /** The conversations from one index to before another. */
  | { from: number; to: number };

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

/** The thread's answers, in the order of what it is asked. */
export type ReaderAnswer =
  | { preview: FilePreview }
  | { finding: PlanFinding }
  | { conversations: PastConversation[] }
  | { failure: TableError['reason'] };

const SAMPLES = 3;
const SAMPLE_LENGTH = 80;
/** Rows in which different values are looked for. */
const SAMPLED_ROWS = 100;

let table: Table = { columns: [], rows: [] };
let history: PastHistory = { conversations: [], skipped: [] };

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
  return { conversations: history.conversations.slice(ask.from, ask.to) };
}

/** The first different values of a column. */
function samplesOf(column: number): string[] {
  const samples = new Set<string>();
  for (const { cells } of table.rows.slice(0, SAMPLED_ROWS)) {
    const value = (cells[column] ?? '').trim().slice(0, SAMPLE_LENGTH).toWellFormed();
    if (value !== '') samples.add(value);
    if (samples.size === SAMPLES) break;
  }
  return [...samples];
}
