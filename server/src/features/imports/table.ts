import { csvRows, isEmptyRow, UnclosedQuote } from '#platform/text';
import { HISTORY_COLUMN_MAX_LENGTH, HISTORY_COLUMNS_MAX, HISTORY_MESSAGES_MAX } from './contract.ts';

/** The rows of a file, one for each message, with a cell for each column. */
export interface Table {
  columns: string[];
  /** So many columns, the first ones, are of the conversation. */
  shared: number;
  rows: Row[];
}

/** A message: the cells of its conversation, which are kept once for all its messages, and its own. */
interface Row {
  line: number;
  shared: readonly string[];
  cells: readonly string[];
}

/** The text of a row in one column; empty without such a column. */
export function cellOf({ shared }: Table, row: Row, column: number): string {
  return (column < shared ? row.shared[column] : row.cells[column - shared]) ?? '';
}

/** Why a file cannot be read. */
export class TableError extends Error {
  readonly reason: 'UNREADABLE' | 'TOO_MANY';

  constructor(reason: TableError['reason']) {
    super(reason);
    this.reason = reason;
  }
}

type JsonObject = Record<string, unknown>;

/** The names that lists of messages have in the exports of chats. */
const MESSAGE_LISTS = ['messages', 'conversation_parts', 'parts', 'history', 'transcript'];
/** The first message of a conversation in exports of Intercom, which stands beside the list. */
const FIRST_MESSAGE = 'source';
const DEPTH_MAX = 4;
/** The records that decide which list has the messages. */
const VOTERS = 200;
const PATH_SEPARATOR = '.';

/** Reads a file: JSON (a list, an object with one, or one object a line) or CSV. @throws TableError */
export function readTable(bytes: Uint8Array): Table {
  const text = new TextDecoder().decode(bytes).replaceAll('\0', '');
  const table = /^\s*[[{]/.test(text) ? jsonTable(parseJson(text)) : csvTable(text);
  if (table.columns.length === 0 || table.rows.length === 0) throw new TableError('UNREADABLE');
  if (table.rows.length > HISTORY_MESSAGES_MAX) throw new TableError('TOO_MANY');
  return table;
}

function csvTable(text: string): Table {
  const rows: Table['rows'] = [];
  try {
    for (const row of csvRows(text, { columnsMax: HISTORY_COLUMNS_MAX })) {
      if (!isEmptyRow(row)) rows.push({ ...row, shared: [] });
      if (rows.length > HISTORY_MESSAGES_MAX + 1) throw new TableError('TOO_MANY');
    }
  } catch (error) {
    throw error instanceof UnclosedQuote ? new TableError('UNREADABLE') : error;
  }
  const columns: string[] = [];
  for (const cell of rows.shift()?.cells ?? []) {
    const name = nameOf(cell.trim()) || `Column ${columns.length + 1}`;
    columns.push(columns.includes(name) ? `${name} (${columns.length + 1})` : name);
  }
  return { columns, shared: 0, rows };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parseLines(text);
  }
}

function parseLines(text: string): unknown[] {
  try {
    return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line)]));
  } catch {
    throw new TableError('UNREADABLE');
  }
}

function jsonTable(root: unknown): Table {
  const { prefix, records } = recordsOf(root);
  const list = messageListOf(records);
  const columnsMax = list === null ? HISTORY_COLUMNS_MAX : HISTORY_COLUMNS_MAX / 2;
  const ofConversation = new Map<string, number>();
  const ofMessage = new Map<string, number>();
  const rows: Row[] = [];

  /** The cells of an object in columns of its kind; there are more columns as long as there is room for them. */
  function cellsOf(node: JsonObject, columns: Map<string, number>, path: string): string[] {
    const cells: string[] = [];
    for (const [name, value] of scalarsOf(node, prefix + path)) {
      const column = nameOf(name);
      if (!columns.has(column) && columns.size < columnsMax) columns.set(column, columns.size);
      const at = columns.get(column);
      if (at !== undefined) cells[at] = value;
    }
    return Array.from(cells, (cell) => cell ?? '');
  }

  function add(message: JsonObject, shared: readonly string[], path: string): void {
    rows.push({ line: rows.length + 1, shared, cells: cellsOf(message, ofMessage, path) });
    if (rows.length > HISTORY_MESSAGES_MAX) throw new TableError('TOO_MANY');
  }

  for (const record of records) {
    if (list === null) {
      add(record, [], '');
      continue;
    }
    const shared = cellsOf(record, ofConversation, '');
    const path = `${list}${PATH_SEPARATOR}`;
    const first = record[FIRST_MESSAGE];
    // It has no time of its own but that of the conversation.
    if (isObject(first) && 'body' in first) add({ created_at: record.created_at, ...first }, shared, path);
    for (const message of listAt(record, list)) add(message, shared, path);
  }
  return { columns: [...ofConversation.keys(), ...ofMessage.keys()], shared: ofConversation.size, rows };
}

/** The records of a file: conversations, or messages. */
function recordsOf(root: unknown): { prefix: string; records: JsonObject[] } {
  if (Array.isArray(root)) return { prefix: '', records: root.filter(isObject) };
  if (!isObject(root)) throw new TableError('UNREADABLE');
  if (messageListOf([root]) !== null) {
    const lists = [...listsIn(root)].filter(([path]) => !isMessageList(path));
    const outer = lists.find(([, list]) => messageListOf(list) !== null);
    return outer ? { prefix: `${outer[0]}${PATH_SEPARATOR}`, records: outer[1] } : { prefix: '', records: [root] };
  }
  const [largest] = [...listsIn(root)].sort(([, a], [, b]) => b.length - a.length);
  if (!largest) throw new TableError('UNREADABLE');
  return { prefix: `${largest[0]}${PATH_SEPARATOR}`, records: largest[1] };
}

/** The path of the list with the messages of each record; null: the records are messages. */
function messageListOf(records: JsonObject[]): string | null {
  const votes = new Map<string, number>();
  for (const record of records.slice(0, VOTERS))
    for (const [path, list] of listsIn(record))
      if (isMessageList(path)) votes.set(path, (votes.get(path) ?? 0) + list.length);
  const [most] = [...votes].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? null;
}

function isMessageList(path: string): boolean {
  return MESSAGE_LISTS.includes(path.split(PATH_SEPARATOR).at(-1) ?? '');
}

/** The lists of objects in an object, by their paths; those within lists are left out. */
function* listsIn(node: JsonObject, prefix = '', depth = 0): Generator<[path: string, list: JsonObject[]]> {
  for (const [key, value] of Object.entries(node)) {
    if (Array.isArray(value) && value.some(isObject)) yield [prefix + key, value.filter(isObject)];
    else if (isObject(value) && depth < DEPTH_MAX) yield* listsIn(value, prefix + key + PATH_SEPARATOR, depth + 1);
  }
}

function listAt(node: JsonObject, path: string): JsonObject[] {
  return [...listsIn(node)].find(([listPath]) => listPath === path)?.[1] ?? [];
}

/** Texts, numbers and booleans of an object, by their paths. */
function* scalarsOf(node: JsonObject, prefix: string, depth = 0): Generator<[path: string, text: string]> {
  for (const [key, value] of Object.entries(node)) {
    if (isObject(value)) {
      if (depth < DEPTH_MAX) yield* scalarsOf(value, prefix + key + PATH_SEPARATOR, depth + 1);
    } else if (['string', 'number', 'boolean'].includes(typeof value)) yield [prefix + key, String(value)];
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const nameOf = (path: string) => path.toWellFormed().slice(0, HISTORY_COLUMN_MAX_LENGTH);
