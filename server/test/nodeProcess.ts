/** A node of the product as a process of its own. What it is started with comes as the first message; `nodes.ts` forks it. */
import { once } from 'node:events';
import { boot } from '../src/app/boot.ts';
import type { Env } from '../src/platform/env/index.ts';
import { outsideOf, type PlainOutside } from './settings.ts';

/** What a node is started with. */
export interface NodeStart {
  env: Env;
  /** The addresses of the built workers. */
  workers: Record<string, string>;
  outside: PlainOutside;
}

/** What a running node is told. */
export type ToNode = { advance: number } | 'stop';

/** What a node tells: where it is, why it cannot start, or that its clock was moved. */
export type FromNode = { url: string } | { refusal: string } | 'advanced';

const tell = (told: FromNode) => void process.send?.(told);
const [given] = await once(process, 'message');
const { env, workers, outside } = given as NodeStart;
let ahead = outside.aheadMs ?? 0;

try {
  const urls = Object.entries(workers).map(([name, url]) => [name, new URL(url)]);
  const now = () => Date.now() + ahead;
  const running = await boot(env, Object.fromEntries(urls), { ...outsideOf(outside), now });
  process.on('message', async (told: ToNode) => {
    if (told !== 'stop') {
      ahead += told.advance;
      return tell('advanced');
    }
    await running.stop();
    process.exit();
  });
  // Whoever forked it may be gone without a word.
  process.on('disconnect', () => process.exit());
  tell({ url: running.url });
} catch (error) {
  tell({ refusal: String(error instanceof Error ? error.message : error) });
  // It ends by itself, unless the failed start left something open.
  process.disconnect();
}
