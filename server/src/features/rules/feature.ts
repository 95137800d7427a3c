import { Types } from 'mongoose';
import type { Context } from '#app/context';
import type { Feature } from '#app/feature';
import { isAnswer } from '#features/chats';
import { rulesFor, rulesOf, uncachedSite } from '#features/sites';
import { events } from '#platform/events';
import { fillRuleQueue, lostHappenings } from './events.ts';
import { forgetWaits, purgeRuleRuns, RuleRunModel, shortenLogs } from './model.ts';
import { createRuleQueue } from './queue.ts';
import { ruleRoutes } from './routes.ts';

/** What the server does by itself with chats of a site. */
export const rules: Feature = {
  routes: (context) => [ruleRoutes(context)],
  listeners: () => [
    events.on('chatErased', async ({ chatId }) => {
      await RuleRunModel.deleteMany({ chat: new Types.ObjectId(chatId) });
    }),
    events.on('messageAdded', async ({ chat, site, message }) => {
      if (isAnswer(message) && rulesFor(site, 'unanswered').length > 0) await forgetWaits({ chat: chat._id });
    }),
  ],
  projections: ({ now }) => [lostHappenings(now)],
  start: async (context) => startRules(context),
  jobs: () => [shortenLogs],
  purge: () => [purgeRuleRuns],
};

/** Starts doing what rules say. @returns a disposer */
function startRules(context: Context): () => Promise<void> {
  const queue = createRuleQueue(context, context.noticesEveryMs);
  const stopListening = events.stopAll([
    fillRuleQueue(context.now),
    events.on('rulesAwaited', ({ siteId }) => queue.wake(siteId)),
    events.on('ruleChanged', async ({ siteId, ruleId }) => {
      const site = await uncachedSite(siteId);
      const rule = site && rulesOf(site).find(({ _id }) => _id.toHexString() === ruleId.toLowerCase());
      if (rule?.enabled && rule.event === 'unanswered') await queue.retryNow(siteId);
      else await forgetWaits({ site: new Types.ObjectId(siteId), 'rule._id': ruleId.toLowerCase() });
    }),
  ]);
  queue.start();
  return async () => {
    stopListening();
    await queue.stop();
  };
}
