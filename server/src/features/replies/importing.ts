import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Types } from 'mongoose';
import type { Caller } from '#features/auth';
import type { SiteAccess } from '#features/sites';
import { can } from '#features/team/contract';
import type { ReceivedFile } from '#platform/files';
import { AppError, inEnglish, partsOf, sentence, type TranslatableText } from '#platform/http';
import { type CsvRow, csvRows, isEmptyRow, storable, UnclosedQuote, unguarded, writeCsv } from '#platform/text';
import { allReplies, conflictIfDuplicate, limitOf, type ReplyOwner } from './actions.ts';
import {
  IMPORT_ERRORS_MAX,
  IMPORT_MAX_BYTES,
  IMPORT_ROWS_MAX,
  REPLY_MAX_LENGTH,
  type ReplyImport,
} from './contract.ts';
import { type ReplyDoc, ReplyModel } from './model.ts';
import { isShortcut, normalizeShortcut, placeholderProblem, SHORTCUT_RULE } from './schemas.ts';

const COLUMNS = ['shortcut', 'content', 'personal'] as const;
type Column = (typeof COLUMNS)[number];
/** Columns beyond this are ignored. */
const COLUMNS_MAX = 20;
/** Longer than any cell that is taken, even one with Windows' line breaks. */
const CELL_MAX_LENGTH = 4 * REPLY_MAX_LENGTH;
/** Reading gives the event loop a turn after this long. */
const SLICE_MS = 5;
const BATCH = 100;

/** The team's canned replies and the member's own as a CSV file; files are left out. */
export async function exportReplies(site: Types.ObjectId, owner: Types.ObjectId): Promise<string> {
  const replies = [...(await allReplies({ site })), ...(await allReplies({ site, owner }))];
  const rows = replies.map((reply) => [reply.shortcut, reply.content, reply.owner ? 'yes' : 'no']);
  return writeCsv([[...COLUMNS], ...rows]);
}

/** A row that can be stored. */
interface Entry {
  line: number;
  shortcut: string;
  content: string;
  isPersonal: boolean;
}

/**
 * Imports a CSV file: replies whose shortcut is there already are replaced, so a second import changes nothing. A file with
 * errors is not imported at all.
 * @param isDryRun only says what would be done
 * @throws AppError 413 when it is too large, 409 `SHORTCUT_TAKEN` when somebody adds one of its replies at the same time
 */
export async function importReplies(
  { site, member }: SiteAccess,
  { user }: Caller,
  received: ReceivedFile,
  isDryRun: boolean,
): Promise<ReplyImport> {
  if (received.size > IMPORT_MAX_BYTES)
    throw new AppError(
      413,
      'TOO_LARGE',
      sentence('A CSV file can have at most {max} MB.', { max: IMPORT_MAX_BYTES / 1024 / 1024 }),
    );
  const errors: ReplyImport['errors'] = [];
  const mayEditTeams = can(member, 'replies.edit');
  const entries = await readEntries(await textOf(received), !mayEditTeams, errors);
  const result: ReplyImport = { added: 0, changed: 0, unchanged: 0, errors };
  const owners: ReplyOwner[] = [{ site: site._id }, { site: site._id, owner: user._id }];
  const plans = await Promise.all(
    owners.map((replyOwner) => plan(replyOwner, entries, replyOwner.owner !== undefined || mayEditTeams, errors)),
  );
  for (const { added, changed, unchanged } of plans) {
    result.added += added.length;
    result.changed += changed.length;
    result.unchanged += unchanged;
  }
  errors.sort((a, b) => a.line - b.line).splice(IMPORT_ERRORS_MAX);
  if (errors.length === 0 && !isDryRun) for (const each of plans) await store(each);
  return result;
}

async function textOf({ pieces }: ReceivedFile): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const piece of pieces()) chunks.push(piece);
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * The entries of a file, whose first row names the columns. The event loop gets a turn after each time slice, and of a cell only
 * so much is read that a longer one is refused.
 */
async function readEntries(
  text: string,
  isPersonalByDefault: boolean,
  errors: ReplyImport['errors'],
): Promise<Entry[]> {
  const entries: Entry[] = [];
  const lines = new Map<string, number>();
  let at: Record<Column, number> | null = null;
  let count = 0;
  let began = performance.now();
  try {
    for (const row of csvRows(text, { columnsMax: COLUMNS_MAX, cellMaxLength: CELL_MAX_LENGTH })) {
      if (performance.now() - began > SLICE_MS) {
        await nextTurn();
        began = performance.now();
      }
      if (isEmptyRow(row)) continue;
      if (!at) {
        at = columnIndexes(row);
        if (!at) break;
        continue;
      }
      if (++count > IMPORT_ROWS_MAX) {
        errors.push(wrong(1, sentence('A file can have at most {max} replies.', { max: IMPORT_ROWS_MAX })));
        return [];
      }
      const entry = entryOf(row, at, isPersonalByDefault, lines);
      if ('message' in entry) errors.push(entry);
      else entries.push(entry);
    }
  } catch (error) {
    if (!(error instanceof UnclosedQuote)) throw error;
    errors.push(wrong(1, sentence('A quotation mark is not closed.')));
    return [];
  }
  if (!at) errors.push(wrong(1, sentence('The first line must name the columns shortcut and content.')));
  return entries;
}

