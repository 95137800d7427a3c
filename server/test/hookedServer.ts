/**
 * The product as a process of its own, which a test kills: its webhooks go to a receiver of the test. Its arguments are the
 * data folder, the built workers, the receiver's certificate, and how far its clock is ahead.
 */
import { boot } from '../src/app/boot.ts';
import { agentTo } from './receivers.ts';
import { PASSWORD_COST, quietEnv } from './settings.ts';

const [, , dataDir = '', workers = '{}', certificate = '', aheadMs = '0'] = process.argv;
const urls = Object.entries<string>(JSON.parse(workers)).map(([name, url]) => [name, new URL(url)]);

const running = await boot(quietEnv(dataDir), Object.fromEntries(urls), {
  passwordCost: PASSWORD_COST,
  webhookAgent: agentTo(certificate),
  now: () => Date.now() + Number(aheadMs),
});
process.on('message', async () => {
  await running.stop();
  process.exit();
});
// Whoever forked it may be gone without a word.
process.on('disconnect', () => process.exit());
process.send?.(running.url);
