import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Types } from 'mongoose';
import { type ImportedChat, importedChats, type PastChat, storePastChats } from '../chats/importing.ts';
import { events } from '../events.ts';
import { readBlob } from '../files/blobs.ts';
import { indexChats } from '../search/indexer.ts';
import { liveSite } from '../sites/guards.ts';
import type { SiteDoc } from '../sites/model.ts';
import { DAY_MS } from '../time.ts';
import { textBytes, type Usage } from '../usage/counter.ts';
import { importedPeople, type PastPerson, storePeople } from '../visitors/importing.ts';
import type { VisitorDoc } from '../visitors/model.ts';
import type { ImportCounts, ImportFailure } from './contract.ts';
import type { PastConversation } from './conversations.ts';
import { type ImportDoc, ImportModel, NO_COUNTS, removeImportFiles } from './model.ts';
import { type Reader, ReadFailure, startReader } from './reader.ts';
import { noteSkipped } from './skipped.ts';

/** Conversations of one step; fewer if they have more messages than this. */
const BATCH = 50;
/** After so many errors of the server an import is given up; somebody may start it again. */
const FAILURES_MAX = 5;

/** What imports need. */
export interface RunDeps {
  usage: Usage;
  /** The built `import-worker`. */
  workerUrl: URL;
}

/** Runs the imports that wait, one after the other, until the signal aborts. A run that a crash cut off is continued. */
export async function runImports(deps: RunDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const doc = await ImportModel.findOne({ active: true }).sort({ _id: 1 }).lean<ImportDoc>();
    if (!doc) return;
    await runOne(doc, deps, signal);
  }
}

async function runOne(doc: ImportDoc, deps: RunDeps, signal: AbortSignal): Promise<void> {
  const reader = startReader(deps.workerUrl);
  try {
    await steps(doc, reader, deps, signal);
  } catch (error) {
    const reason = error instanceof ReadFailure ? error.reason : null;
    if (reason !== null) return await end(doc, 'failed', reason);
    const failed = await ImportModel.findOneAndUpdate(
      { _id: doc._id },
      { $inc: { failures: 1 } },
      { returnDocument: 'after' },
    ).lean<ImportDoc>();
    if (failed && failed.failures >= FAILURES_MAX) await end(doc, 'failed', 'UNAVAILABLE');
    throw error;
  } finally {
    reader.close();
  }
}

async function steps(doc: ImportDoc, reader: Reader, { usage }: RunDeps, signal: AbortSignal): Promise<void> {
  const { _id, plan, startedAt = Date.now() } = doc;
  await reader.open(readBlob(_id, doc.size ?? 0));
  const { total, skipped } = await reader.plan(plan, startedAt);
  let counts: ImportCounts = doc.done > 0 ? doc.counts : { ...NO_COUNTS, skipped };
  for (let { done } = doc; done < total; ) {
    const site = await liveSite(doc.site.toHexString());
    if (!site) return end(doc, 'cancelled', null);
    if (signal.aborted) return;
    const batch = await reader.conversations(done, done + BATCH);
    const wanted = bytesOf(batch);
    if (doc.status === 'importing' && !usage.fits(site._id.toHexString(), { text: wanted }))
      return end(doc, 'failed', 'SITE_FULL');
    counts = await step(site, doc, batch, counts);
    done += batch.length;
    // Cancelled meanwhile: what is stored stays.
    if (!(await note(doc, { done, total, counts }))) return;
    await nextTurn();
  }
  await note(doc, { done: total, total, counts });
  await end(doc, doc.status === 'checking' ? 'checked' : 'done', null);
}

const bytesOf = (batch: PastConversation[]) =>
  batch.reduce((sum, { messages }) => sum + messages.reduce((all, { text }) => all + textBytes(text), 0), 0);

