import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isbot } from 'isbot';
import jwt from 'jsonwebtoken';
import { events } from '../events.ts';
import { duplicateKey, unauthorized } from '../http/errors.ts';
import type { Limits } from '../http/limits.ts';
import type { SiteDoc } from '../sites/model.ts';
import { RESUME_PATH } from '../sites/origins.ts';
import { DAY_S } from '../time.ts';
import type { SessionBody } from './contract.ts';
import { hashToken, visitorByToken } from './guards.ts';
import { type Proof, proofOf } from './identity.ts';
import { DEVICES_MAX, type VisitorDoc, VisitorModel } from './model.ts';
import { namesToTake, pageOf, seen, takeDown, tellOf } from './person.ts';
import { mergeAttributes } from './schemas.ts';

const TOKEN_BYTES = 32;
const USER_AGENT_MAX = 300;
/** That a visitor is still there is written down at most this often. */
const SEEN_EVERY_MS = 60_000;

/** Machines that `isbot` lets pass and the product does not want to see. */
const MACHINES = /bot|crawler|spider|preview|headless|uptime|monitor|curl|wget|axios/i;

/** Where a widget's request comes from. */
export interface Browser {
  /** As `addressKey` makes it. */
  address: string;
  userAgent: string;
}

interface SessionDeps {
  limits: Limits;
  /** Milliseconds */
  now: () => number;
}

/** A visitor, and the token by which the browser comes back. */
interface Opened {
  visitor: VisitorDoc;
  visitorToken: string;
}

/** A new visitor token: a secret of the browser that gets it. */
const newVisitorToken = () => randomBytes(TOKEN_BYTES).toString('base64url');

/**
 * Resumes the visitor whose token the browser kept, or opens a new one. What resumes nothing counts against the
 * address's limit, what does against the visitor's and a wider one of the address.
 *
 * Who is proved (see `proofOf`) is one visitor on all devices: the one of that `sub`. Everybody else is one per browser; an `id`
 * without a proof is a label, by which nobody is ever found. Histories never merge: whoever is proved on a browser that
 * held an unproved visitor, or another person, leaves that one behind with all that was said, and so does an unproved `id`
 * that is not the one known. Once proved, a browser stays so until the website calls `logout`: the token that proves is good for
 * a day, the visitor token that it gets goes on.
 * @throws AppError 422 for an identity that proves nothing, 429
 */
export async function openSession(
  site: SiteDoc,
  body: SessionBody,
  browser: Browser,
  { limits, now }: SessionDeps,
): Promise<Opened> {
  const proof = await proofOf(site, body.identity, now());
  const { visitorToken } = body;
  const known = await visitorByToken(visitorToken, { address: browser.address, limits });
  if (visitorToken !== undefined && known?.site.equals(site._id) && isSame(known, body, proof)) {
    await limits.take('returnsPerVisitor', known._id.toHexString());
    await limits.take('returnsPerAddress', browser.address);
    const visitor = await goOn(known, site, changesOf(body, proof, known));
    if (visitor) return { visitor, visitorToken };
  }
  await limits.take('visitorPerIp', browser.address);
  await limits.take('visitorPerIpAndDay', browser.address);
  return (proof && (await enter(site, body, proof))) ?? begin(site, body, proof, browser);
}

/** Whether this body can speak of a visitor that the browser held already. */
function isSame({ userId, verified }: VisitorDoc, { identity }: SessionBody, proof: Proof | null): boolean {
  if (proof) return verified === true && userId === proof.userId;
  return identity?.id === undefined || userId === undefined || userId === identity.id;
}

/** Lets another browser in, which a proof has opened; null: nobody was proved to be this person yet. */
async function enter(site: SiteDoc, body: SessionBody, proof: Proof): Promise<Opened | null> {
  const person = { site: site._id, userId: proof.userId, verified: true };
  const before = await VisitorModel.findOne(person).lean<VisitorDoc>();
  const visitorToken = newVisitorToken();
  const visitor = before && (await goOn(before, site, changesOf(body, proof, before), visitorToken));
  return visitor && { visitor, visitorToken };
}

/**
 * Takes down what is new of a visitor, and tells it; of one who comes back with nothing new, nothing is written.
 * @param newToken of a browser that comes along
 * @returns null: erased meanwhile
 */
