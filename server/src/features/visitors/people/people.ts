import type { Types, UpdateQuery } from 'mongoose';
import { ChatModel, nameVisitor, removeChats, storedAddress, storedText } from '#features/chats';
import type { Attribute, VisitorDetails, VisitorPage } from '#features/presence/contract';
import { eachSite, mainAnswers, preChatView, type SiteDoc, SiteModel, siteIn } from '#features/sites';
import type { PreChatField, VisitorAnswers } from '#features/sites/contract';
import { events } from '#platform/events';
import { sentence, unauthorized } from '#platform/http';
import { DAY_MS } from '#platform/time';
import { PAGES_SEEN_MAX } from '../contract.ts';
import { identityWebhookMark, type SeenPageDoc, type VisitorAccess, type VisitorDoc, VisitorModel } from '../model.ts';
import { addAttributes } from '../schemas.ts';
import { visitorDetailsView } from '../view.ts';

/** A page in its stored form. */
export function pageOf(site: Pick<SiteDoc, 'settings'>, { url = '', title = '' }: Partial<VisitorPage>): VisitorPage {
  return { url: storedAddress(site, url), title: storedText(site, title) };
}

/** Names in their stored form. */
export function storedNames(site: Pick<SiteDoc, 'settings'>, { name, ...names }: VisitorNames): VisitorNames {
  return { ...names, ...(name !== undefined && { name: storedText(site, name) }) };
}

/** Longer addresses stand in the history without their query, or not at all: ten of them would be most of a visitor's bytes. */
const SEEN_URL_MAX_LENGTH = 300;

