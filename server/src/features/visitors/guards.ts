import { createHash } from 'node:crypto';
import { bearer, type Caller } from '#features/auth';
import { readOpenChatAhead } from '#features/chats';
import { allowsOrigin, liveSite, mustBeAble, type SiteDoc, siteAccess, siteByCode } from '#features/sites';
import type { Ability } from '#features/team/contract';
import { rememberedIds } from '#platform/cache';
import {
  addressKey,
  forbidden,
  type Guard,
  guard,
  type Limits,
  notFound,
  sentence,
  unauthorized,
} from '#platform/http';
import { type VisitorAccess, type VisitorDoc, VisitorModel, visitorCache } from './model.ts';

/** A visitor's access, with the address that it calls from. */
export interface WidgetAccess extends VisitorAccess {
  /** As `addressKey` makes it. */
  address: string;
  /** Id of the requesting socket; absent over HTTP. */
  socketId?: string;
}

/** @returns the hash by which a token is looked up */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

const idsByHash = rememberedIds();

/** The sender of a token, and the limits that count unknown tokens. */
export interface TokenBearer {
  /** As `addressKey` makes it. */
  address: string;
  limits: Limits;
}

/**
 * Finds the visitor who holds this token; null: none.
 * @throws AppError 429 for an address that sends too many unknown tokens
 */
export async function visitorByToken(token: unknown, { address, limits }: TokenBearer): Promise<VisitorDoc | null> {
  if (typeof token !== 'string' || token === '') return null;
  const hash = hashToken(token);
  return (
    (await rememberedVisitor(hash)) ??
    limits.lookUp('unknownTokensPerIp', address, async () => (await rememberedVisitor(hash)) ?? lookUp(hash))
  );
}

async function rememberedVisitor(hash: string): Promise<VisitorDoc | null> {
  const id = idsByHash.get(hash);
  return id === undefined ? null : visitorWithToken(id, hash);
}

async function lookUp(hash: string): Promise<VisitorDoc | null> {
  const keep = visitorCache.reading();
  const known =
    (await VisitorModel.findOne({ tokenHash: hash }).lean<VisitorDoc>()) ??
    (await VisitorModel.findOne({ linkHashes: hash }).lean<VisitorDoc>());
  if (!known) return null;
  keep([known]);
  idsByHash.set(hash, known._id.toHexString());
  return known;
}

/** @returns the visitor, if a token of this hash still belongs to it; null otherwise */
export async function visitorWithToken(id: string, hash: string): Promise<VisitorDoc | null> {
  const visitor = await visitorCache.find(id);
  return visitor?.tokenHash === hash || visitor?.linkHashes?.includes(hash) ? visitor : null;
}

/**
 * Loads the visitor if the caller has this ability on the visitor's site.
 * @throws AppError 404 for unknown and foreign visitors alike, 403 for the wrong role
 */
export async function visitorFor(caller: Caller, id: string, ability: Ability): Promise<VisitorAccess> {
  const visitor = await VisitorModel.findOne({ _id: id, erasedAt: null }).lean<VisitorDoc>();
  const access = visitor && (await siteAccess(caller, visitor.site));
  if (!access) throw notFound('visitor');
  mustBeAble(access.member, ability);
  return { visitor, site: access.site };
}

/** Refuses blocked visitors. @throws AppError 403 `BLOCKED` */
export function refuseBlocked({ blocked }: VisitorDoc): void {
  if (blocked) throw forbidden('BLOCKED', sentence('You can no longer send messages here.'));
}

/** Guard of calls that any page may make; the caller is the page's origin. */
export const anyPage = guard('anyone', (req) => ({ origin: req.get('origin') }));

/** The caller of a visitor's call: the visitor, and where the call comes from. */
export interface VisitorCaller {
  visitor: VisitorDoc;
  /** Origin of the page. */
  origin: string | undefined;
  /** As `addressKey` makes it. */
  address: string;
}