/** Where the columns are; -1: not in the file. @returns null: one that is needed is missing */
function columnIndexes({ cells }: CsvRow): Record<Column, number> | null {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const [shortcut, content, personal] = COLUMNS.map((column) => names.indexOf(column)) as [number, number, number];
  return shortcut < 0 || content < 0 ? null : { shortcut, content, personal };
}

/** The entry of a row, or what is wrong with it. @param lines where earlier entries stand */
function entryOf(
  { line, cells }: CsvRow,
  at: Record<Column, number>,
  isPersonalByDefault: boolean,
  lines: Map<string, number>,
): Entry | ReplyImport['errors'][number] {
  const cell = (column: Column) => unguarded(storable(cells[at[column]] ?? ''));
  const personal = cell('personal').trim().toLowerCase();
  const shortcut = cell('shortcut');
  const entry: Entry = {
    line,
    shortcut: isShortcut(shortcut) ? normalizeShortcut(shortcut) : '',
    content: cell('content').replaceAll('\r\n', '\n'),
    isPersonal: personal === '' ? isPersonalByDefault : personal === 'yes',
  };
  const key = `${entry.isPersonal} ${entry.shortcut}`;
  const problem = problemOf(entry, personal, lines.get(key));
  if (problem !== null) return wrong(line, problem);
  lines.set(key, line);
  return entry;
}

function wrong(line: number, reason: TranslatableText): ReplyImport['errors'][number] {
  return { line, message: inEnglish(reason), ...partsOf(reason) };
}

function problemOf(
  { shortcut, content }: Entry,
  personal: string,
  earlier: number | undefined,
): TranslatableText | null {
  if (!isShortcut(shortcut)) return SHORTCUT_RULE;
  if (content.trim() === '') return sentence('{field} is required', { field: { text: 'Content' } });
  if (content.length > REPLY_MAX_LENGTH)
    return sentence('{field} must be at most {max} characters long', {
      field: { text: 'Content' },
      max: REPLY_MAX_LENGTH,
    });
  if (!['', 'yes', 'no'].includes(personal)) return sentence('Personal must be yes or no');
  if (earlier !== undefined) return sentence('Line {line} has the same shortcut', { line: earlier });
  return placeholderProblem(content);
}

/** What an import does to the replies of the team, or to the member's own. */
interface Plan {
  added: Pick<ReplyDoc, 'site' | 'owner' | 'shortcut' | 'content'>[];
  changed: { _id: Types.ObjectId; content: string }[];
  unchanged: number;
}

async function plan(
  replyOwner: ReplyOwner,
  entries: Entry[],
  mayEdit: boolean,
  errors: ReplyImport['errors'],
): Promise<Plan> {
  const made: Plan = { added: [], changed: [], unchanged: 0 };
  const wanted = entries.filter(({ isPersonal }) => isPersonal === (replyOwner.owner !== undefined));
  if (wanted.length === 0) return made;
  const there = await allReplies(replyOwner);
  const byShortcut = new Map(there.map((reply) => [reply.shortcut, reply]));
  const max = limitOf(replyOwner);
  for (const { line, shortcut, content } of wanted) {
    const existing = byShortcut.get(shortcut);
    if (existing?.content === content) made.unchanged++;
    else if (!mayEdit) errors.push(wrong(line, sentence('Your role allows only personal replies.')));
    else if (existing) made.changed.push({ _id: existing._id, content });
    else if (there.length + made.added.length >= max)
      errors.push(wrong(line, sentence('There can be at most {max}.', { max })));
    else made.added.push({ ...replyOwner, shortcut, content });
  }
  return made;
}

async function store({ added, changed }: Plan): Promise<void> {
  for (let from = 0; from < added.length; from += BATCH)
    await conflictIfDuplicate(() => ReplyModel.insertMany(added.slice(from, from + BATCH), { ordered: false }));
  const writes = changed.map(({ _id, content }) => ({ updateOne: { filter: { _id }, update: { $set: { content } } } }));
  for (let from = 0; from < writes.length; from += BATCH) await ReplyModel.bulkWrite(writes.slice(from, from + BATCH));
}