/** A page as an entry of the history; empty without an address. */
export function historyEntries(page: VisitorPage | null | undefined, at = new Date()): SeenPageDoc[] {
  if (!page?.url) return [];
  const url = page.url.length > SEEN_URL_MAX_LENGTH ? page.url.replace(/[?#].*/s, '') : page.url;
  return url.length > SEEN_URL_MAX_LENGTH ? [] : [{ ...page, url, at }];
}

/**
 * Stores new data of a visitor and adds the page, if there is one, to the front of the history. If it is the newest
 * entry already, only its title is updated; the store decides that atomically, so that tabs reporting at the same time
 * add no duplicates.
 * @param $push further additions to lists
 * @returns null: erased meanwhile
 */
export async function updateVisitor(
  _id: Types.ObjectId,
  $set: Partial<VisitorDoc>,
  $push: Record<string, object> = {},
): Promise<VisitorDoc | null> {
  const write = (where: object, update: UpdateQuery<VisitorDoc>) =>
    VisitorModel.findOneAndUpdate({ _id, erasedAt: null, ...where }, update, { returnDocument: 'after' })
      .lean<VisitorDoc>()
      .exec();
  const [page] = historyEntries($set.page, $set.lastSeenAt);
  if (page) {
    const { url, title } = page;
    const pages = { $each: [page], $position: 0, $slice: PAGES_SEEN_MAX };
    const visitor =
      (await write({ 'pages.0.url': { $ne: url } }, { $set, $push: { ...$push, pages } })) ??
      (await write({ 'pages.0.url': url }, { $set: { ...$set, 'pages.0.title': title }, $push }));
    if (visitor) return visitor;
  }
  // There is no page, or between the two writes another tab opened it and left it: the history has it already.
  return write({}, { $set, $push });
}

/** A name, an address and a phone number, as far as they were given. */
export type VisitorNames = Partial<Record<NameField, string>>;
const NAME_FIELDS = ['name', 'email', 'phone'] as const;
type NameField = (typeof NAME_FIELDS)[number];

/**
 * Selects which part of unproved names may be stored: for a verified visitor only fields not known yet, so that no one can
 * put another name beside the verified mark.
 */
export function acceptedNames(visitor: VisitorDoc, names: VisitorNames): VisitorNames {
  const isFree = (field: NameField) => !visitor.verified || (visitor[field] ?? null) === null;
  const accepted = NAME_FIELDS.filter((field) => names[field] !== undefined && isFree(field));
  return Object.fromEntries(accepted.map((field) => [field, names[field]]));
}

/**
 * The answers that a visitor gave in a form, as they are stored. Only what the site asks for is taken, whatever the widget
 * sent; what the website itself has set about the visitor stays. They are stored under the site's main labels, a consent in
 * the words that the visitor read.
 * @param speaks the language of the form
 * @returns only what has changed
 */
export function acceptedAnswers(
  site: Pick<SiteDoc, 'customization' | 'settings'>,
  known: Attribute[] = [],
  { answers = {}, consent = false }: VisitorAnswers,
  speaks?: string,
): Partial<VisitorDoc> {
  const form = preChatView(site.settings);
  const given = mainAnswers(site, answers, speaks);
  const agreed = preChatView(siteIn(site, speaks).settings).consent;
  const set = new Set(known.filter(({ asked }) => !asked).map(({ name }) => name));
  const accepted = form.preChatFields.flatMap((field): Attribute[] => {
    const { label: name } = field;
    const answer = given.get(name);
    const value = typeof answer === 'string' ? storedText(site, answer) : answer;
    return value !== undefined && !set.has(name) && fits(field, value) ? [{ name, value, asked: true }] : [];
  });
  return {
    ...(accepted.length > 0 && { attributes: addAttributes(known, accepted) }),
    ...(consent && agreed && { consent: { text: agreed.text, at: new Date() } }),
  };
}

function fits({ kind, options = [] }: PreChatField, value: Attribute['value']): boolean {
  if (kind === 'checkbox') return typeof value === 'boolean';
  if (kind === 'choice') return options.includes(String(value));
  return kind === 'text' && typeof value === 'string' && value.trim() !== '';
}

/** Stores what the visitor gives in the offline form, for the open chat too. @throws AppError 401 when erased meanwhile */
export async function storeAnswers({ visitor, site }: VisitorAccess, answers: VisitorAnswers): Promise<VisitorAccess> {
  const fields = {
    ...acceptedNames(visitor, storedNames(site, answers)),
    ...acceptedAnswers(site, visitor.attributes, answers, visitor.speaks),
  };
  const named = await VisitorModel.findOneAndUpdate(
    { _id: visitor._id, erasedAt: null },
    { $set: { ...fields, ...identityWebhookMark(site, visitor, fields) } },
    { returnDocument: 'after' },
  ).lean<VisitorDoc>();
  if (!named) throw unauthorized(sentence('This visitor session does not exist.'));
  const access = { visitor: named, site };
  await announceVisitor(access);
  return access;
}

/** Stores the page that the visitor is on. */
export async function visitPage({ visitor, site }: VisitorAccess, page: VisitorPage): Promise<void> {
  const there = await updateVisitor(visitor._id, { page: pageOf(site, page), lastSeenAt: new Date() });
  if (there) await events.emit('visitorUpdated', { visitor: there, site });
}

/** Announces the visitor's current data to the open chat and the team. */
export async function announceVisitor({ visitor, site }: VisitorAccess): Promise<void> {
  await nameVisitor({ visitor: visitor._id, site }, visitor);
  if (visitor.untold) await events.emit('visitorIdentified', { visitor, site });
  await events.emit('visitorUpdated', { visitor, site });
}

/** @returns what is known about a visitor besides name and address; empty for one who was erased */
export async function visitorDetails(visitorId: string): Promise<VisitorDetails> {
  const visitor = await VisitorModel.findById(visitorId).lean<VisitorDoc>();
  return visitor
    ? visitorDetailsView(visitor)
    : { page: null, pages: [], userId: null, verified: false, attributes: [] };
}

/**
 * What these visitors said in forms of the widget, in words, by their ids. Attributes that the website has set are left out:
 * exports may be given to customers.
 */
export async function answersOf(visitors: Types.ObjectId[]): Promise<Map<string, [label: string, answer: string][]>> {
  const found = await VisitorModel.find({ _id: { $in: visitors } }, { phone: 1, attributes: 1, consent: 1 }).lean<
    VisitorDoc[]
  >();
  return new Map(found.map((visitor) => [visitor._id.toHexString(), answersInWords(visitor)]));
}

function answersInWords({ phone, attributes = [], consent }: VisitorDoc): [label: string, answer: string][] {
  const inWords = (value: Attribute['value']) => (typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value));
  return [
    ...(phone ? [['Phone', phone] as [string, string]] : []),
    ...attributes.filter(({ asked }) => asked).map(({ name, value }): [string, string] => [name, inWords(value)]),
    ...(consent ? [['Agreed to', consent.text] as [string, string]] : []),
  ];
}

const BATCH = 100;
/** Visitors who never wrote are deleted this many days after their last visit. */
const SILENT_KEPT_DAYS = 7;
/**
 * The tombstone of an erased visitor is kept this long: a send that began before may still start a chat, which is
 * removed too.
 */
const SHELL_KEPT_MS = 3_600_000;

/**
 * Erases a person (GDPR): personal data and token in one write, then all chats with their messages and notes. `sweepErased`
 * finishes what a crash interrupts.
 * @param by the member who did it; null: the visitor
 */
export async function eraseVisitor({ visitor, site }: VisitorAccess, by: Types.ObjectId | null): Promise<void> {
  const nothing = { name: null, email: null, page: null, location: null, userAgent: '' };
  await VisitorModel.updateOne(
    { _id: visitor._id, erasedAt: null },
    {
      $set: { ...nothing, tokenHash: `erased:${visitor._id}`, erasedAt: new Date() },
      $unset: {
        linkHashes: 1,
        pages: 1,
        userId: 1,
        verified: 1,
        attributes: 1,
        phone: 1,
        consent: 1,
        corrected: 1,
        note: 1,
        bounced: 1,
      },
    },
  );
  await events.emit('visitorErased', { visitor, site, by });
  await removeChats(site, { visitor: visitor._id });
}

/** Finishes erasures that a crash interrupted, and removes old tombstones. */
export async function sweepErased(now: number, signal: AbortSignal): Promise<void> {
  const erased = VisitorModel.find({ erasedAt: { $gt: new Date(0) } })
    .lean<VisitorDoc>()
    .cursor({ batchSize: BATCH });
  for await (const { _id, site: siteId, erasedAt } of erased) {
    if (signal.aborted) return;
    const site = await SiteModel.findById(siteId).lean<SiteDoc>();
    if (site) await removeChats(site, { visitor: _id }, signal);
    // Imports remember of whom they may bring nothing back, and then remove the key.
    if (erasedAt && erasedAt.getTime() < now - SHELL_KEPT_MS)
      await VisitorModel.deleteOne({ _id, importKey: { $exists: false } });
  }
}

/** Deletes visitors on every site who never wrote and have stayed away: with `visitorPages` on, most visitors only look. */
export async function removeSilentVisitors(now: number, signal: AbortSignal): Promise<void> {
  const limit = new Date(now - SILENT_KEPT_DAYS * DAY_MS);
  const away = { silent: true, lastSeenAt: { $lt: limit } };
  const gone = VisitorModel.find(away, { _id: 1 }).lean<VisitorDoc>().cursor({ batchSize: BATCH });
  for await (const { _id } of gone) {
    if (signal.aborted) return;
    if (await ChatModel.exists({ visitor: _id })) await VisitorModel.updateOne({ _id }, { $unset: { silent: 1 } });
    else await VisitorModel.deleteOne({ _id, ...away });
  }
}

/** Deletes visitors who have stayed away for longer than their site's retention in days, and have no chat left. */
export async function removeOldVisitors(now: number, signal: AbortSignal): Promise<void> {
  await eachSite(signal, async (site) => {
    const { retentionDays } = site.settings;
    if (retentionDays === 0) return;
    const limit = new Date(now - retentionDays * DAY_MS);
    const gone = VisitorModel.find({ site: site._id, lastSeenAt: { $lt: limit } }, { _id: 1 })
      .lean<VisitorDoc>()
      .cursor({ batchSize: BATCH });
    for await (const { _id } of gone) {
      if (signal.aborted) return;
      if (await ChatModel.exists({ visitor: _id })) continue;
      await VisitorModel.deleteOne({ _id, lastSeenAt: { $lt: limit } });
    }
  });
}
