import { createSeededRandom } from './random.ts';
import { createPlayer } from './random-actions.ts';
import { checkHistory, settle } from './verify.ts';
import type { World } from './world.ts';

/** What a random history consists of. */
interface HistoryOptions {
  seed: number;
  steps: number;
  /** How often the server is killed, and how often it is restarted normally. */
  kills: number;
  restarts: number;
}

/** Runs random actions, and stops the server in between. Throws unless everything is right at the end. @returns a summary */
export async function playHistory(world: World, { seed, steps, kills, restarts }: HistoryOptions): Promise<string> {
  const random = createSeededRandom(seed);
  const player = createPlayer(world, random);
  const ends = [...Array<'kill'>(kills).fill('kill'), ...Array<'restart'>(restarts).fill('restart')];
  const stretch = Math.ceil(steps / (ends.length + 1));
  for (let at = 0; at < steps; at += stretch) {
    await player.play(Math.min(stretch, steps - at));
    const [end] = ends.splice(random.below(ends.length), 1);
    if (end === 'kill') await world.parley.kill9();
    if (end) await world.parley.restart();
  }
  await player.end();
  const { messages, chats } = await settle(world);
  checkHistory(world);
  return `${messages.length} messages in ${chats.length} chats; ${JSON.stringify(player.counts)}`;
}
