import type { Types } from 'mongoose';
import { liveSite } from '#features/sites';
import { events } from '#platform/events';
import { type VisitorDoc, VisitorModel } from '../model.ts';

/** Whether mails to the visitor's present address come back. */
export const isBounced = ({ email, bounced }: Pick<VisitorDoc, 'email' | 'bounced'>) =>
  bounced !== undefined && bounced.email === email?.toLowerCase();

/** Records that mails to this address of a visitor come back for good (5.x.x, RFC 3463), and announces it. Idempotent. */
export async function markBounced(
  _id: Types.ObjectId,
  { email, status }: { email: string; status: string },
  now: number,
): Promise<void> {
  const bounced = { email: email.toLowerCase(), status, at: new Date(now) };
  await change({ _id, 'bounced.email': { $ne: bounced.email } }, { $set: { bounced } });
}

/**
 * Takes it back: a mail came from there, or a member wants to try it again. Idempotent.
 * @param by the member
 */
export async function clearBounced(_id: Types.ObjectId, by?: Types.ObjectId): Promise<void> {
  await change({ _id, bounced: { $exists: true } }, { $unset: { bounced: 1 } }, by);
}

async function change(which: object, update: object, by?: Types.ObjectId): Promise<void> {
  const visitor = await VisitorModel.findOneAndUpdate({ erasedAt: null, ...which }, update, {
    returnDocument: 'after',
  }).lean<VisitorDoc>();
  const site = visitor && (await liveSite(visitor.site.toHexString()));
  if (!site) return;
  if (by) await events.emit('visitorEdited', { visitor, site, by, fields: ['bounced'] });
  else await events.emit('visitorUpdated', { visitor, site });
}
