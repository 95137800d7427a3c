import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Caller, UserDoc } from '#features/auth';
import { WIDGET_SETTINGS_DEFAULTS } from '#features/settings/contract';
import { events } from '#platform/events';
import { AppError, changedFields, conflict, fieldAt, inEnglish, isDuplicate, notFound, sentence } from '#platform/http';
import {
  CUSTOMIZATION_DEFAULTS,
  type Customization,
  type SiteBody,
  type SitePatch,
  type SiteSettings,
} from './contract.ts';
import type { Launcher } from './launcher/contract.ts';
import { type SiteDoc, SiteModel } from './model.ts';
import { appearanceView, settingsView } from './view.ts';

/**
 * Appearance of a new site: values of the form, otherwise the owner's defaults for new sites. The form is always sent
 * complete, so a default value in it means that the field was not changed.
 */
function startingAppearance({ widget = {} }: UserDoc, form: Partial<Customization> = {}): Partial<Customization> {
  const { title, position, primaryColor } = { ...WIDGET_SETTINGS_DEFAULTS, ...widget };
  const chosen: Partial<Customization> = {};
  if (title !== WIDGET_SETTINGS_DEFAULTS.title) chosen.navbarTitle = title;
  if (position !== WIDGET_SETTINGS_DEFAULTS.position) chosen.position = 'left';
  if (primaryColor.toLowerCase() !== WIDGET_SETTINGS_DEFAULTS.primaryColor.toLowerCase())
    chosen.color = primaryColor.toLowerCase();
  const defaults = new Map<string, string>(Object.entries(CUSTOMIZATION_DEFAULTS));
  const touched = Object.entries(form).filter(([name, value]) => value !== defaults.get(name));
  return { ...chosen, ...Object.fromEntries(touched) };
}

const WIDGET_CODE_BYTES = 12;
/** Tries to write while other changes of the same site come between. */
const TRIES_MAX = 5;

/** A public id for an embed code. */
function newWidgetCode(): string {
  return randomBytes(WIDGET_CODE_BYTES).toString('base64url');
}

/**
 * Gives the site a new widget code; the old one is invalid from then on.
 * @throws AppError 404 when the site is being deleted
 */
export async function changeWidgetCode(site: SiteDoc, { user }: Caller): Promise<SiteDoc> {
  const changed = await write(site, { widgetCode: newWidgetCode() });
  if (!changed) throw notFound('site');
  await events.emit('widgetCodeChanged', { site: changed, by: user._id });
  return changed;
}

function write(site: SiteDoc, fields: Partial<SiteDoc>): Promise<SiteDoc | null> {
  return SiteModel.findOneAndUpdate({ _id: site._id, deletedAt: null }, { $set: fields }, { returnDocument: 'after' })
    .lean<SiteDoc>()
    .exec();
}

/**
 * Creates a site for its owner. Each owner has numbered slots, and a site takes one under a unique index, so that
 * concurrent requests cannot exceed the limit.
 * @throws AppError 409 when all slots are taken
 */
export async function createSite({ user }: Caller, form: SiteBody, limit: number): Promise<SiteDoc> {
  const taken = await SiteModel.find({ owner: user._id, ownerSlot: { $exists: true } }, { ownerSlot: 1 }).lean();
  const slots = new Set(taken.map(({ ownerSlot }) => ownerSlot));
  for (let ownerSlot = 0; ownerSlot < limit; ownerSlot++) {
    if (slots.has(ownerSlot)) continue;
    try {
      const made = new SiteModel({
        ...form,
        customization: startingAppearance(user, form.customization),
        settings: settingsOf(form.settings),
        owner: user._id,
        ownerSlot,
        team: [{ user: user._id, role: 'admin' }],
        widgetCode: newWidgetCode(),
        createdAt: new Date(),
      });
      await made.save();
      const site = made.toObject();
      await events.emit('siteCreated', { site });
      return site;
    } catch (error) {
      if (!isDuplicate(error, 'ownerSlot')) throw error;
    }
  }
  const text = sentence('You can register up to {limit} websites. Delete one to add another.', { limit });
  throw conflict('SITE_LIMIT_REACHED', text);
}

