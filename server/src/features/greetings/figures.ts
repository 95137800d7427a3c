import { Types } from 'mongoose';
import { greetingsOf, type SiteDoc } from '#features/sites';
import { events } from '#platform/events';
import type { GreetingFigures } from './contract.ts';
import { type GreetingFiguresDoc, GreetingFiguresModel, type Tally } from './model.ts';

/** How long figures wait for others before they are written to the store; a crash loses at most this much. */
const WRITE_EVERY_MS = 5_000;
const NOTHING: Tally = { shown: 0, answered: 0 };

/** What was counted since the last write, by site and greeting: only the site's own greetings count, so it stays small. */
const counted = new Map<string, Map<string, Tally>>();
/** Writes it. */
let timer: NodeJS.Timeout | undefined;

/** Counts one view of, or one answer to, a greeting of the site; others are ignored. */
export function countGreeting(site: SiteDoc, id: string, what: keyof Tally): void {
  if (!greetingsOf(site).some((greeting) => greeting.id === id)) return;
  add(site._id.toHexString(), id, { ...NOTHING, [what]: 1 });
}

function add(siteId: string, id: string, { shown, answered }: Tally): void {
  const ofSite = counted.get(siteId) ?? new Map<string, Tally>();
  const before = ofSite.get(id) ?? NOTHING;
  counted.set(siteId, ofSite.set(id, { shown: before.shown + shown, answered: before.answered + answered }));
  timer ??= setTimeout(writeAll, WRITE_EVERY_MS).unref();
}

/** The figures of the site's greetings, in their order. */
export async function greetingFigures(site: SiteDoc): Promise<GreetingFigures[]> {
  const siteId = site._id.toHexString();
  // What this node has counted is written first, so that the one who reads does not miss it.
  await writeSite(siteId);
  const stored = await GreetingFiguresModel.findById(siteId).lean<GreetingFiguresDoc>();
  return greetingsOf(site).map(({ id }) => ({ id, ...NOTHING, ...stored?.greetings?.[id] }));
}

async function writeSite(siteId: string): Promise<void> {
  const ofSite = counted.get(siteId);
  if (!ofSite) return;
  counted.delete(siteId);
  const growth = [...ofSite].flatMap(([id, { shown, answered }]) => [
    [`greetings.${id}.shown`, shown],
    [`greetings.${id}.answered`, answered],
  ]);
  try {
    await GreetingFiguresModel.updateOne(
      { _id: new Types.ObjectId(siteId) },
      { $inc: Object.fromEntries(growth) },
      { upsert: true },
    );
  } catch (error) {
    for (const [id, tally] of ofSite) add(siteId, id, tally);
    throw error;
  }
}

async function writeAll(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  for (const siteId of [...counted.keys()])
    await writeSite(siteId).catch((error) => events.fail(error, 'figures of greetings'));
}

/** Removes the figures of greetings that the site no longer has. */
async function forgetRemoved(site: SiteDoc): Promise<void> {
  const stored = await GreetingFiguresModel.findById(site._id).lean<GreetingFiguresDoc>();
  const kept = new Set(greetingsOf(site).map(({ id }) => id));
  const removed = Object.keys(stored?.greetings ?? {}).filter((id) => !kept.has(id));
  if (removed.length === 0) return;
  const $unset = Object.fromEntries(removed.map((id) => [`greetings.${id}`, 1]));
  await GreetingFiguresModel.updateOne({ _id: site._id }, { $unset });
}

/** Counts answers. @returns a disposer, which writes the figures that are not written yet */
export async function startCountingGreetings(): Promise<() => Promise<void>> {
  const stopListening = events.stopAll([
    events.on('messageStored', ({ chat, site, message: { greeting } }) => {
      if (greeting && !chat.bot) countGreeting(site, greeting.id, 'answered');
    }),
    events.on('siteUpdated', async ({ site, fields }) => {
      if (fields.includes('settings.greetings')) await forgetRemoved(site);
    }),
  ]);
  return async () => {
    stopListening();
    await writeAll();
    // What could not be written is lost.
    clearTimeout(timer);
    timer = undefined;
    counted.clear();
  };
}
