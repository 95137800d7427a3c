import { Schema } from 'mongoose';
import { mailPlatformAdmins } from '../auth/platformAdmins.ts';
import { defineModel } from '../connection.ts';
import { events } from '../events.ts';
import type { Mail } from '../mail/mail.ts';
import type { MailContent } from '../mail/template.ts';
import { HOUR_MS, MINUTE_MS } from '../time.ts';
import type { OutageNotice, OutsideService } from './contract.ts';

/** An outage is told after this time: shorter ones mend themselves, and what waits is delivered then. */
const TOLD_AFTER_MS = HOUR_MS;
/** Tries are noted this often, because they come with every message. */
const NOTED_EVERY_MS = MINUTE_MS;
/** Without a further try for a day, nobody knows whether the service still fails. */
const FORGOTTEN_AFTER_S = 86_400;

/** A service that fails, for all nodes together. Removed by the first success. */
interface OutageDoc {
  _id: OutsideService;
  since: Date;
  lastAt: Date;
  reason: string;
  /** Set when the platform admins were told. */
  toldAt?: Date;
}

const outageSchema = new Schema<OutageDoc>(
  {
    _id: { type: String, required: true },
    since: { type: Date, required: true },
    lastAt: { type: Date, required: true },
    reason: { type: String, required: true },
    toldAt: { type: Date },
  },
  { versionKey: false },
);
outageSchema.index({ lastAt: 1 }, { expireAfterSeconds: FORGOTTEN_AFTER_S });
export const OutageModel = defineModel<OutageDoc>('Outage', outageSchema, 'outages');

/** The outages that platform admins were told of. */
export async function outageNotices(): Promise<OutageNotice[]> {
  const outages = await OutageModel.find().lean<OutageDoc[]>();
  return outages
    .filter(({ toldAt }) => toldAt !== undefined)
    .map(({ _id, since, reason }) => ({ about: _id, since: since.toISOString(), reason }));
}

/** Notes how deliveries to outside services end, and tells platform admins when one fails for long. @returns a disposer */
export function watchOutages({ mail, now }: { mail: Mail; now: () => number }): () => void {
  /** When the last try of each service was noted here, and how it ended. */
  const noted = new Map<OutsideService, { at: number; ok: boolean }>();

  async function tried(service: OutsideService, failure: string | null): Promise<void> {
    const last = noted.get(service);
    const ok = failure === null;
    if (last?.ok === ok && now() - last.at < NOTED_EVERY_MS) return;
    noted.set(service, { at: now(), ok });
    if (failure === null) await ended(service);
    else await failed(service, failure);
  }

  async function ended(service: OutsideService): Promise<void> {
    const outage = await OutageModel.findOneAndDelete({ _id: service }).lean<OutageDoc>();
    if (outage?.toldAt) await events.emit('noticesChanged', { siteId: null });
  }

  async function failed(service: OutsideService, reason: string): Promise<void> {
    const at = new Date(now());
    await OutageModel.updateOne(
      { _id: service },
      { $setOnInsert: { since: at }, $set: { lastAt: at, reason } },
      { upsert: true },
    );
    const told = await OutageModel.findOneAndUpdate(
      { _id: service, toldAt: null, since: { $lte: new Date(at.getTime() - TOLD_AFTER_MS) } },
      { $set: { toldAt: at } },
      { returnDocument: 'after' },
    ).lean<OutageDoc>();
    if (!told) return;
    await events.emit('noticesChanged', { siteId: null });
    // A mail about failing mail would wait behind the others, and arrive when it is no longer true.
    if (service !== 'push') return;
    const key = `outage:push:${told.since.getTime()}`;
    await mailPlatformAdmins(mail, { content: pushMail(told.reason), key });
  }

  return events.stopAll([
    events.on('mailTried', ({ failure }) => tried('mail', failure)),
    events.on('pushTried', ({ failure }) => tried('push', failure)),
  ]);
}

function pushMail(reason: string): Omit<MailContent, 'to'> {
  return {
    kind: 'outage',
    subject: 'Push messages of your Parley have been failing for an hour',
    text: [
      `Phones and browsers do not get notifications at present. The last failure: ${reason}.`,
      'Check whether this server can reach the push services of browsers over https.',
    ],
    action: { label: 'Open the self-check', path: '/dashboard/self-check' },
    footer: 'You get this mail because you administer this server.',
  };
}
