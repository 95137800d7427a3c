import { checkHistory, settle } from '../delivery/verify.ts';
import type { World } from '../delivery/world.ts';

/**
 * Waits for quiet, throws unless all is right, ends the world and prints the result with what the fault has to add.
 * @param check what else must be right
 */
export async function reportResult(
  world: World,
  fault: string,
  figures: string[] = [],
  check: () => Promise<void> = async () => {},
): Promise<void> {
  const from = performance.now();
  const { messages, chats } = await settle(world);
  const seconds = ((performance.now() - from) / 1000).toFixed(1);
  checkHistory(world);
  await check();
  await world.stop();
  const stored = `${messages.length} messages in ${chats.length} chats, each once, in order, seen by everybody`;
  console.log([`${fault}: ${stored}`, `quiet after ${seconds} s`, ...figures].join('; '));
}
