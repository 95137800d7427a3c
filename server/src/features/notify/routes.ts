import type { Router } from 'express';
import { emailField, type SignedInGuard, type UserDoc } from '#features/auth';
import { chatFor } from '#features/chats';
import { requirement, sitesOf } from '#features/sites';
import {
  anyPage,
  createVisitorGuard,
  ownChat,
  type ResumeLinks,
  storeAnswers,
  type VisitorAccess,
  visitorSite,
  widgetSite,
} from '#features/visitors';
import {
  AppError,
  addressKey,
  conflict,
  endpoints,
  guard,
  type InputSchema,
  idField,
  inEnglish,
  invalid,
  sentence,
  type TranslatableText,
  text,
} from '#platform/http';
import { type Mail, type MailDraft, mailboxOf, mailFailure, mailText } from '#platform/mail';
import { type ActionDeps, doAction } from './actions.ts';
import type { NotifyApi } from './contract.ts';
import { readMentions, unreadMentions } from './mentions.ts';
import { transcriptMail } from './visitorMail.ts';

const TOKEN_MAX_LENGTH = 1_000;

const transcriptSchema: InputSchema = { chatId: idField('chatId'), email: emailField({ optional: true }) };
const tokenSchema: InputSchema = { token: text({ label: 'token', max: TOKEN_MAX_LENGTH }) };

/** A service worker has no session token: the caller is an address. */
const fromAddress = guard('anyone', ({ ip }) => addressKey(ip));

interface NotifyRouteDeps extends ActionDeps {
  signedIn: SignedInGuard;
  mail: Mail;
  links: ResumeLinks;
}

/** The calls about mentions, notifications and mail. */
export function notifyRoutes(deps: NotifyRouteDeps): Router {
  const { signedIn: authenticate, limits, mail, links } = deps;
  const { router, on } = endpoints<NotifyApi>();
  const { orKey } = authenticate;

  on('GET /mentions', { authenticate: orKey.read }, async ({ caller }) => ({
    data: { mentions: await unreadMentions(caller.user._id, await sitesOf(caller)) },
  }));

  on(
    'POST /chats/:id/mentions/read',
    { authenticate: orKey.reply, authorize: requirement(chatFor)('chats.read') },
    async ({ access, caller }) => {
      await readMentions(caller.user._id, access.chat._id);
      return { data: {} };
    },
  );

  on('POST /notifications/actions', { authenticate: fromAddress, body: tokenSchema }, async ({ caller, body }) => {
    await limits.take('notificationActionsPerAddress', caller);
    return { message: inEnglish(await doAction(deps, body.token)), data: {} };
  });

  on('POST /self-check/mail', { authenticate }, async ({ caller: { user } }) => {
    await limits.take('selfCheckPerAccount', user._id.toHexString());
    if (!mail.enabled) throw mailOff(sentence('This server cannot send mail: SMTP_URL is not set.'));
    await mail.sendNow(testMail(user)).catch((error) => {
      throw mailFailure(error);
    });
    return { data: { to: user.email } };
  });

  on(
    'POST /widget/:widgetCode/transcript',
    {
      authenticate: createVisitorGuard(limits),
      authorize: ({ visitor, origin }, { widgetCode }) => visitorSite(visitor, widgetCode, origin),
      body: transcriptSchema,
    },
    async ({ access, body, req }) => {
      const { visitor, site } = access;
      const chat = await ownChat(access, body.chatId);
      if (!mail.enabled) throw mailOff(sentence('Mails cannot be sent right now.'));
      if (!chat.firstResponseAt && !chat.assistant?.answers)
        throw conflict('NOT_ANSWERED', sentence('This chat has no answer yet.'));
      if (!(body.email ?? visitor.email))
        throw invalid([{ msg: sentence('Please enter a valid email address'), path: 'email' }]);
      await limits.take('transcriptsPerIp', addressKey(req.ip));
      await limits.take('transcriptsPerVisitor', visitor._id.toHexString());
      const to = await ownAddress(access, body.email);
      await limits.take('transcriptsPerChat', `${chat._id}:${mailboxOf(to)}`).catch(wasSent);
      await limits.take('transcriptsPerAddress', mailboxOf(to));
      await mail.send(await transcriptMail(chat, site, { to, language: visitor.speaks }));
      return { message: 'The copy is on its way', data: {} };
    },
  );

  on(
    'POST /widget/:widgetCode/resume',
    {
      authenticate: anyPage,
      authorize: ({ origin }, { widgetCode }) => widgetSite(widgetCode, origin),
      body: tokenSchema,
    },
    async ({ access, body, req }) => {
      await limits.take('visitorPerIp', addressKey(req.ip));
      return { data: { visitorToken: await links.redeem(body.token, access) } };
    },
  );

  return router;
}

const mailOff = (reason: TranslatableText) => conflict('MAIL_OFF', reason);

function wasSent(error: unknown): never {
  if (error instanceof AppError)
    throw conflict('TRANSCRIPT_SENT', sentence('A copy of this chat was already sent to this address.'));
  throw error;
}

/**
 * The visitor's own address, the only one that a copy is sent to. A typed address is stored as unverified, for the team to
 * see; it never replaces the address of a verified visitor.
 * @throws AppError 409 `ANOTHER_ADDRESS`
 */
async function ownAddress(access: VisitorAccess, typed: string | undefined): Promise<string> {
  const { email } = access.visitor;
  const { visitor } = typed === undefined || typed === email ? access : await storeAnswers(access, { email: typed });
  if (!visitor.email || (typed !== undefined && visitor.email !== typed))
    throw conflict(
      'ANOTHER_ADDRESS',
      sentence('The copy can only be sent to {email}.', { email: visitor.email ?? '' }),
    );
  return visitor.email;
}

const testMail = ({ _id, email, language }: UserDoc): MailDraft => ({
  kind: 'test',
  to: email,
  language,
  subject: mailText('Parley can reach you'),
  text: [mailText('This is the test mail you asked for. Sending mail works.')],
  footer: mailText('You get this mail because you checked your notifications in Parley.'),
  behalf: { account: _id.toHexString() },
});