async function goOn(
  before: VisitorDoc,
  site: SiteDoc,
  { lastSeenAt = new Date(), ...said }: Partial<VisitorDoc>,
  newToken?: string,
): Promise<VisitorDoc | null> {
  const news = newsOf(before, said);
  const isNews = Object.keys(news).length > 0;
  const wasSeen = Date.now() - before.lastSeenAt.getTime() < SEEN_EVERY_MS;
  if (!isNews && newToken === undefined && wasSeen) return before;
  const device = newToken !== undefined && { linkHashes: { $each: [hashToken(newToken)], $slice: -DEVICES_MAX } };
  const visitor = await takeDown(before._id, { ...news, lastSeenAt }, { ...device });
  if (visitor && ('name' in news || 'email' in news)) await tellOf({ visitor, site });
  else if (visitor && isNews) await events.emit('visitorUpdated', { visitor, site });
  return visitor;
}

/** Those fields that are other than before. */
function newsOf(before: VisitorDoc, said: Partial<VisitorDoc>): Partial<VisitorDoc> {
  const isNew = ([field, value]: [string, unknown]) => !isDeepStrictEqual(value, before[field as keyof VisitorDoc]);
  return Object.fromEntries(Object.entries(said).filter(isNew));
}

async function begin(site: SiteDoc, body: SessionBody, proof: Proof | null, browser: Browser): Promise<Opened> {
  const visitorToken = newVisitorToken();
  const userAgent = browser.userAgent.slice(0, USER_AGENT_MAX);
  const changes = changesOf(body, proof);
  const visitor = new VisitorModel({
    ...changes,
    pages: seen(changes.page, changes.lastSeenAt),
    site: site._id,
    tokenHash: hashToken(visitorToken),
    silent: true,
    userAgent,
    location: [body.timeZone, body.language].filter(Boolean).join(' · ') || null,
    bot: MACHINES.test(userAgent) || isbot(userAgent),
    createdAt: changes.lastSeenAt,
  });
  try {
    await visitor.save();
  } catch (error) {
    // Another of the person's browsers was faster.
    const there = proof && duplicateKey(error) && (await enter(site, body, proof));
    if (!there) throw error;
    return there;
  }
  return { visitor: visitor.toObject(), visitorToken };
}

/** What a body tells of a visitor: what is proved goes before what the page says, and that before what the visitor says. */
function changesOf(
  { visitor: said, identity, page, attributes }: SessionBody,
  proof: Proof | null,
  before?: VisitorDoc,
): Partial<VisitorDoc> {
  const { id, token: _, ...named } = identity ?? {};
  const names = { ...said, ...named };
  return {
    lastSeenAt: new Date(),
    ...(before && !proof ? namesToTake(before, names) : names),
    ...(id === undefined ? {} : { userId: id }),
    ...(proof && { ...proof, verified: true }),
    ...(page && { page: pageOf(page) }),
    ...(attributes && { attributes: mergeAttributes(before?.attributes, attributes) }),
  };
}

/** How long a mailed link opens its chat, in days. */
export const RESUME_DAYS = 14;
const ALGORITHM = 'HS256';

/** Links that open a visitor's chat on any device. */
export interface ResumeLinks {
  /** The address below `PUBLIC_URL`; its secret stands after `#`, which no server and no log sees. */
  pathFor(visitor: VisitorDoc): string;
  /**
   * A visitor token for the device that opened the link; the tokens of other devices stay good.
   * @throws AppError 401 for a link that has run out, is another site's, or whose visitor is gone
   */
  redeem(token: string, site: SiteDoc): Promise<string>;
}

/** @param secret signs the links, under a key of their own, so that no other token passes for one */
export function createResumeLinks({ secret, now }: { secret: string; now: () => number }): ResumeLinks {
  const key = createSecretKey(createHmac('sha256', secret).update('resume link').digest());
  const seconds = () => Math.floor(now() / 1000);
  return {
    pathFor({ _id, site }) {
      const claims = { sub: _id.toHexString(), exp: seconds() + RESUME_DAYS * DAY_S };
      return `${RESUME_PATH}${site}#${jwt.sign(claims, key, { algorithm: ALGORITHM, noTimestamp: true })}`;
    },
    async redeem(token, site) {
      const _id = subjectOf(token, key, seconds());
      const visitorToken = newVisitorToken();
      const devices = { $each: [hashToken(visitorToken)], $slice: -DEVICES_MAX };
      const found =
        _id &&
        (await VisitorModel.findOneAndUpdate(
          { _id, site: site._id, erasedAt: null },
          { $push: { linkHashes: devices } },
        ).lean<VisitorDoc>());
      if (!found) throw unauthorized('This link has run out. Please write to us again.', 'LINK_EXPIRED');
      return visitorToken;
    },
  };
}

/** Whose link it is; null: a forged one, or its time is over. */
function subjectOf(token: string, key: KeyObject, clockTimestamp: number): string | null {
  try {
    const claims = jwt.verify(token, key, { algorithms: [ALGORITHM], clockTimestamp });
    return typeof claims === 'object' && claims.sub !== undefined ? claims.sub : null;
  } catch {
    return null;
  }
}