/**
 * Changes only the fields of the patch. A `base` makes it a guarded write (optimistic locking): of two people who changed the
 * same field, the second one gets a conflict.
 * @throws AppError 404 when the site is being deleted, 409 `SETTINGS_CHANGED` when a field is no longer as in `base`
 */
export async function updateSite(site: SiteDoc, { base, ...patch }: SitePatch, { user }: Caller): Promise<SiteDoc> {
  const fields = flattened(patch);
  const update = { $set: fields, $inc: { rev: 1 } };
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const filter = { _id: site._id, deletedAt: null };
    const stored = base ? await SiteModel.findOne(filter).lean<SiteDoc>() : site;
    if (!stored) throw notFound('site');
    if (base) refuseStale(stored, fields, base);
    const changed = await SiteModel.findOneAndUpdate(
      base ? { ...filter, rev: stored.rev ?? { $exists: false } } : filter,
      update,
      { returnDocument: 'after' },
    ).lean<SiteDoc>();
    if (!changed && base) continue;
    if (!changed) throw notFound('site');
    await events.emit('siteUpdated', { site: changed, by: user._id, fields: changedFields(stored, fields) });
    return changed;
  }
  throw settingsChanged([]);
}

/** @throws AppError 409 naming the fields to be written whose values are not those of `base` any more */
function refuseStale(site: SiteDoc, fields: object, base: object): void {
  const { name, domain, widgetEnabled } = site;
  const now = { name, domain, widgetEnabled, customization: appearanceView(site), settings: settingsView(site) };
  const stale = Object.keys(fields).filter((path) => {
    const before = fieldAt(base, path);
    // A language that has no texts is null in `base`, and left out of what is stored.
    return before !== undefined && !isDeepStrictEqual(before, fieldAt(now, path) ?? null);
  });
  if (stale.length > 0) throw settingsChanged(stale);
}

function settingsChanged(paths: string[]): AppError {
  const text = sentence('Somebody else has changed this meanwhile.');
  const errors = paths.map((path) => ({ path, msg: inEnglish(text) }));
  return new AppError(409, 'SETTINGS_CHANGED', text, { errors });
}

type SettingsChange = Partial<Omit<SiteSettings, 'launcher'>> & { launcher?: Partial<Launcher> };

/** The settings in their stored form: notifications are on if mail or browser is. */
function settingsOf({ notifications, ...others }: NonNullable<SiteBody['settings']> = {}): SettingsChange {
  if (notifications === undefined) return others;
  const on = typeof notifications === 'object' ? notifications.email || notifications.browser : notifications;
  return { ...others, notifications: on === true };
}

/** `{customization: {color}}` as `{'customization.color'}`: an update of one field must not replace the whole object. */
function flattened({ customization = {}, settings, ...fields }: SitePatch): Record<string, unknown> {
  const dotted = (prefix: string, part: object) =>
    Object.entries(part).map(([name, value]) => [`${prefix}.${name}`, value]);
  const { launcher = {}, translations = {}, ...others } = settingsOf(settings);
  return Object.fromEntries([
    ...Object.entries(fields),
    ...dotted('customization', customization),
    ...dotted('settings', others),
    ...dotted('settings.launcher', launcher),
    ...dotted('settings.translations', translations),
  ]);
}

/** Marks the site as deleted, so that it cannot be reached any more; its data is removed afterwards (`purge`). */
export async function deleteSite(site: SiteDoc, { user }: Caller): Promise<void> {
  const gone = await SiteModel.updateOne(
    { _id: site._id, deletedAt: null },
    { $set: { deletedAt: new Date(), widgetEnabled: false }, $unset: { ownerSlot: 1 } },
  );
  if (gone.modifiedCount === 1) await events.emit('siteDeleted', { site, by: user._id });
}
