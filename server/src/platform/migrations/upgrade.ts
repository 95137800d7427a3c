import { setTimeout as sleep } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { areOtherVersions, endedNodes, oldestDataVersion } from '#platform/cluster';
import { StoreError } from '#store';
import manifest from '../../../package.json' with { type: 'json' };
import { type Declaring, matchIndexes } from './indexes.ts';
import { migrate } from './migrate.ts';
import type { StepContext } from './step.ts';
import { DATA_VERSION, LAST_RELEASE, STEPS } from './steps.ts';

/** The interval of looking whether the last node of an earlier version has ended. */
const LOOK_EVERY_MS = 5_000;

/** The database that is upgraded, and by whom. */
export interface Upgrade extends StepContext {
  models: Declaring[];
  /** Takes the right to change the stored data, which one node has at a time. */
  takeLease(): Promise<boolean>;
}

/**
 * Brings stored data to what this code needs: first the steps, then the indexes.
 * @param beatEveryMs the interval at which nodes say that they are there; null: no other node can use the database
 * @returns whether all is done; otherwise the rest waits until nodes of earlier versions have ended
 * @throws StoreError with a sentence for the operator
 */
export async function upgradeData(upgrade: Upgrade, beatEveryMs: number | undefined | null): Promise<boolean> {
  if (beatEveryMs === null) return runAll(upgrade, { oldestNode: async () => DATA_VERSION, mayReplace: true });
  const ended = await endedNodes(DATA_VERSION, beatEveryMs);
  const oldestNode = () => oldestDataVersion(DATA_VERSION, ended);
  const oldest = await oldestNode();
  if (oldest < LAST_RELEASE)
    throw new StoreError(
      'Another Parley uses this database whose version is too old to run beside this one: stop it first, or update through the versions between.',
    );
  return runAll(upgrade, { oldestNode, mayReplace: !(await areOtherVersions(manifest.version, ended)) });
}

/**
 * Does the rest in the background, as soon as nodes of earlier versions have ended.
 * @param open opens a connection on which nothing times out @returns a function that ends it
 */
export function upgradeLater(
  {
    open,
    failed,
    ...upgrade
  }: Omit<Upgrade, 'db'> & { open(): Promise<mongo.MongoClient>; failed(error: unknown): void },
  everyMs = LOOK_EVERY_MS,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Whether all is done now. */
  const look = async () => {
    if (!(await upgrade.takeLease())) return false;
    const client = await open();
    try {
      const mayReplace = !(await areOtherVersions(manifest.version));
      const oldestNode = () => oldestDataVersion(DATA_VERSION);
      return await runAll({ ...upgrade, db: client.db() }, { oldestNode, mayReplace });
    } finally {
      await client.close();
    }
  };
  const work = async () => {
    for (let isDone = false; !isDone && !signal.aborted; ) {
      await sleep(everyMs, undefined, { signal, ref: false }).catch(() => {});
      try {
        isDone = !signal.aborted && (await look());
      } catch (error) {
        failed(error);
      }
    }
  };
  const working = work();
  return () => {
    stopping.abort();
    return working;
  };
}

async function runAll(
  upgrade: Upgrade,
  { oldestNode, mayReplace }: { oldestNode(): Promise<number>; mayReplace: boolean },
): Promise<boolean> {
  const areStepsDone = await migrate({ ...upgrade, steps: STEPS, oldestNode });
  const areIndexesMade = await matchIndexes(upgrade.models, { ...upgrade, mayReplace });
  return areStepsDone && areIndexesMade;
}
