import { randomBytes } from 'node:crypto';
import { isbot } from 'isbot';
import { type Named, postFromVisitor } from '../chats/actions.ts';
import { type Appended, findSent } from '../chats/append.ts';
import { type ChatDoc, ChatModel } from '../chats/model.ts';
import { nameVisitor } from '../chats/person.ts';
import { rateChat } from '../chats/rate.ts';
import { type NewChat, openChatOf, startChat } from '../chats/start.ts';
import { notFound, unauthorized, unavailable } from '../http/errors.ts';
import type { Limits } from '../http/limits.ts';
import type { SiteDoc } from '../sites/model.ts';
import { hashToken, mayWrite, type VisitorAccess, visitorByToken } from './access.ts';
import type { RatingBody, SessionBody, VisitorPage } from './contract.ts';
import { type VisitorDoc, VisitorModel } from './model.ts';
import { pageView } from './view.ts';

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
    const visitor = await VisitorModel.findOneAndUpdate(
      { _id: known._id, erasedAt: null },
      { $set: seen },
      { returnDocument: 'after' },
    ).lean<VisitorDoc>();
    if (visitor) {
      if (body.visitor) await nameVisitor({ visitor: visitor._id, site }, visitor);
      return { visitor, visitorToken: body.visitorToken };
    }
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

/** Takes down who the visitor says to be, for the open chat too. @throws AppError 401 when erased meanwhile */
export async function introduce({ visitor, site }: VisitorAccess, name: string, email: string): Promise<VisitorAccess> {
  const named = await VisitorModel.findOneAndUpdate(
    { _id: visitor._id, erasedAt: null },
    { $set: { name, email } },
    { returnDocument: 'after' },
  ).lean<VisitorDoc>();
  if (!named) throw unauthorized('This visitor session is not known.');
  await nameVisitor({ visitor: named._id, site }, named);
  return { visitor: named, site };
}

/** Remembers the page that the visitor is on. */
export async function visitPage(visitor: VisitorDoc, page: VisitorPage): Promise<void> {
  await VisitorModel.updateOne(
    { _id: visitor._id, erasedAt: null },
    { $set: { page: pageOf(page), lastSeenAt: new Date() } },
  );
}

/** The page that a visitor reported last; null: none, or the visitor is gone. */
export async function lastPage(visitorId: string): Promise<VisitorPage | null> {
  const visitor = await VisitorModel.findById(visitorId, { page: 1 }).lean<VisitorDoc>();
  return visitor && pageView(visitor);
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
 * @throws AppError 403 `BLOCKED`, 409 `ID_CONFLICT`
 */
export async function sendAsVisitor({ visitor, site }: VisitorAccess, words: Named): Promise<Sent> {
  mayWrite(visitor);
  for (let starts = 0; starts < STARTS_MAX; starts++) {
    const open = await openChatOf(visitor._id);
    const earlier = open ? null : await findSent(`v:${visitor._id}`, { ...words, file: words.kept?.file });
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

/** What a new chat keeps of its visitor. */
export function chatFields({ _id, site, bot, blocked, name, email, userAgent, location }: VisitorDoc): NewChat {
  return { site, visitor: _id, bot, blocked, visitorInfo: { name, email, userAgent, location } };
}

/** A chat of the visitor's own. @throws AppError 404 for unknown ones and those of others alike */
export async function ownChat({ visitor }: VisitorAccess, chatId: string): Promise<ChatDoc> {
  const chat = await ChatModel.findOne({ _id: chatId, visitor: visitor._id }).lean<ChatDoc>();
  if (!chat) throw notFound('chat');
  return chat;
}

/** What the visitor thinks of an own chat. @throws AppError 403 `BLOCKED`, 404 */
export async function rateAsVisitor(access: VisitorAccess, { chatId, score, comment }: RatingBody): Promise<ChatDoc> {
  mayWrite(access.visitor);
  const chat = await ownChat(access, chatId);
  return rateChat({ chat, site: access.site }, { score, comment: comment || null });
}
