import { Types } from 'mongoose';
import { type ChatDoc, ChatModel, handOver, newestMessage } from '#features/chats';
import { leadsOn, liveSite, type SiteDoc } from '#features/sites';
import { isAny } from '#platform/database';
import { events } from '#platform/events';
import { MINUTE_MS, SECOND_MS } from '#platform/time';
import { type Projection, reportLost } from '#platform/work';
import type { HandOverReason } from '../contract.ts';

const NAME = 'assistantRuns';
/** Longer than any run takes. */
const RUN_LOST_MS = 60 * SECOND_MS;
/** Who has tapped a button that leads to a question is given so long to tap another one. */
const CHOOSES_MS = 10 * MINUTE_MS;
const BATCH = 100;

/** Whether a run should have answered. Its answer may only be missing in the row, or the visitor is still choosing a button. */
async function isLost({ _id, waitingSince }: ChatDoc, site: SiteDoc, now: number): Promise<boolean> {
  const newest = await newestMessage(_id);
  if (newest?.sender !== 'visitor') return false;
  return !leadsOn(site, newest.content) || now - (waitingSince?.getTime() ?? 0) >= CHOOSES_MS;
}

/** Gives chats that the assistant has to people, and counts them. */
async function handOverAll(
  filter: object,
  reason: HandOverReason,
  { now = Date.now(), signal }: { now?: number; signal?: AbortSignal } = {},
): Promise<number> {
  let after = new Types.ObjectId('0'.repeat(24));
  for (let given = 0; ; ) {
    if (signal?.aborted) return given;
    const found = { ...filter, assisted: true as const, open: true as const, _id: { $gt: after } };
    const chats = await ChatModel.find(found).sort({ _id: 1 }).limit(BATCH).lean<ChatDoc[]>();
    for (const chat of chats) {
      const site = await liveSite(chat.site.toHexString());
      const isDue = site && (reason !== 'restart' || (await isLost(chat, site, now)));
      if (isDue && (await handOver({ chat, site }, reason))) given++;
    }
    const last = chats.at(-1);
    if (!last || chats.length < BATCH) return given;
    after = last._id;
  }
}

/** The chats in which the assistant should have answered by now. */
function overdue(now: number) {
  const before = new Date(now - RUN_LOST_MS);
  return { waitingSince: { $lt: before }, 'assistant.since': { $not: { $gte: before } } };
}

/**
 * Finds the chats whose run was lost because its process died, and those in which a visitor waits although there is no model any
 * more. Asked for by `waitingSince`, of which there is an index: on most servers the assistant has no chat, and looking for one
 * must cost nothing.
 */
export function lostRuns({ now, hasModel }: { now: () => number; hasModel: boolean }): Projection {
  const lost = () => (hasModel ? overdue(now()) : { waitingSince: { $lt: new Date(now()) } });
  return {
    name: NAME,
    first: async () => 0,
    check: () => isAny(ChatModel.collection.name, { ...lost(), assisted: true }),
    async repair({ until }, signal) {
      reportLost(NAME, await handOverAll(lost(), hasModel ? 'restart' : 'off', { now: now(), signal }));
      return until;
    },
  };
}

/** Gives the chats of a site to people when its assistant is switched off. @returns a disposer */
export function followSwitch(): () => void {
  return events.on('siteUpdated', ({ site, fields }: { site: SiteDoc; fields: string[] }) => {
    if (!fields.includes('assistant.step') || site.assistant?.step === 'answer') return;
    handOverAll({ site: site._id }, 'off').catch((error) => events.fail(error, 'the end of the assistant'));
  });
}
