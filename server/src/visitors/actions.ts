import { randomBytes } from 'node:crypto';
import { isbot } from 'isbot';
import { postFromVisitor, type Words } from '../chats/actions.ts';
import { type Appended, findSent } from '../chats/append.ts';
import { type ChatDoc, ChatModel } from '../chats/model.ts';
import { openChatOf, startChat } from '../chats/start.ts';
import { unavailable } from '../http/errors.ts';
import type { Limits } from '../http/limits.ts';
import type { SiteDoc } from '../sites/model.ts';
import { hashToken, type VisitorAccess, visitorByToken } from './access.ts';
import type { SessionBody, VisitorPage } from './contract.ts';
import { type VisitorDoc, VisitorModel } from './model.ts';

const TOKEN_BYTES = 32;
const USER_AGENT_MAX = 300;
/** A visitor's chat may be closed again and again while the message is on its way, but not this often. */
const STARTS_MAX = 5;

/** Machines that `isbot` lets pass and the product does not want to see. */
const MACHINES = /bot|crawler|spider|preview|headless|uptime|monitor|curl|wget|axios/i;

/** Where a widget's request comes from. */
export interface Browser {
  ip: string;
  userAgent: string;
}

/**
 * Resumes the visitor whose token the browser kept, or opens a new one. Only new ones count against the address's limit.
 * @throws AppError 429
 */
export async function openSession(
  site: SiteDoc,
  body: SessionBody,
  browser: Browser,
  limits: Limits,
): Promise<{ visitor: VisitorDoc; visitorToken: string }> {
  const known = await visitorByToken(body.visitorToken);
  const seen = { lastSeenAt: new Date(), ...body.visitor, ...(body.page ? { page: pageOf(body.page) } : {}) };
  if (known?.site.equals(site._id) && body.visitorToken !== undefined) {
    const visitor = await VisitorModel.findByIdAndUpdate(
      known._id,
      { $set: seen },
      { returnDocument: 'after' },
    ).lean<VisitorDoc>();
    if (visitor) return { visitor, visitorToken: body.visitorToken };
  }
  await limits.take('visitorPerIp', browser.ip);
  const visitorToken = randomBytes(TOKEN_BYTES).toString('base64url');
  const visitor = new VisitorModel({
    ...seen,
    site: site._id,
    tokenHash: hashToken(visitorToken),
    userAgent: browser.userAgent.slice(0, USER_AGENT_MAX),
    location: [body.timeZone, body.language].filter(Boolean).join(' · ') || null,
    bot: MACHINES.test(browser.userAgent) || isbot(browser.userAgent),
    createdAt: seen.lastSeenAt,
  });
  await visitor.save();
  return { visitor: visitor.toObject(), visitorToken };
}

/** Remembers the page that the visitor is on. */
export async function visitPage(visitor: VisitorDoc, page: VisitorPage): Promise<void> {
  await VisitorModel.updateOne({ _id: visitor._id }, { $set: { page: pageOf(page), lastSeenAt: new Date() } });
}

/** The page that a visitor reported last; null: none, or the visitor is gone. */
export async function lastPage(visitorId: string): Promise<VisitorPage | null> {
  const visitor = await VisitorModel.findById(visitorId, { page: 1 }).lean<VisitorDoc>();
  return visitor?.page ? pageOf(visitor.page) : null;
}

function pageOf({ url, title }: Partial<VisitorPage>): VisitorPage {
  return { url: url ?? '', title: title ?? '' };
}

/** A visitor's message in its chat. */
export interface Sent extends Appended {
  chat: ChatDoc;
}

/**
 * Stores a visitor's message: in the open chat, else in a new one, which it starts. A repeated `clientId` finds the
 * first message wherever it is, and starts nothing.
 * @throws AppError 409 `ID_CONFLICT`
 */
export async function sendAsVisitor({ visitor, site }: VisitorAccess, words: Required<Words>): Promise<Sent> {
  for (let starts = 0; starts < STARTS_MAX; starts++) {
    const open = await openChatOf(visitor._id);
    const earlier = open ? null : await findSent(`v:${visitor._id}`, words);
    const chat = open ?? (earlier ? null : await startChat(chatFields(visitor)));
    const appended = earlier ?? (chat && (await postFromVisitor({ chat, site }, words)));
    if (appended) return withItsChat(appended, chat);
  }
  throw unavailable();
}

async function withItsChat(appended: Appended, chat: ChatDoc | null): Promise<Sent> {
  if (chat?._id.equals(appended.message.chat)) return { ...appended, chat };
  const its = await ChatModel.findById(appended.message.chat).lean<ChatDoc>();
  if (!its) throw unavailable();
  return { ...appended, chat: its };
}

function chatFields({ _id, site, bot, name, email, userAgent, location }: VisitorDoc) {
  return { site, visitor: _id, bot, visitorInfo: { name, email, userAgent, location } };
}
