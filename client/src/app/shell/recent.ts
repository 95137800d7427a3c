import { localStore } from '../../lib/storage.ts';
import type { Find } from './finds.ts';

const RECENT_KEY = 'parley_recent';
const RECENT_MAX = 5;

/** Where this person went from the search box, the last first; nobody else's on the same computer. */
export function recentFinds(userId: string): Find[] {
  try {
    const held: unknown = JSON.parse(localStore.get(RECENT_KEY) ?? 'null');
    return isRecent(held) && held.userId === userId ? held.finds : [];
  } catch {
    return [];
  }
}

/** Remembers one more place. */
export function rememberFind(userId: string, find: Find): void {
  const others = recentFinds(userId).filter(({ key }) => key !== find.key);
  localStore.set(RECENT_KEY, JSON.stringify({ userId, finds: [find, ...others].slice(0, RECENT_MAX) }));
}

function isRecent(held: unknown): held is { userId: string; finds: Find[] } {
  return typeof held === 'object' && held !== null && 'userId' in held && 'finds' in held && Array.isArray(held.finds);
}
