import type { Note } from 'server/contract';
import type { Thread } from './thread.ts';

/**
 * Takes notes in whatever order and however often they come.
 * @param newest given where they are a chat's newest page: whether there are older ones
 */
export function mergeNotes(thread: Thread, incoming: readonly Note[], newest?: { more: boolean }): Thread {
  const held = new Set(thread.notes.map(({ _id }) => _id));
  const fresh = incoming.filter(({ _id }) => !held.has(_id));
  const isFirst = thread.notes.length === 0;
  // A whole page of unknown ones: between them and those held there may be more.
  const isTorn = newest?.more === true && fresh.length === incoming.length;
  const olderNotes = newest && (isFirst || isTorn) ? newest.more : thread.olderNotes;
  if (fresh.length === 0) return olderNotes === thread.olderNotes ? thread : { ...thread, olderNotes };
  return { ...thread, notes: [...(isTorn ? [] : thread.notes), ...fresh].sort(byTime), olderNotes };
}

/** Takes the page of notes before the first one held. */
export function mergeOlderNotes(thread: Thread, page: { notes: readonly Note[]; more: boolean }): Thread {
  return { ...mergeNotes(thread, page.notes), olderNotes: page.more };
}

/** The notes that belong among the messages held: one from before them comes with the messages of its time. */
export function notesWithin({ notes, messages, older }: Thread): readonly Note[] {
  const start = messages[0]?.timestamp;
  return older && start !== undefined ? notes.filter(({ createdAt }) => createdAt >= start) : notes;
}

/** The note before which notes of the time on the screen may be missing, if any may. */
export function notesMissingBefore({ notes, olderNotes, messages }: Thread): string | null {
  const [first] = notes;
  const start = messages[0]?.timestamp;
  return olderNotes && first && start !== undefined && first.createdAt > start ? first._id : null;
}

function byTime(a: Note, b: Note): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1;
  return a._id < b._id ? -1 : 1;
}
