import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startRelay } from '../../scripts/cluster/relay.js';
import type { Env } from '../src/platform/env/index.ts';
import { startStore } from '../src/store/index.ts';
import { until } from './factories.ts';
import { startServer, type TestServer } from './harness.ts';
import { startNode, type TestNode } from './nodes.ts';
import type { PlainOutside } from './settings.ts';
import { builtWorker } from './workers.ts';

/** What several processes of one server share. */
const SECRETS = { jwtSecret: 'a secret of this test, long enough', dataKey: 'another secret of this test, of 32' };

/** A store that outlives the processes on it, one of which is killed in the middle of what it does. */
export interface SurvivingStore {
  /** A server in this process: before the node that is killed, and after it. */
  serve(aheadMs?: number): Promise<TestServer>;
  /** A node in a process of its own. The one before must have been killed. */
  startNode(): Promise<TestNode>;
  /**
   * Kills the node when it sends this to the store.
   * @param isForwarded the store gets it, and the node is killed when its answer comes
   */
  killAt(text: string, isForwarded?: boolean): void;
  /** Kills the node now. */
  kill(): void;
  /** Resolves when the node has been killed. */
  killed(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a store whose wire to a node is watched. @param env what all processes on it are started with */
export async function startSurvivingStore(env: Partial<Env>, outside: PlainOutside): Promise<SurvivingStore> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-killed-'));
  const store = await startStore({ dataDir, workerUrl: await builtWorker('store/worker') });
  let node: TestNode;
  let ended: Promise<void> | undefined;
  let wanted: { text: Buffer; isForwarded: boolean } | null = null;
  let answering: Socket | null = null;

  function kill(): void {
    ended ??= node.kill();
  }

  function passes(bytes: Buffer, from: Socket, to: Socket): boolean {
    if (ended || from === answering) {
      kill();
      return false;
    }
    if (!wanted || !bytes.includes(wanted.text)) return true;
    const { isForwarded } = wanted;
    wanted = null;
    if (isForwarded) answering = to;
    else kill();
    return isForwarded;
  }

  const relay = await startRelay(() => ({ path: decodeURIComponent(new URL(store.uri).host) }), passes);
  const mongodbUri = `mongodb://127.0.0.1:${relay.port}/parley?directConnection=true`;
  return {
    serve: (aheadMs) => startServer({ ...SECRETS, ...env, mongodbUri: store.uri }, outside, aheadMs),
    async startNode() {
      [ended, wanted, answering] = [undefined, null, null];
      node = await startNode({ ...SECRETS, ...env, mongodbUri }, outside);
      return node;
    },
    killAt(text, isForwarded = false) {
      wanted = { text: Buffer.from(text, 'latin1'), isForwarded };
    },
    kill,
    async killed() {
      await until(async () => ended !== undefined);
      await ended;
    },
    async stop() {
      await relay.stop();
      await store.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