/** Counts one call of a visitor, by HTTP or by socket. @throws AppError 429 */
export async function countCall(
  { visitorId, address }: { visitorId: string; address: string },
  limits: Limits,
): Promise<void> {
  await limits.take('callsPerVisitor', visitorId);
  await limits.take('visitorCallsPerAddress', address);
}

/** Counts a message, or a similar action, before any work is done for it. @throws AppError 429 */
export async function countMessage({ visitor, site, address }: WidgetAccess, limits: Limits): Promise<void> {
  await limits.take('visitorMessages', visitor._id.toHexString());
  await limits.take('visitorMessagesPerAddress', address);
  await limits.take('visitorMessagesPerSite', site._id.toHexString());
}

/** Counts a file, in addition to its message. @throws AppError 429 */
export async function countFile(access: WidgetAccess, limits: Limits): Promise<void> {
  await countMessage(access, limits);
  await limits.take('visitorFiles', access.visitor._id.toHexString());
  await limits.take('visitorFilesPerIp', access.address);
  await limits.take('visitorFilesPerSite', access.site._id.toHexString());
}

/** Begins to read what a call of a known visitor needs, so that its steps wait for the store once and not one after the other. */
function readAhead(token: string | undefined, widgetCode: unknown): void {
  const visitorId = token ? idsByHash.get(hashToken(token)) : undefined;
  if (visitorId === undefined) return;
  readOpenChatAhead(visitorId);
  // A failure is thrown to the step that needs the site.
  siteByCode(String(widgetCode)).catch(() => {});
}

/**
 * Creates the guard of visitors' calls. It throws 401 without a valid visitor token, and 429 for a visitor who calls
 * too often.
 */
export function createVisitorGuard(limits: Limits): Guard<VisitorCaller> {
  return guard('visitor', async (req) => {
    const address = addressKey(req.ip);
    const token = bearer(req);
    readAhead(token, req.params.widgetCode);
    const visitor = await visitorByToken(token, { address, limits });
    if (!visitor) throw unauthorized(sentence('This visitor session does not exist.'));
    await countCall({ visitorId: visitor._id.toHexString(), address }, limits);
    return { visitor, origin: req.get('origin'), address };
  });
}

/**
 * Loads the site of an embed code, if pages of this origin may carry its widget.
 * @throws AppError 404 for an unknown code, 403 `WIDGET_DISABLED` or `ORIGIN_NOT_ALLOWED`
 */
export async function widgetSite(code: string, origin: string | undefined): Promise<SiteDoc> {
  return carried(await siteByCode(code), origin);
}

/** The site's help centre carries its widget, too. */
function domainsOf({ settings: { allowedDomains }, help }: SiteDoc): string[] {
  return allowedDomains.length > 0 && help?.host ? [...allowedDomains, help.host] : allowedDomains;
}

function carried(site: SiteDoc | null, origin: string | undefined): SiteDoc {
  if (!site) throw notFound('site');
  if (!site.widgetEnabled) throw forbidden('WIDGET_DISABLED', sentence('The chat is switched off on this website.'));
  if (!allowsOrigin(domainsOf(site), origin))
    throw forbidden('ORIGIN_NOT_ALLOWED', sentence('The chat of this website is not allowed on this page.'));
  return site;
}

/** As `widgetSite`, for a visitor, whose token is valid for one site only. */
export async function visitorSite(
  visitor: VisitorDoc,
  code: string,
  origin: string | undefined,
): Promise<VisitorAccess> {
  const site = await widgetSite(code, origin);
  if (!site._id.equals(visitor.site)) throw notFound('site');
  return { visitor, site };
}

/** Loads the site of the visitor's token, for a page of this origin. @throws AppError as `widgetSite` */
export async function ownSite(visitor: VisitorDoc, origin: string | undefined): Promise<VisitorAccess> {
  return { visitor, site: carried(await liveSite(visitor.site.toHexString()), origin) };
}
