import { createHash } from 'node:crypto';
import { bearer } from '../auth/guards.ts';
import type { Caller } from '../auth/sessions.ts';
import { addressKey } from '../http/address.ts';
import { type Guard, guard } from '../http/endpoint.ts';
import { forbidden, notFound, unauthorized } from '../http/errors.ts';
import type { Limits } from '../http/limits.ts';
import { liveSite, siteAccess, siteByCode } from '../sites/guards.ts';
import type { SiteDoc } from '../sites/model.ts';
import { allowsOrigin } from '../sites/origins.ts';
import { type Ability, can } from '../team/contract.ts';
import { type VisitorAccess, type VisitorDoc, VisitorModel, visitorCache } from './model.ts';

/** The same, and where it calls from. */
export interface WidgetAccess extends VisitorAccess {
  /** As `addressKey` makes it. */
  address: string;
  /** The id of the socket that asks; by HTTP there is none. */
  socketId?: string;
}

/** What a token is looked up by. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Who shows a token, and what counts those that name nobody. */
export interface TokenBearer {
  /** As `addressKey` makes it. */
  address: string;
  limits: Limits;
}

/** The visitor who holds this token; null: nobody. @throws AppError 429 for an address that shows too many of nobody's */
export async function visitorByToken(token: unknown, { address, limits }: TokenBearer): Promise<VisitorDoc | null> {
  if (typeof token !== 'string' || token === '') return null;
  // Counted before the look-up, which is what is to be spared.
  await limits.take('unknownTokensPerIp', address);
  const visitor = await lookUp(hashToken(token));
  if (visitor) await limits.giveBack('unknownTokensPerIp', address);
  return visitor;
}

async function lookUp(hash: string): Promise<VisitorDoc | null> {
  const keep = visitorCache.reading();
  const known =
    (await VisitorModel.findOne({ tokenHash: hash }).lean<VisitorDoc>()) ??
    (await VisitorModel.findOne({ linkHashes: hash }).lean<VisitorDoc>());
  if (known) keep([known]);
  return known;
}

/** The visitor whom a token of this hash named before, if it still does; null: nobody. */
export async function visitorStill(id: string, hash: string): Promise<VisitorDoc | null> {
  const visitor = await visitorCache.find(id);
  return visitor?.tokenHash === hash || visitor?.linkHashes?.includes(hash) ? visitor : null;
}

/**
 * The visitor, if the caller may do this on the visitor's site.
 * @throws AppError 404 for unknown and foreign visitors alike, 403 for the wrong role
 */
export async function visitorFor(caller: Caller, id: string, ability: Ability): Promise<VisitorAccess> {
  const visitor = await VisitorModel.findOne({ _id: id, erasedAt: null }).lean<VisitorDoc>();
  const access = visitor && (await siteAccess(caller, visitor.site));
  if (!access) throw notFound('visitor');
  if (!can(access.member, ability)) throw forbidden();
  return { visitor, site: access.site };
}

/** Who is blocked says nothing here. @throws AppError 403 `BLOCKED` */
export function mayWrite({ blocked }: VisitorDoc): void {
  if (blocked) throw forbidden('BLOCKED', 'You cannot send messages here any more.');
}

/** The guard of calls that any page may make: gives the page's origin. */
export const anyPage = guard('anyone', (req) => ({ origin: req.get('origin') }));

/** A visitor's call: whose it is, and where it comes from. */
export interface VisitorCaller {
  visitor: VisitorDoc;
  /** The page's. */
  origin: string | undefined;
  /** As `addressKey` makes it. */
  address: string;
}

/** Counts one call of a visitor's, by HTTP or by socket. @throws AppError 429 */
export async function countCall(
  { visitorId, address }: { visitorId: string; address: string },
  limits: Limits,
): Promise<void> {
  await limits.take('callsPerVisitor', visitorId);
  await limits.take('visitorCallsPerAddress', address);
}

/** Makes the guard of visitors' calls; it throws 401 without a good visitor token, and 429 for one that asks too often. */
export function createVisitorGuard(limits: Limits): Guard<VisitorCaller> {
  return guard('visitor', async (req) => {
    const address = addressKey(req.ip);
    const visitor = await visitorByToken(bearer(req), { address, limits });
    if (!visitor) throw unauthorized('This visitor session is not known.');
    await countCall({ visitorId: visitor._id.toHexString(), address }, limits);
    return { visitor, origin: req.get('origin'), address };
  });
}

/**
 * The site that an embed code names, if pages of this origin may carry its widget.
 * @throws AppError 404 for an unknown code, 403 `WIDGET_DISABLED` or `ORIGIN_NOT_ALLOWED`
 */
export async function widgetSite(code: string, origin: string | undefined): Promise<SiteDoc> {
  return carried(await siteByCode(code), origin);
}

function carried(site: SiteDoc | null, origin: string | undefined): SiteDoc {
  if (!site) throw notFound('site');
  if (!site.widgetEnabled) throw forbidden('WIDGET_DISABLED', 'The chat of this site is switched off.');
  if (!allowsOrigin(site.settings.allowedDomains, origin))
    throw forbidden('ORIGIN_NOT_ALLOWED', 'The chat of this site is not meant for this page.');
  return site;
}

/** The same for a visitor, whose token opens one site only. */
export async function visitorSite(
  visitor: VisitorDoc,
  code: string,
  origin: string | undefined,
): Promise<VisitorAccess> {
  const site = await widgetSite(code, origin);
  if (!site._id.equals(visitor.site)) throw notFound('site');
  return { visitor, site };
}

/** The visitor with the site that the token opens, for a page of this origin. @throws AppError as `widgetSite` */
export async function ownSite(visitor: VisitorDoc, origin: string | undefined): Promise<VisitorAccess> {
  return { visitor, site: carried(await liveSite(visitor.site.toHexString()), origin) };
}
