import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isbot } from 'isbot';
import jwt from 'jsonwebtoken';
import { storedText } from '#features/chats';
import { RESUME_PATH, type SiteDoc } from '#features/sites';
import { events } from '#platform/events';
import { duplicateKey, type Limits, sentence, unauthorized } from '#platform/http';
import type { SecretBox } from '#platform/secrets';
import { DAY_S } from '#platform/time';
import type { AttributesBody, SessionBody } from '../contract.ts';
import { hashToken, visitorByToken } from '../guards.ts';
import { DEVICES_MAX, identityWebhookMark, type VisitorDoc, VisitorModel } from '../model.ts';
import {
  acceptedAnswers,
  acceptedNames,
  announceVisitor,
  historyEntries,
  pageOf,
  storedNames,
  updateVisitor,
  type VisitorNames,
} from '../people/people.ts';
import { mergeAttributes } from '../schemas.ts';
import { type VerifiedIdentity, verifyIdentity } from './identity.ts';

const TOKEN_BYTES = 32;
const USER_AGENT_MAX = 300;
/** Minimum time between two updates of a visitor's last visit. */
const SEEN_EVERY_MS = 60_000;

/** User agents of machines that `isbot` does not recognize. */
const MACHINES = /bot|crawler|spider|preview|headless|uptime|monitor|curl|wget|axios/i;

/** Whether this user agent is a machine's. */
export const isMachine = (userAgent: string) => MACHINES.test(userAgent) || isbot(userAgent);

/** Origin of a widget's request. */
export interface Browser {
  /** As `addressKey` makes it. */
  address: string;
  userAgent: string;
}

interface SessionDeps {
  limits: Limits;
  secretBox: SecretBox;
  now: () => number;
}

/** A visitor, and the token with which the browser resumes. */
interface Opened {
  visitor: VisitorDoc;
  visitorToken: string;
}

/** A new visitor token, a secret known only to the browser that receives it. */
const newVisitorToken = () => randomBytes(TOKEN_BYTES).toString('base64url');

/**
 * Resumes the visitor of the token that the browser kept, or creates a new one. A new visitor counts against the
 * address's limit; a resume counts against the visitor's limit and a wider one of the address.
 * A proved person (see `verifyIdentity`) is one visitor on all devices, found by `sub`. Every other visitor belongs to one
 * browser; an `id` without proof is only a label, never used to find a visitor. Histories never merge: if a person is
 * proved in a browser that held an unproved visitor or another person, that visitor stays behind with its chats; the
 * same holds for an unproved `id` that differs from the known one. A proof lasts in its browser until the website calls
 * `logout`: the identity token is valid for at most a day, but the visitor token obtained with it stays valid.
 * @throws AppError 422 for an identity that proves nothing, 429
 */
export async function openSession(
  site: SiteDoc,
  body: SessionBody,
  browser: Browser,
  { limits, secretBox, now }: SessionDeps,
): Promise<Opened> {
  const proof = await verifyIdentity(site, body.identity, { secretBox, now });
  const { visitorToken } = body;
  const known = await visitorByToken(visitorToken, { address: browser.address, limits });
  if (visitorToken !== undefined && known?.site.equals(site._id) && isSame(known, body, proof)) {
    await limits.take('returnsPerVisitor', known._id.toHexString());
    await limits.take('returnsPerAddress', browser.address);
    const visitor = await goOn(known, site, changesOf(site, body, proof, known));
    if (visitor) return { visitor, visitorToken };
  }
  await limits.take('visitorPerIp', browser.address);
  await limits.take('visitorPerIpAndDay', browser.address);
  return (proof && (await enter(site, body, proof))) ?? begin(site, body, proof, browser);
}

/** Whether this request can be about the visitor that the browser already holds. */
function isSame({ userId, verified }: VisitorDoc, { identity }: SessionBody, proof: VerifiedIdentity | null): boolean {
  if (proof) return verified === true && userId === proof.userId;
  return identity?.id === undefined || userId === undefined || userId === identity.id;
}

/** Adds a browser to the visitor of a proved person; null: this person has no visitor yet. */
async function enter(site: SiteDoc, body: SessionBody, proof: VerifiedIdentity): Promise<Opened | null> {
  const person = { site: site._id, userId: proof.userId, verified: true };
  const before = await VisitorModel.findOne(person).lean<VisitorDoc>();
  const visitorToken = newVisitorToken();
  const visitor = before && (await goOn(before, site, changesOf(site, body, proof, before), visitorToken));
  return visitor && { visitor, visitorToken };
}

/**
 * Stores new data of a visitor and announces it; a visitor who returns without changes causes no write.
 * @param newToken the token of an additional browser
 * @returns null: erased meanwhile
 */
