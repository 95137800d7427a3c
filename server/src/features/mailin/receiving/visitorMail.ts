import { UserModel } from '#features/auth';
import {
  type ChatDoc,
  ChatModel,
  handOver,
  type MessageDoc,
  type MessageInputWithId,
  MessageModel,
  moveReceipt,
  openChatOf,
  sendAsVisitor,
} from '#features/chats';
import { liveSite, memberOf, type SiteDoc } from '#features/sites';
import { clearBounced, isBounced, type VisitorDoc, VisitorModel } from '#features/visitors';
import { DAY_MS, SECOND_MS } from '#platform/time';
import { type MailOutcome, type MailRefusal, REPLY_DAYS } from '../contract.ts';
import { counted, noteAnswer } from './brakes.ts';
import { partsOf, post } from './posting.ts';
import { type AddressedMail, type ReceiverDeps, refused } from './received.ts';

/**
 * Stores the answer of a visitor as the widget stores one: in the open chat, or in a new one. People answer mails, so the assistant
 * leaves the chat to them.
 * @throws AppError as `sendAsVisitor`
 */
export async function appendAsVisitor(received: AddressedMail, deps: ReceiverDeps): Promise<MailOutcome> {
  const { address, mail } = received;
  const [site, visitor, chat] = await Promise.all([
    liveSite(address.site.toHexString()),
    VisitorModel.findById(address.visitor).lean<VisitorDoc>(),
    ChatModel.findById(address.chat).lean<ChatDoc>(),
  ]);
  if (!site?.widgetEnabled || !visitor || visitor.erasedAt || !chat) return refused('gone');
  const refusal = await refusalOf(received, visitor, site);
  if (refusal) return refused(refusal);
  if (!(await noteAnswer(received, deps.now()))) return refused('repeated');

  return counted(deps.limits, received, async () => {
    const parts = await partsOf(received, site, deps);
    if (typeof parts === 'string') return refused(parts);
    const open = await openChatOf(visitor._id);
    if (open) await handOver({ chat: open, site }, 'mail');
    const sender = { visitor, site, address: `mail:${address._id}` };
    const from = mail.from !== null && mail.from !== address.to ? { from: mail.from } : {};
    const send = ({ greeting: _, ...input }: MessageInputWithId) =>
      sendAsVisitor(sender, { ...input, person: true }, deps);
    const outcome = await post(received, parts, { site, ...from, send }, deps);
    if (isBounced(visitor) && mail.from === visitor.bounced?.email) await clearBounced(visitor._id);
    await readUpToMail(received, { chat, site });
    return outcome;
  });
}

async function refusalOf(received: AddressedMail, visitor: VisitorDoc, site: SiteDoc): Promise<MailRefusal | null> {
  const { from } = received.mail;
  if (visitor.blocked) return 'blocked';
  if (from === null) return 'notAllowed';
  // Whoever tries the widget with an own address is a visitor; a member to whom a mail was passed on is not.
  if (from !== received.address.to && (await isOfTeam(site, from))) return 'own';
  return null;
}

async function isOfTeam(site: SiteDoc, email: string): Promise<boolean> {
  const user = await UserModel.exists({ email });
  return user !== null && memberOf(site, user._id) !== null;
}

/** Whoever answers the last mail has read what was in it: what was written a moment before it was made. */
async function readUpToMail({ mail, address }: AddressedMail, { chat, site }: { chat: ChatDoc; site: SiteDoc }) {
  if (mail.answered[0] === undefined || mail.answered[0] !== address.sentIds.at(-1)) return;
  const mailedAt = new Date(address.expiresAt.getTime() - REPLY_DAYS * DAY_MS - SECOND_MS);
  const last = await MessageModel.findOne({ chat: chat._id, createdAt: { $lt: mailedAt } })
    .sort({ seq: -1 })
    .lean<MessageDoc>();
  if (last) await moveReceipt({ chat, site }, 'visitor', 'read', last.seq);
}
