import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '#store';
import { enterSchema, readSchema, recordPart, refuseEarlier, requireReadable, type SchemaDoc } from './schema.ts';
import type { Step, StepContext } from './step.ts';
import { versionOf } from './steps.ts';

/** The interval of looking whether the node that upgrades the data has finished. */
const LOOK_EVERY_MS = 250;

/** What an upgrade of the data takes. */
export interface Migration extends StepContext {
  steps: Step[];
  /** Takes the right to run the steps, which one node has at a time. */
  takeLease(): Promise<boolean>;
  /** The lowest version of the data that a running node writes; with no other node, that of the steps. */
  oldestNode(): Promise<number>;
}

/**
 * Brings the data to the version of this code. Steps run one after the other, each with both parts; while nodes of an
 * earlier version run, the parts `after` of later versions wait, and only the parts `before` run.
 * @returns whether nothing is left for later
 * @throws StoreError with a sentence for the operator
 */
export async function migrate(migration: Migration): Promise<boolean> {
  const { db, steps, log } = migration;
  const newest = versionOf(steps);
  await enterSchema(db, steps);
  for (let isWaiting = false; ; isWaiting = true) {
    const schema = (await readSchema(db)) as SchemaDoc;
    requireReadable(schema, steps);
    if (schema.completed >= newest) return true;
    if (await migration.takeLease()) return runSteps(migration, schema);
    // Another node does the rest; this one needs only what comes before its work.
    if (schema.version >= newest) return false;
    if (!isWaiting) log('Another node brings the data to the version of this one. Waiting for it.');
    await sleep(LOOK_EVERY_MS);
  }
}

/** Runs what is pending, as far as other nodes allow. @returns whether nothing is left */
async function runSteps(migration: Migration, { version, completed }: SchemaDoc): Promise<boolean> {
  let isInOrder = true;
  for (const step of migration.steps) {
    if (step.version > version) await run(migration, step, 'before');
    if (step.version <= completed) continue;
    isInOrder &&= await mayFinish(migration, step);
    if (isInOrder) await run(migration, step, 'after');
  }
  return isInOrder;
}

/**
 * Whether the part `after` may run. Code of an earlier version is refused first, then looked for: whichever of it starts at the
 * same moment either sees that it is refused or is seen.
 */
async function mayFinish({ db, oldestNode }: Migration, { version, after }: Step): Promise<boolean> {
  if ((await oldestNode()) < version) return false;
  if (!after) return true;
  await refuseEarlier(db, version);
  return (await oldestNode()) >= version;
}

async function run({ db, seal, log }: Migration, step: Step, part: 'before' | 'after'): Promise<void> {
  const work = step[part];
  const what = `Step ${step.version} (${step.name}, ${part})`;
  try {
    if (work) {
      log(`${what} changes the stored data.`);
      await work.call(step, { db, seal, log });
    }
    await recordPart(db, step, part);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StoreError(`${what} of the upgrade of the data failed, and is tried again at the next start: ${why}`, {
      cause: error,
    });
  }
}
