import { livingNodes } from '#platform/cluster';
import { events } from '#platform/events';
import type { UsageDoc } from './model.ts';

/** A recount is put off if a node does not answer within this time. */
const ANSWER_MAX_MS = 5_000;

/** Nodes that may have crashed with unwritten counts. */
export interface LostWriters {
  /** Whether there are any. */
  some: boolean;
  ids: string[];
}

/** Finds which nodes have counted a site and run no more. @param self the id of this node */
export async function lostWriters(site: Pick<UsageDoc, 'writers' | 'inUse'>, self: string): Promise<LostWriters> {
  const writers = (site.writers ?? []).filter((writer) => writer !== self);
  if (writers.length === 0 && !site.inUse) return { some: false, ids: [] };
  const living = await otherNodes(self);
  const ids = writers.filter((writer) => !living.has(writer));
  // `inUse`, of the last release, names no node; its writer can only live if there is another node.
  return { some: ids.length > 0 || (site.inUse === true && living.size === 0), ids };
}

/**
 * Makes the other nodes flush their counts of a site before a recount, which includes those: written later, they would count
 * twice.
 * @param signal ends the wait: a node that stops does not wait for one that has died
 * @returns whether all of them have
 */
export async function flushOtherNodes(siteId: string, self: string, signal?: AbortSignal): Promise<boolean> {
  const pendingNodes = await otherNodes(self);
  if (pendingNodes.size === 0) return true;
  if (signal?.aborted) return false;
  return new Promise((resolve) => {
    const end = (isDone: boolean) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      stopListening();
      resolve(isDone);
    };
    const giveUp = () => end(false);
    signal?.addEventListener('abort', giveUp);
    const timer = setTimeout(giveUp, ANSWER_MAX_MS).unref();
    const stopListening = events.everywhere('storageWritten', (written) => {
      if (written.siteId === siteId && pendingNodes.delete(written.node) && pendingNodes.size === 0) end(true);
    });
    events.emitElsewhere('storageAsked', { siteId });
  });
}

async function otherNodes(self: string): Promise<Set<string>> {
  const living = await livingNodes();
  living.delete(self);
  return living;
}
