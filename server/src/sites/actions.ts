import type { Caller } from '../auth/sessions.ts';
import { bus } from '../bus.ts';
import { differing } from '../differing.ts';
import { conflict, duplicateKey, notFound } from '../http/errors.ts';
import { newWidgetCode } from './codes.ts';
import type { SiteBody, SitePatch, SiteSettings } from './contract.ts';
import { startingLook } from './look.ts';
import { type SiteDoc, SiteModel } from './model.ts';

/**
 * Registers a site for its owner. Each owner has numbered places and a site takes one under a unique index, so that
 * no race gets past the limit.
 * @throws AppError 409 when all places are taken
 */
export async function createSite({ user }: Caller, form: SiteBody, limit: number): Promise<SiteDoc> {
  const taken = await SiteModel.find({ owner: user._id, ownerSlot: { $exists: true } }, { ownerSlot: 1 }).lean();
  const slots = new Set(taken.map(({ ownerSlot }) => ownerSlot));
  for (let ownerSlot = 0; ownerSlot < limit; ownerSlot++) {
    if (slots.has(ownerSlot)) continue;
    try {
      const made = new SiteModel({
        ...form,
        customization: startingLook(user, form.customization),
        settings: settingsOf(form.settings),
        owner: user._id,
        ownerSlot,
        team: [{ user: user._id, role: 'admin' }],
        widgetCode: newWidgetCode(),
        createdAt: new Date(),
      });
      await made.save();
      const site = made.toObject();
      await bus.tell('siteCreated', { site });
      return site;
    } catch (error) {
      if (!duplicateKey(error)?.includes('ownerSlot')) throw error;
    }
  }
  throw conflict('SITE_LIMIT_REACHED', `You can register up to ${limit} websites. Delete one to add another.`);
}

/** Changes what the patch names and leaves the rest. @throws AppError 404 when the site is being deleted */
export async function updateSite(site: SiteDoc, patch: SitePatch, { user }: Caller): Promise<SiteDoc> {
  const fields = flattened(patch);
  const changed = await SiteModel.findOneAndUpdate(
    { _id: site._id, deletedAt: null },
    { $set: fields },
    { returnDocument: 'after' },
  ).lean<SiteDoc>();
  if (!changed) throw notFound('site');
  await bus.tell('siteUpdated', { site: changed, by: user._id, fields: differing(site, fields) });
  return changed;
}

/** The settings as they are kept: notifications are on if mail or browser is. */
function settingsOf({ notifications, ...others }: NonNullable<SiteBody['settings']> = {}): Partial<SiteSettings> {
  if (notifications === undefined) return others;
  const on = typeof notifications === 'object' ? notifications.email || notifications.browser : notifications;
  return { ...others, notifications: on === true };
}

/** `{customization: {color}}` as `{'customization.color'}`: a part of a form must not wipe the other parts. */
function flattened({ customization = {}, settings, ...fields }: SitePatch): Record<string, unknown> {
  const dotted = (prefix: string, part: object) =>
    Object.entries(part).map(([name, value]) => [`${prefix}.${name}`, value]);
  return Object.fromEntries([
    ...Object.entries(fields),
    ...dotted('customization', customization),
    ...dotted('settings', settingsOf(settings)),
  ]);
}

/** Puts the site out of everybody's reach at once; its data goes afterwards (`purge`). */
export async function deleteSite(site: SiteDoc, { user }: Caller): Promise<void> {
  const gone = await SiteModel.updateOne(
    { _id: site._id, deletedAt: null },
    { $set: { deletedAt: new Date(), widgetEnabled: false }, $unset: { ownerSlot: 1 } },
  );
  if (gone.modifiedCount === 1) await bus.tell('siteDeleted', { site, by: user._id });
}
