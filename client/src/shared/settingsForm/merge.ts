import { isSame } from '../../lib/json.ts';

/**
 * Three-way merge of one setting that two people have changed: what each of them did to it, where that does not touch the same.
 * Lists of texts, and of entries with an `id`, are merged entry by entry unless somebody has sorted them.
 * @returns null where only a person can choose
 */
export function merged(base: unknown, mine: unknown, theirs: unknown): { value: unknown } | null {
  if (isSame(mine, base)) return { value: theirs };
  if (isSame(theirs, base) || isSame(mine, theirs)) return { value: mine };
  const [before, here, there] = [base, mine, theirs].map(entriesOf);
  if (!before || !here || !there || !isSorted(before, here) || !isSorted(before, there)) return null;
  const value: unknown[] = [];
  for (const key of new Set([...there.keys(), ...here.keys()])) {
    const entry = merged(before.get(key), here.get(key), there.get(key));
    if (!entry) return null;
    // Undefined: one of them has removed it.
    if (entry.value !== undefined) value.push(entry.value);
  }
  return { value };
}

type Entries = Map<string, unknown>;

/** The entries of a list by what tells them apart; null: it is no list of such entries. */
function entriesOf(list: unknown): Entries | null {
  if (!Array.isArray(list)) return null;
  const written = list.filter((entry) => entry !== '');
  const entries = new Map(written.map((entry) => [typeof entry === 'string' ? entry : entry?.id, entry]));
  return entries.size === written.length && !entries.has(undefined) ? entries : null;
}

/** Whether the entries that both lists have stand in the same order. */
function isSorted(before: Entries, after: Entries): boolean {
  const stayed = (one: Entries, other: Entries) => [...one.keys()].filter((key) => other.has(key));
  return isSame(stayed(before, after), stayed(after, before));
}
