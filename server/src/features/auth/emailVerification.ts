import { createHmac, createSecretKey } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { Types } from 'mongoose';
import { events } from '#platform/events';
import { AppError, conflict, type Limits, sentence } from '#platform/http';
import { type Mail, mailboxOf, mailText } from '#platform/mail';
import { DAY_S } from '#platform/time';
import { EMAIL_LINK_DAYS } from './contract.ts';
import { type UserDoc, UserModel } from './model.ts';
import type { Sessions } from './sessions.ts';

const ALGORITHM = 'HS256';

/** E-mail verification: makes and reads links that prove that the owner of an account reads its mailbox. */
export interface EmailLinks {
  /** The path on this server, with the token after `#`, which browsers do not send. */
  pathFor(user: UserDoc): string;
  /** @returns null when this server did not sign it, or it has expired */
  read(token: string): { user: string; email: string } | null;
}

/**
 * @param secret the tokens are signed with a key derived from it for this purpose, so that no other token is accepted as one.
 *   They are not stored, because strangers can ask for many
 */
export function createEmailLinks({ secret, now }: { secret: string; now: () => number }): EmailLinks {
  const key = createSecretKey(createHmac('sha256', secret).update('email link').digest());
  const seconds = () => Math.floor(now() / 1000);
  return {
    pathFor({ _id, email }) {
      const claims = { sub: _id.toHexString(), email, exp: seconds() + EMAIL_LINK_DAYS * DAY_S };
      return `/confirm#${jwt.sign(claims, key, { algorithm: ALGORITHM, noTimestamp: true })}`;
    },
    read(token) {
      try {
        const claims = jwt.verify(token, key, { algorithms: [ALGORITHM], clockTimestamp: seconds() });
        return typeof claims === 'object' ? { user: String(claims.sub), email: String(claims.email) } : null;
      } catch {
        return null;
      }
    },
  };
}

export interface EmailVerificationDeps {
  mail: Pick<Mail, 'enabled' | 'send'>;
  limits: Limits;
  emailLinks: EmailLinks;
  sessions: Sessions;
}

/** Mails the link to an account's address. @throws AppError 429 */
async function mailLink({ mail, limits, emailLinks }: EmailVerificationDeps, user: UserDoc): Promise<void> {
  const { _id, email } = user;
  await limits.take('emailLinksPerMailbox', mailboxOf(email));
  await mail.send({
    kind: 'address',
    to: email,
    language: user.language,
    subject: mailText('Confirm your email address'),
    text: [
      mailText('Somebody uses this address for an account of Parley: {email}.', { email }),
      mailText(
        'If this was you, confirm it, so that Parley may send you further mails. If not, ignore this mail: you get no others.',
      ),
    ],
    action: { label: mailText('Confirm the address'), path: emailLinks.pathFor(user) },
    footer: mailText('The link works for {days} days.', { days: EMAIL_LINK_DAYS }),
    behalf: { account: _id.toHexString() },
    about: [_id.toHexString()],
  });
}

/**
 * Asks the owner of a new address to prove it. Neither sign-up nor a change fails if that does not work: the dashboard goes on
 * asking, and can have the link sent again.
 */
export async function startEmailVerification(deps: EmailVerificationDeps, user: UserDoc): Promise<void> {
  if (!user.unprovedEmail) return;
  await mailLink(deps, user).catch((error) => {
    if (!(error instanceof AppError)) events.fail(error, 'mailing a link that proves an address');
  });
}

/** Mails the link once more. @throws AppError 409 where there is nothing to prove, or no mail; 429 */
export async function resendVerification(deps: EmailVerificationDeps, user: UserDoc): Promise<void> {
  if (!deps.mail.enabled) throw conflict('MAIL_OFF', sentence('Mails cannot be sent right now.'));
  if (!user.unprovedEmail) throw conflict('EMAIL_CONFIRMED', sentence('This address is already confirmed.'));
  await mailLink(deps, user);
}

/**
 * Proves an address by the token of its link; idempotent.
 * @returns the address
 * @throws AppError 409 for a link that is forged, too old, or of an address that the account no longer has
 */
export async function confirmEmail(deps: EmailVerificationDeps, token: string): Promise<string> {
  const link = deps.emailLinks.read(token);
  if (!link || !(await markVerified(deps, link.user, link.email)))
    throw conflict(
      'EMAIL_LINK_SPENT',
      sentence('This link was already used or has expired. Please ask for a new one.'),
    );
  return link.email;
}

/** Marks an address as verified. @returns whether the account still has it */
export async function markVerified(
  { sessions }: Pick<EmailVerificationDeps, 'sessions'>,
  userId: Types.ObjectId | string,
  email: string,
): Promise<boolean> {
  const before = await UserModel.findOneAndUpdate(
    { _id: userId, email, deletedAt: null },
    { $unset: { unprovedEmail: 1 } },
  ).lean<UserDoc>();
  if (!before?.unprovedEmail) return before !== null;
  const id = before._id.toHexString();
  sessions.forgetUser(id);
  await events.emit('accountChanged', { userId: id, fields: ['emailConfirmed'] });
  return true;
}
