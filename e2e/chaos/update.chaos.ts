import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { builtRelease } from '../../scripts/cluster/release.js';
import type { World } from '../delivery/world.ts';
import { inDatabase } from '../harness/database.ts';
import { summary, tryNodes } from './several-nodes.ts';
import { talkInTurns } from './turns.ts';

/** The commit or tag of the release before: `npm run test:cluster -- --from REF`. */
const { UPDATE_FROM = '' } = process.env;
const UNDER_LOAD_MS = 8_000;
/** A killed node is listed for a minute, and only then the last steps run. */
const FINISHED_TIMEOUT_MS = 150_000;
const LOOK_EVERY_MS = 200;

const NODES = 2;
const MS = 1_000;

/** Which steps of the upgrade of the data have run, and when. */
interface Schema {
  _id: string;
  version: number;
  completed: number;
  applied: { part: 'before' | 'after'; at: Date }[];
}

const schemaOf = (world: World) =>
  inDatabase(world, (db) => db.collection<Schema>('schema').findOne({ _id: 'schema' }));
const lastSteps = (schema: Schema | null) => schema?.applied.filter(({ part }) => part === 'after') ?? [];

for (const [how, isKilled] of [
  ['stopped', false],
  ['killed', true],
] as const)
  test.skipIf(UPDATE_FROM === '')(
    `a rolling update from ${UPDATE_FROM}, whose last node is ${how}, while people write, reconnect and open closed chats again`,
    async () => {
      const trial = await tryNodes(NODES, { former: builtRelease(UPDATE_FROM) });
      const { cluster, world, conversation, writeOn, untilConnected, untilSeen, report } = trial;
      const [first, last] = cluster.nodes;
      if (!first || !last) throw new Error('no nodes');
      const cut = setInterval(() => {
        const tabs = conversation.tabs();
        tabs[Math.floor(Math.random() * tabs.length)]?.network.cut();
      }, MS);
      const stopWriting = writeOn();
      const talks = await talkInTurns(world, { keepsTurns: false });
      await sleep(UNDER_LOAD_MS);

      await first.restart();
      await untilConnected();
      await sleep(UNDER_LOAD_MS);
      // One of each, and the new one fails once.
      await first.kill9();
      await sleep(MS);
      await first.restart();
      await sleep(UNDER_LOAD_MS);
      const mixed = await schemaOf(world);
      expect(lastSteps(mixed)).toEqual([]);

      if (isKilled) await last.kill9();
      const endedAt = Date.now();
      await last.restart();
      talks.formerEnded();
      await untilConnected();
      await sleep(UNDER_LOAD_MS);
      const over = await talks.end();
      stopWriting();
      clearInterval(cut);
      const seen = await untilSeen();
      const done = await vi.waitFor(
        async () => {
          const schema = await schemaOf(world);
          expect(schema?.completed).toBe(schema?.version);
          return schema;
        },
        { timeout: FINISHED_TIMEOUT_MS, interval: LOOK_EVERY_MS },
      );
      const waited = lastSteps(done).map(({ at }) => at.getTime() - endedAt);
      expect(Math.min(...waited)).toBeGreaterThan(0);
      await report(`rolling update from ${UPDATE_FROM}, the last node ${how}`, [
        over,
        `all seen after ${seen.toFixed(1)} s`,
        `${waited.length} last steps of the data ran after the end of the last node: ${summary(waited)}`,
      ]);
    },
  );
