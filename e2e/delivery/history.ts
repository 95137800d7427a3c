import { createChance } from './chance.ts';
import { createPlayer } from './moves.ts';
import { checkHistory, settle } from './truth.ts';
import type { World } from './world.ts';

/** What a random history was made of. */
interface HistoryOptions {
  seed: number;
  steps: number;
  /** How often in it the server is killed, and how often it is restarted as an operator does. */
  kills: number;
  restarts: number;
}

/** Plays a random history, with the server going down in between, and throws unless everything is right in the end. */
export async function playHistory(world: World, { seed, steps, kills, restarts }: HistoryOptions): Promise<string> {
  const chance = createChance(seed);
  const player = createPlayer(world, chance);
  const ends = [...Array<'kill'>(kills).fill('kill'), ...Array<'restart'>(restarts).fill('restart')];
  const stretch = Math.ceil(steps / (ends.length + 1));
  for (let at = 0; at < steps; at += stretch) {
    await player.play(Math.min(stretch, steps - at));
    const [end] = ends.splice(chance.below(ends.length), 1);
    if (end === 'kill') await world.parley.kill9();
    if (end) await world.parley.restart();
  }
  await player.end();
  const { messages, chats } = await settle(world);
  checkHistory(world);
  return `${messages.length} messages in ${chats.length} chats; ${JSON.stringify(player.counts)}`;
}
