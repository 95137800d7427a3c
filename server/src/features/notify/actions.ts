import type { Caller, Sessions } from '#features/auth';
import {
  answerChat,
  type ChatAccess,
  ChatModel,
  chatFor,
  claimChat,
  MessageModel,
  NoteModel,
  refuseIfFull,
} from '#features/chats';
import { type ReplyDoc, ReplyModel } from '#features/replies';
import type { Usage } from '#features/usage';
import { AppError, conflict, type Limits, sentence, type TranslatableText, unauthorized } from '#platform/http';
import { PushModel } from '#platform/push';
import { type ActionGrant, type ActionTokens, clientIdOf, digestOf } from './actionTokens.ts';
import { isQuick, quickText } from './buttons.ts';

export interface ActionDeps {
  actionTokens: ActionTokens;
  sessions: Sessions;
  limits: Limits;
  usage: Usage;
}

/**
 * Does what a button of a notification says, with the rights that its presser has now. Idempotent: a repeated press gets
 * the same answer.
 * @returns what was done, as a text to show
 * @throws AppError 401 `ACTION_EXPIRED` for a token that is forged, too old, of a device that was signed out or no longer
 *   gets push messages, or of a chat that its presser has given back since; 409 `REPLY_CHANGED` for a canned reply that is not what the button showed; and as `claimChat`
 */
export async function doAction(deps: ActionDeps, token: string): Promise<TranslatableText> {
  const grant = deps.actionTokens.read(token);
  const caller = grant && (await callerOf(grant, deps));
  if (!caller) throw expired();
  await deps.limits.take('callsPerAccount', grant.user);
  const access = await chatFor(caller, grant.chat, 'chats.reply');
  const { reply } = grant;
  if (reply) await sendReply(deps, { access, caller, grant: { ...grant, reply } });
  else {
    await mustNotBeGivenBack(grant);
    await claimChat(access, caller);
  }
  return reply ? sentence('Sent. Open the chat') : sentence('Claimed. Open the chat');
}

/**
 * Whoever had the chat since the notification, and gave it back or on, does not want it again: the press is a repeated one.
 * @throws AppError 401 `ACTION_EXPIRED`
 */
async function mustNotBeGivenBack({ chat, user, at }: ActionGrant): Promise<void> {
  const isHandedOn = await NoteModel.exists({ chat, event: 'transferred', createdAt: { $gt: new Date(at) } });
  if (isHandedOn && (await ChatModel.exists({ _id: chat, passedBy: user }))) throw expired();
}

const expired = () => unauthorized(sentence('This button has expired.'), 'ACTION_EXPIRED');

async function callerOf({ user, session, device }: ActionGrant, { sessions }: ActionDeps): Promise<Caller | null> {
  const caller = await sessions.find(session);
  if (!caller?.user._id.equals(user)) return null;
  return (await PushModel.exists({ _id: device, user, session })) ? caller : null;
}

/** A press of the button with a canned reply. */
interface Press {
  access: ChatAccess;
  caller: Caller;
  grant: ActionGrant & Required<Pick<ActionGrant, 'reply'>>;
}

/** Sends the canned reply once. The presser does not see the thread, so a chat that a colleague has is left to him. */
async function sendReply({ limits, usage }: ActionDeps, press: Press): Promise<void> {
  const { access, caller, grant } = press;
  const senderKey = `u:${caller.user._id}`;
  const clientId = clientIdOf(grant);
  // A repeated press must neither claim a chat again that was handed back, nor ask for a reply that was deleted since.
  if (await MessageModel.exists({ senderKey, clientId })) return;
  const content = await textOf(press);
  await limits.take('staffMessagesPerAccount', grant.user);
  await refuseIfFull(usage, access.site, senderKey, { clientId, content });
  const chat = await claimChat(access, caller);
  await answerChat({ ...access, chat }, caller, { clientId, content }).catch((error) => {
    // A press at the same moment, when the visitor had another name, has sent it.
    if (!(error instanceof AppError && error.code === 'ID_CONFLICT')) throw error;
  });
}

async function textOf({ access: { chat, site }, caller: { user }, grant: { reply } }: Press): Promise<string> {
  const found = await ReplyModel.findOne({ _id: reply.id, site: site._id }).lean<ReplyDoc>();
  const isSame = found && isQuick(found, user) && digestOf(found) === reply.digest;
  const text = isSame ? quickText(found, { chat, site, user }) : null;
  if (text === null) throw conflict('REPLY_CHANGED', sentence('This canned reply was changed meanwhile.'));
  return text;
}