/** One step of a dry run or an import. @returns what is counted with it */
async function step(
  site: SiteDoc,
  { _id: run, status, startedAt = 0 }: ImportDoc,
  batch: PastConversation[],
  before: ImportCounts,
): Promise<ImportCounts> {
  const counts: ImportCounts = { ...before, skipped: before.skipped.map((one) => ({ ...one, lines: [...one.lines] })) };
  const known = await importedChats(
    site._id,
    batch.map(({ key }) => key),
  );
  const people = await importedPeople(
    site._id,
    batch.map(({ person }) => person.key),
  );
  const limit = site.settings.retentionDays > 0 ? startedAt - site.settings.retentionDays * DAY_MS : 0;
  const isErased = (key: string) => people.get(key)?.erasedAt !== undefined;
  const fresh: PastConversation[] = [];
  for (const one of batch) {
    const chat = known.get(one.key);
    if (chat && !chat.importRun?.equals(run)) {
      counts.knownChats++;
      counts.knownMessages += one.rows;
    } else if ((one.messages.at(-1)?.at ?? 0) < limit) noteSkipped(counts.skipped, 'retention', one);
    else if (isErased(one.person.key)) noteSkipped(counts.skipped, 'erased', one);
    else fresh.push(one);
  }
  counts.chats += fresh.length;
  counts.messages += fresh.reduce((sum, { rows }) => sum + rows, 0);
  // Those whom this run has stored before it was cut off are new, too.
  const isNew = (known: VisitorDoc | undefined) => !known || known.importRun?.equals(run) === true;
  counts.people += fresh.filter(({ person }) => person.isFirst && isNew(people.get(person.key))).length;
  if (status === 'importing' && fresh.length > 0) await store(site, run, fresh);
  return counts;
}

async function store(site: SiteDoc, run: Types.ObjectId, fresh: PastConversation[]): Promise<void> {
  const visitors = await storePeople(site._id, run, peopleIn(fresh));
  const past = fresh.flatMap(({ key, person, messages }): PastChat[] => {
    const visitor = visitors.get(person.key);
    if (!visitor) return [];
    const { name, email } = visitor;
    return [{ key, visitor: visitor._id, person: { name: name ?? person.name, email }, messages }];
  });
  const chats = await storePastChats(site, run, past);
  await indexChats(chats.map(textsOf));
}

/** The people of conversations, each once. */
function peopleIn(conversations: PastConversation[]): PastPerson[] {
  const people = new Map<string, PastPerson>();
  for (const { person, messages } of conversations) {
    const firstAt = messages[0]?.at ?? 0;
    const lastAt = messages.at(-1)?.at ?? 0;
    const known = people.get(person.key);
    if (!known) people.set(person.key, { ...person, firstAt, lastAt });
    else {
      known.name ??= person.name;
      known.firstAt = Math.min(known.firstAt, firstAt);
      known.lastAt = Math.max(known.lastAt, lastAt);
    }
  }
  return [...people.values()];
}

function textsOf({ chat, messages }: ImportedChat) {
  const said = messages.filter(({ sender }) => sender !== 'system');
  return { chat: chat._id, site: chat.site, messages: said, person: chat.visitorInfo };
}

/** @returns whether it still runs */
async function note(
  { _id, status }: ImportDoc,
  progress: Pick<ImportDoc, 'done' | 'total' | 'counts'>,
): Promise<boolean> {
  const { matchedCount } = await ImportModel.updateOne({ _id, status, active: true }, { $set: progress });
  return matchedCount > 0;
}

async function end(
  { _id, status }: ImportDoc,
  next: ImportDoc['status'],
  failure: ImportFailure | null,
): Promise<void> {
  const finishedAt = next === 'checked' ? null : new Date();
  // What a dry run has counted before it failed is stored nowhere.
  const counted = failure !== null && status === 'checking' ? { counts: NO_COUNTS } : {};
  await ImportModel.updateOne(
    { _id, status, active: true },
    { $set: { status: next, failure, finishedAt, ...counted }, $unset: { active: 1 } },
  );
  if (next === 'done') await removeImportFiles([_id]);
}

/** @returns whether an import waits or runs */
export async function isImportAwaited(): Promise<boolean> {
  return (await ImportModel.exists({ active: true })) !== null;
}

/** Calls back whenever an import waits, on any node. @returns a disposer */
export function onImportAwaited(wake: () => void): () => void {
  return events.everywhere('importAwaited', wake);
}
