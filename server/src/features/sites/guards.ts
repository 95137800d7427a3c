import type { Request } from 'express';
import { isValidObjectId, type Types } from 'mongoose';
import { type Caller, outOfScope } from '#features/auth';
import { type Ability, can, type Member } from '#features/team/contract';
import { batched, rememberedIds } from '#platform/cache';
import { forbidden, notFound, sentence, siteIdOf } from '#platform/http';
import { type SiteDoc, SiteModel, siteCache } from './model.ts';

const LIVE = { deletedAt: null };

/** A site and the caller's role there. */
export interface SiteAccess {
  site: SiteDoc;
  member: Member;
}

/** The user's membership in the team, with all its rights; null: not a member. */
export function memberOf(site: SiteDoc, userId: Types.ObjectId): Member | null {
  const entry = site.team.find(({ user }) => user.equals(userId));
  if (!entry) return null;
  const isOwner = site.owner.equals(userId);
  return { role: entry.role, isOwner, ...(site.help?.agentsEdit && { agentsEditArticles: true }) };
}

/** The caller's membership in the team, as far as an API key reaches; null: not a member, or not a site of the key. */
export function memberFor({ user, key }: Caller, site: SiteDoc): Member | null {
  const member = memberOf(site, user._id);
  if (!member || !key) return member;
  return key.sites === null || key.sites.has(site._id.toHexString()) ? { ...member, scope: key.scope } : null;
}

/** @throws AppError 403 for the wrong role, and for an API key with too small a scope */
export function mustBeAble(member: Member, ability: Ability): void {
  if (can(member, ability)) return;
  const { scope: _, ...person } = member;
  throw can(person, ability) ? outOfScope() : forbidden();
}

/** The members who may answer chats. */
export function repliersOf(site: SiteDoc): Types.ObjectId[] {
  return site.team.flatMap(({ user }) => {
    const member = memberOf(site, user);
    return member && can(member, 'chats.reply') ? [user] : [];
  });
}

/** Loads a site that is not being deleted; null: none. */
export async function liveSite(id: string): Promise<SiteDoc | null> {
  const site = await siteCache.find(id);
  return site?.deletedAt ? null : site;
}

/** The site and the caller's role there; null: unknown, being deleted, or foreign. */
export async function siteAccess(caller: Caller, id: string | Types.ObjectId): Promise<SiteAccess | null> {
  const site = await liveSite(String(id));
  const member = site && memberFor(caller, site);
  return site && member && { site, member };
}

/**
 * Loads the site if the caller has this ability there.
 * @throws AppError 404 for unknown and foreign sites alike, 403 for the wrong role
 */
export async function siteFor(caller: Caller, id: string, ability: Ability): Promise<SiteAccess> {
  const access = await siteAccess(caller, id);
  if (!access) throw notFound('site');
  mustBeAble(access.member, ability);
  return access;
}

/**
 * Makes the guards of calls about one thing, each by the ability that its call requires.
 * @param load loads the thing of the id in the call's path, with the caller's rights
 */
export function requirement<Access>(load: (caller: Caller, id: string, ability: Ability) => Promise<Access>) {
  return (ability: Ability) =>
    (caller: Caller, { id }: { id: string }) =>
      load(caller, id, ability);
}

/** All sites that the caller sees, oldest first: those that the user is a member of, or some of them with an API key. */
export async function sitesOf(caller: Caller): Promise<SiteDoc[]> {
  const sites = await sitesOfUser(caller.user._id);
  return sites.filter((site) => memberFor(caller, site));
}

const readSitesOf = batched(async (userIds: string[]) => {
  const sites = await SiteModel.find({ 'team.user': { $in: [...new Set(userIds)] }, ...LIVE })
    .sort({ _id: 1 })
    .lean<SiteDoc[]>();
  return (userId) => sites.filter(({ team }) => team.some(({ user }) => user.equals(userId)));
});

/** All sites that a user is a member of, oldest first. Who asks in the same turn shares a read; callers must not modify them. */
export function sitesOfUser(userId: string | Types.ObjectId): Promise<SiteDoc[]> {
  return readSitesOf(userId.toString());
}

/** The ids of these sites, without loading the documents. */
export async function siteIdsOf(userId: string): Promise<string[]> {
  const sites = await SiteModel.find({ 'team.user': userId, ...LIVE }, { _id: 1 }).lean();
  return sites.map(({ _id }) => _id.toHexString());
}

/** The sites that a user owns; their number is small. */
export function sitesOwnedBy(owner: Types.ObjectId): Promise<SiteDoc[]> {
  return SiteModel.find({ owner, ownerSlot: { $exists: true }, ...LIVE })
    .lean<SiteDoc[]>()
    .exec();
}

/** Guard of adding sites: an API key for some sites could not reach the new one. @throws AppError 403 */
export async function reachesAllSites({ key }: Caller): Promise<void> {
  if (key?.sites) throw forbidden('API_KEY_SITES', sentence('An API key for some websites cannot add others.'));
}

/** Guard of lists: the site named by the query, if the caller has this ability there, otherwise all of the caller's sites. */
export function sitesInQuery(ability: Ability) {
  return async (caller: Caller, _params: object, req: Request): Promise<SiteDoc[]> =>
    req.query.siteId === undefined ? sitesOf(caller) : [(await siteFor(caller, siteIdOf(req), ability)).site];
}

const idsByCode = rememberedIds();

/** The site of an embed code, by `widgetCode` or `_id`; null: none. */
export async function siteByCode(code: string): Promise<SiteDoc | null> {
  const known = idsByCode.get(code);
  const site = known === undefined ? null : await liveSite(known);
  if (site?.widgetCode === code) return site;
  const keep = siteCache.reading();
  const byCode = await SiteModel.findOne({ widgetCode: code, ...LIVE }).lean<SiteDoc>();
  if (!byCode) return code.length === 24 && isValidObjectId(code) ? liveSite(code) : null;
  keep([byCode]);
  idsByCode.set(code, byCode._id.toHexString());
  return byCode;
}
