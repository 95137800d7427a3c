import type { Types } from 'mongoose';
import type { Caller } from '#features/auth';
import { type SiteDoc, SiteModel } from '#features/sites';
import { events } from '#platform/events';
import { AppError, changedFields, conflict, invalid, isDuplicate, notFound, sentence } from '#platform/http';
import { HELP_HANDLE_MAX_LENGTH, type HelpCenter, type HelpCenterPatch } from './contract.ts';
import { helpCenterUrl } from './urls.ts';

type HelpDoc = NonNullable<SiteDoc['help']>;

/** A site's help centre before anybody has set it up. */
const DEFAULTS: HelpDoc = {
  enabled: false,
  language: 'en',
  languages: [],
  links: [],
  agentsEdit: false,
  widget: 'off',
  categories: [],
  rev: 0,
};
/** Names that are tried for a help centre that has none. */
const HANDLES_TRIED = 20;

/** The help centre of a site, set up or not. */
export const helpOf = ({ help }: Pick<SiteDoc, 'help'>): HelpDoc => help ?? DEFAULTS;

/** A help centre as its team sees it. */
export function helpCenterView(site: SiteDoc, publicUrl: string | null): HelpCenter {
  const { enabled, handle = '', host = null, language, languages, links, agentsEdit, widget, rev } = helpOf(site);
  const categories = helpOf(site).categories.map(({ id, name }) => ({ id, name }));
  return {
    enabled,
    handle,
    host,
    language,
    languages,
    links: links.map(({ label, url }) => ({ label, url })),
    agentsEdit,
    widget,
    categories,
    rev,
    url: helpCenterUrl(site.help, publicUrl),
  };
}

/**
 * Changes the settings of a help centre. Switched on without a name for its address, it gets one made from the site's.
 * @throws AppError 409 `SETTINGS_CHANGED`, `HELP_HANDLE_TAKEN`, `HELP_HOST_TAKEN`; 404 when the site is being deleted; 422 for the
 *   host of this server itself
 */
export async function changeHelpCenter(
  site: SiteDoc,
  { rev, ...patch }: HelpCenterPatch,
  { user }: Caller,
  publicUrl: string | null,
): Promise<SiteDoc> {
  if (patch.host && publicUrl !== null && patch.host === new URL(publicUrl).hostname)
    throw invalid([{ msg: sentence('This is the host name of the chat server itself.'), path: 'host' }]);
  const before = helpOf(site);
  const fields = { ...patch, ...languagesOf(before, patch) };
  const needsHandle = patch.enabled && (patch.handle ?? before.handle ?? '') === '';
  if (!needsHandle) return write(site, rev, fields, user._id);
  const base = handleOf(site.name);
  for (let count = 1; count <= HANDLES_TRIED; count++) {
    const handle = count === 1 ? base : `${base}-${count}`;
    const changed = await write(site, rev, { ...fields, handle }, user._id).catch(ifTaken);
    if (changed) return changed;
  }
  return write(site, rev, { ...fields, handle: site._id.toHexString() }, user._id);
}

function ifTaken(error: unknown): null {
  if (error instanceof AppError && error.code === 'HELP_HANDLE_TAKEN') return null;
  throw error;
}

/** A name in an address, of what is plain in the site's name. */
function handleOf(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const plain = words.join('-').slice(0, HELP_HANDLE_MAX_LENGTH - '-99'.length);
  return plain.replace(/-$/, '') || 'help';
}

/** The main language is none of the others, and one that was it until now becomes one. */
function languagesOf(before: HelpDoc, { language = before.language, languages }: Partial<HelpCenterPatch>) {
  const others = languages ?? [...before.languages, before.language];
  const wanted = language === before.language && !languages ? before.languages : others;
  return { language, languages: [...new Set(wanted)].filter((each) => each !== language) };
}

/** Saves the categories in their order. @throws AppError 409 `SETTINGS_CHANGED`, 404 when the site is being deleted */
export function saveCategories(
  site: SiteDoc,
  { categories, rev }: Pick<HelpDoc, 'categories' | 'rev'>,
  { user }: Caller,
): Promise<SiteDoc> {
  return write(site, rev, { categories }, user._id);
}

/** One guarded write: of two people who changed the help centre, the second one gets a conflict. */
async function write(
  site: SiteDoc,
  rev: number,
  fields: Partial<Omit<HelpCenter, 'rev' | 'url'>>,
  by: Types.ObjectId,
): Promise<SiteDoc> {
  const filter = { _id: site._id, deletedAt: null };
  const stored = await SiteModel.findOne(filter).lean<SiteDoc>();
  if (!stored) throw notFound('site');
  const before = helpOf(stored);
  if (before.rev !== rev) throw settingsChanged();
  const changed = await refuseTaken(() =>
    SiteModel.findOneAndUpdate(
      { ...filter, ...(stored.help ? { 'help.rev': rev } : { help: { $exists: false } }) },
      { $set: { help: storedForm({ ...before, ...fields, rev: rev + 1 }) } },
      { returnDocument: 'after' },
    ).lean<SiteDoc>(),
  );
  if (!changed) throw settingsChanged();
  const named = changedFields(helpCenterView(stored, null), fields).map((name) => `help.${name}`);
  await events.emit('siteUpdated', { site: changed, by, fields: named });
  await events.emit('articlesChanged', { siteId: site._id.toHexString(), articleId: null });
  return changed;
}

/** The unique indexes hold only names that were chosen. */
function storedForm({ handle, host, ...help }: Omit<HelpDoc, 'host'> & { host?: string | null }): HelpDoc {
  return { ...help, ...(handle && { handle }), ...(host && { host }) };
}

const settingsChanged = () => conflict('SETTINGS_CHANGED', sentence('Somebody else has changed this meanwhile.'));

async function refuseTaken<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (isDuplicate(error, 'help.host'))
      throw conflict('HELP_HOST_TAKEN', sentence('Another website on this server has this host name.'));
    if (isDuplicate(error, 'help.handle'))
      throw conflict('HELP_HANDLE_TAKEN', sentence('Another help centre has this address. Choose another one.'));
    throw error;
  }
}
