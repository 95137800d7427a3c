import { type ChatDoc, findImportedChats, storeImportedChats, storeImportedMessages } from '#features/chats';
import { indexChats } from '#features/search';
import type { SiteDoc } from '#features/sites';
import {
  findImportedPeople,
  type ImportedPerson,
  removeErased,
  storePeople,
  type VisitorDoc,
} from '#features/visitors';
import { DAY_MS } from '#platform/time';
import type { ImportCounts } from './contract.ts';
import type { ErasedPeople } from './erased.ts';
import { beganTogether, keyInSource, keyOfNameless } from './keys.ts';
import type { ImportDoc } from './model.ts';
import type { Reader } from './reader.ts';
import { noteSkipped } from './skipped.ts';
import type { ConversationHead } from './worker.ts';

/** Some conversations of a file, and what decides on them. */
export interface Step {
  site: SiteDoc;
  run: ImportDoc;
  heads: ConversationHead[];
  erased: ErasedPeople;
}

/** A conversation under the key that it has on this site. */
interface PlannedConversation {
  head: ConversationHead;
  /** Its index in the step. */
  index: number;
  key: string;
  person: string;
  /** Stored already, by this run or an earlier one. */
  chat: ChatDoc | undefined;
}

/** A conversation that this run stores. */
interface StartedChat extends PlannedConversation {
  row: ChatDoc;
}

/** Decides whether each conversation is stored, known or skipped, and counts it. */
export async function planStep(
  step: Step,
  before: ImportCounts,
): Promise<{ counts: ImportCounts; added: PlannedConversation[] }> {
  const { site, run } = step;
  const counts: ImportCounts = { ...before, skipped: before.skipped.map((one) => ({ ...one, lines: [...one.lines] })) };
  const planned = await matchSources(step);
  const keys = planned.flatMap(keysOfPeople);
  const people = await findImportedPeople(site._id, keys);
  const erased = await step.erased.among(site._id, keys);
  const limit = site.settings.retentionDays > 0 ? (run.startedAt ?? 0) - site.settings.retentionDays * DAY_MS : 0;
  const isErased = (key: string) => erased.has(key) || people.get(key)?.erasedAt !== undefined;
  const added: PlannedConversation[] = [];
  for (const one of planned) {
    const { head, chat } = one;
    if (chat && !chat.importRun?.equals(run._id)) {
      counts.knownChats++;
      counts.knownMessages += head.rows;
    } else if (head.lastAt < limit) noteSkipped(counts.skipped, 'retention', head);
    else if (keysOfPeople(one).some(isErased)) noteSkipped(counts.skipped, 'erased', head);
    else added.push(one);
  }
  counts.chats += added.length;
  counts.messages += added.reduce((sum, { head }) => sum + head.rows, 0);
  // People whom this run stored before a crash count as new, too.
  const isNew = (existing: VisitorDoc | undefined) => !existing || existing.importRun?.equals(run._id) === true;
  counts.people += added.filter(({ head, person }) => head.person.isFirst && isNew(people.get(person))).length;
  return { counts, added };
}

/**
 * Finds for each conversation the source that it is from: the first one in which its number is free, or stands for a
 * conversation that began together with it.
 */
async function matchSources({ site, run, heads }: Step): Promise<PlannedConversation[]> {
  const planned: PlannedConversation[] = [];
  let open = heads.map((head, index) => ({ head, index }));
  for (let source = 0; open.length > 0; source++) {
    const chats = await findImportedChats(
      site._id,
      open.map(({ head }) => keyInSource(head.key, source)),
    );
    open = open.filter(({ head, index }) => {
      const key = keyInSource(head.key, source);
      const chat = chats.get(key);
      const isOther =
        chat && !chat.importRun?.equals(run._id) && !beganTogether(chat.createdAt.getTime(), head.firstAt);
      if (!isOther) planned[index] = { head, index, key, person: personOf(head, key), chat };
      return isOther;
    });
  }
  return planned;
}

const personOf = ({ person, firstAt }: ConversationHead, key: string) => person.key ?? keyOfNameless(key, firstAt);

/** The keys under which the erasure of a conversation's person may be recorded; the last release used the conversation's own. */
function keysOfPeople({ head, key, person }: PlannedConversation): string[] {
  const nameless = keyOfNameless(key, head.firstAt);
  return head.person.key === null ? [nameless, key] : [person, nameless];
}

/** Stores the people and the rows of conversations. @returns those whose messages are to be stored */
export async function startConversations({ site, run }: Step, added: PlannedConversation[]): Promise<StartedChat[]> {
  if (added.length === 0) return [];
  const visitors = await storePeople(site._id, run._id, peopleIn(added));
  const past = added.flatMap(({ head, key, person }) => {
    const visitor = visitors.get(person);
    if (!visitor || visitor.erasedAt) return [];
    const { name, email } = visitor;
    return { ...head, key, visitor: visitor._id, person: { name: name ?? head.person.name, email } };
  });
  const rows = await storeImportedChats(site, run._id, past);
  return added.flatMap((one) => {
    const row = rows.get(one.key);
    return row ? { ...one, row } : [];
  });
}

/**
 * Stores messages of conversations, as many of each as fit into a step, and their words. Of people who were erased meanwhile it
 * removes what it has stored.
 * @param first the index of the step's first conversation in the file
 * @param from the index of the first message of each
 * @returns how many messages of the last one; 0: there are none, or the chats are gone
 */
export async function storePart(
  { site }: Step,
  started: StartedChat[],
  { reader, first, from }: { reader: Reader; first: number; from: number },
): Promise<number> {
  const left = await findImportedChats(
    site._id,
    started.map(({ key }) => key),
  );
  // Others were deleted since their first part was stored.
  const chats = started.filter(({ key, row }) => left.get(key)?._id.equals(row._id));
  if (chats.length === 0) return 0;
  const parts = await reader.messages({
    parts: chats.map(({ index, row }) => ({ conversation: first + index, from, chat: row._id.toHexString() })),
    mask: site.settings.maskCards !== false,
  });
  const stored = chats.map(({ row }, i) => ({ chat: row, messages: parts[i] ?? [] }));
  await storeImportedMessages(site, stored);
  await indexChats(
    stored.map(({ chat, messages }) => ({
      chat: chat._id,
      site: chat.site,
      messages: messages.map(({ text }) => ({ content: text })),
      person: chat.visitorInfo,
    })),
  );
  await removeErased(
    site,
    chats.map(({ row }) => row.visitor),
  );
  return parts.at(-1)?.length ?? 0;
}

/** The people of conversations, each once. */
function peopleIn(conversations: PlannedConversation[]): ImportedPerson[] {
  const people = new Map<string, ImportedPerson>();
  for (const { head, person: key } of conversations) {
    const { person, firstAt, lastAt } = head;
    const existing = people.get(key);
    if (!existing) people.set(key, { key, name: person.name, email: person.email, firstAt, lastAt });
    else {
      existing.name ??= person.name;
      existing.firstAt = Math.min(existing.firstAt, firstAt);
      existing.lastAt = Math.max(existing.lastAt, lastAt);
    }
  }
  return [...people.values()];
}
