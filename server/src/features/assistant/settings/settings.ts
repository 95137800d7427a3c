import type { Caller } from '#features/auth';
import { ASSISTANT_DEFAULTS, type AssistantDoc, type SiteDoc, SiteModel } from '#features/sites';
import { events } from '#platform/events';
import { changedFields, conflict, notFound, sentence } from '#platform/http';
import type { AssistantPatch, AssistantSettings } from '../contract.ts';

/** The settings of a site's assistant, changed or not. */
export const assistantOf = ({ assistant }: Pick<SiteDoc, 'assistant'>): AssistantDoc => assistant ?? ASSISTANT_DEFAULTS;

/** The settings as the team sees them, without what the database adds. */
export function assistantView(site: Pick<SiteDoc, 'assistant'>): AssistantSettings {
  const { step, when, name, categories, languages, tokensPerDay, rev } = assistantOf(site);
  return { step, when, name, categories, languages, tokensPerDay, rev };
}

/**
 * Changes the settings in one guarded write: of two people who do so at once, the second one gets a conflict.
 * @throws AppError 409 `SETTINGS_CHANGED`; 404 when the site is being deleted
 */
export async function changeAssistant(
  { _id }: SiteDoc,
  { rev, ...patch }: AssistantPatch,
  { user }: Caller,
): Promise<SiteDoc> {
  const filter = { _id, deletedAt: null };
  const stored = await SiteModel.findOne(filter).lean<SiteDoc>();
  if (!stored) throw notFound('site');
  const before = assistantView(stored);
  const changed =
    before.rev === rev &&
    (await SiteModel.findOneAndUpdate(
      { ...filter, ...(stored.assistant ? { 'assistant.rev': rev } : { assistant: { $exists: false } }) },
      { $set: { assistant: { ...before, ...patch, rev: rev + 1 } } },
      { returnDocument: 'after' },
    ).lean<SiteDoc>());
  if (!changed) throw conflict('SETTINGS_CHANGED', sentence('Somebody else has changed this meanwhile.'));
  const fields = changedFields(before, patch).map((name) => `assistant.${name}`);
  await events.emit('siteUpdated', { site: changed, by: user._id, fields });
  return changed;
}