async function goOn(
  before: VisitorDoc,
  site: SiteDoc,
  { lastSeenAt = new Date(), ...given }: Partial<VisitorDoc>,
  newToken?: string,
): Promise<VisitorDoc | null> {
  const newFields = newFieldsOf(before, given);
  const isNews = Object.keys(newFields).length > 0;
  const wasSeen = Date.now() - before.lastSeenAt.getTime() < SEEN_EVERY_MS;
  if (!isNews && newToken === undefined && wasSeen) return before;
  const device = newToken !== undefined && { linkHashes: { $each: [hashToken(newToken)], $slice: -DEVICES_MAX } };
  const identity = identityWebhookMark(site, before, newFields);
  const visitor = await updateVisitor(before._id, { ...newFields, ...identity, lastSeenAt }, { ...device });
  if (visitor && ('name' in newFields || 'email' in newFields)) await announceVisitor({ visitor, site });
  else if (visitor && isNews) {
    if (visitor.untold) await events.emit('visitorIdentified', { visitor, site });
    await events.emit('visitorUpdated', { visitor, site });
  }
  return visitor;
}

/** @returns the fields that differ from before */
function newFieldsOf(before: VisitorDoc, given: Partial<VisitorDoc>): Partial<VisitorDoc> {
  const isNew = ([field, value]: [string, unknown]) => !isDeepStrictEqual(value, before[field as keyof VisitorDoc]);
  return Object.fromEntries(Object.entries(given).filter(isNew));
}

async function begin(
  site: SiteDoc,
  body: SessionBody,
  proof: VerifiedIdentity | null,
  browser: Browser,
): Promise<Opened> {
  const visitorToken = newVisitorToken();
  const userAgent = browser.userAgent.slice(0, USER_AGENT_MAX);
  const bot = isMachine(userAgent);
  const changes = changesOf(site, body, proof);
  const visitor = new VisitorModel({
    ...changes,
    ...identityWebhookMark(site, { bot }, changes),
    pages: historyEntries(changes.page, changes.lastSeenAt),
    site: site._id,
    tokenHash: hashToken(visitorToken),
    silent: true,
    userAgent,
    location: [body.timeZone, body.language].filter(Boolean).join(' · ') || null,
    bot,
    createdAt: changes.lastSeenAt,
  });
  try {
    await visitor.save();
  } catch (error) {
    // Another browser of the same person created the visitor first.
    const there = proof && duplicateKey(error) && (await enter(site, body, proof));
    if (!there) throw error;
    return there;
  }
  const begun = visitor.toObject();
  if (begun.untold) await events.emit('visitorIdentified', { visitor: begun, site });
  return { visitor: begun, visitorToken };
}

/**
 * The changes that a request makes to a visitor. Precedence: proved data, then what the page sets, then what the
 * visitor typed. What a member has corrected, the page does not change back each time it loads.
 */
function changesOf(
  site: SiteDoc,
  { visitor: given, identity, page, attributes, speaks }: SessionBody,
  proof: VerifiedIdentity | null,
  before?: VisitorDoc,
): Partial<VisitorDoc> {
  const { id, token: _, ...named } = identity ?? {};
  const { answers: _answers, consent: _consent, ...typed } = given ?? {};
  const { corrected = [] } = before ?? {};
  const names = storedNames(site, { ...typed, ...without(named, corrected) });
  const merged = attributes ? mergeAttributes(before?.attributes, stored(site, attributes)) : before?.attributes;
  return {
    lastSeenAt: new Date(),
    ...(before && !proof ? acceptedNames(before, names) : names),
    ...(id === undefined ? {} : { userId: id }),
    ...(proof && { ...proof, verified: true }),
    ...(proof && corrected.length > 0 && { corrected: corrected.filter((field) => !(field in proof)) }),
    ...(page && { page: pageOf(site, page) }),
    ...(speaks && { speaks }),
    ...(attributes && merged && { attributes: merged }),
    ...(given && acceptedAnswers(site, merged, given, speaks)),
  };
}

function stored(site: SiteDoc, attributes: AttributesBody): AttributesBody {
  const values = Object.entries(attributes).map(([name, value]) => [
    name,
    typeof value === 'string' ? storedText(site, value) : value,
  ]);
  return Object.fromEntries(values);
}

function without(names: VisitorNames, fields: string[]): VisitorNames {
  return Object.fromEntries(Object.entries(names).filter(([field]) => !fields.includes(field)));
}

/** How long a mailed link is valid, in days. */
export const RESUME_DAYS = 14;
const ALGORITHM = 'HS256';

/** Links that open a visitor's chat on any device. */
export interface ResumeLinks {
  /** The path below `PUBLIC_URL`. The secret is in the fragment, which is not sent to servers and so not logged. */
  pathFor(visitor: VisitorDoc): string;
  /**
   * Creates a visitor token for the device that opened the link; tokens of other devices stay valid.
   * @throws AppError 401 for a link that has expired, is another site's, or whose visitor was erased
   */
  redeem(token: string, site: SiteDoc): Promise<string>;
}

/**
 * @param secret the links are signed with a key derived from it for this purpose, so that no other token is accepted as
 *   a link
 */
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
      if (!found) throw unauthorized(sentence('This link has expired. Please write to us again.'), 'LINK_EXPIRED');
      return visitorToken;
    },
  };
}

/** @returns the id of the link's visitor; null: the link is forged or has expired */
function subjectOf(token: string, key: KeyObject, clockTimestamp: number): string | null {
  try {
    const claims = jwt.verify(token, key, { algorithms: [ALGORITHM], clockTimestamp });
    return typeof claims === 'object' && claims.sub !== undefined ? claims.sub : null;
  } catch {
    return null;
  }
}
