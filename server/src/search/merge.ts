import type { Types } from 'mongoose';

/** Gives the next ids of a list that runs down, below one of them. */
export type ReadDown = (before: Types.ObjectId | undefined, limit: number) => Promise<Types.ObjectId[]>;

/** Where many lists are read side by side, most give a few of the ids that are wanted: each begins with so many. */
const FIRST_READ = 8;

interface List {
  read: ReadDown;
  ids: Types.ObjectId[];
  before: Types.ObjectId | undefined;
  next: number;
  ended: boolean;
}

/** The first ids of several lists that run down, as one such list, each id once. */
export async function mergeDown(
  reads: ReadDown[],
  before: Types.ObjectId | undefined,
  count: number,
): Promise<Types.ObjectId[]> {
  const first = reads.length === 1 ? count : FIRST_READ;
  const lists: List[] = reads.map((read) => ({ read, ids: [], before, next: first, ended: false }));
  const found: Types.ObjectId[] = [];
  for (;;) {
    await Promise.all(lists.map((list) => fill(list, count)));
    // As long as every list has one, or is at its end, the largest is the next of all.
    do {
      const next = largest(lists);
      if (!next) return found;
      if (!found.at(-1)?.equals(next)) found.push(next);
      if (found.length === count) return found;
    } while (lists.every(({ ids, ended }) => ids.length > 0 || ended));
  }
}

async function fill(list: List, count: number): Promise<void> {
  if (list.ids.length > 0 || list.ended) return;
  const limit = Math.min(list.next, count);
  list.ids = await list.read(list.before, limit);
  list.ended = list.ids.length < limit;
  list.before = list.ids.at(-1) ?? list.before;
  list.next *= 4;
}

/** Takes the largest id that heads a list. */
function largest(lists: List[]): Types.ObjectId | undefined {
  let best: List | undefined;
  for (const list of lists) {
    const [head] = list.ids;
    if (head && (!best?.ids[0] || compare(head, best.ids[0]) > 0)) best = list;
  }
  return best?.ids.shift();
}

const compare = (a: Types.ObjectId, b: Types.ObjectId) => Buffer.compare(a.id, b.id);
