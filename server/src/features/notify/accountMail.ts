import { recipients, type UserDoc, UserModel } from '#features/auth';
import type { Invited } from '#features/team';
import { INVITE_DAYS } from '#features/team/contract';
import { type Mail, type MailDraft, type MailText, mailName, mailPlural, mailText } from '#platform/mail';

const ROLES = { admin: mailText('admin'), agent: mailText('agent'), viewer: mailText('viewer') };

/** Mails an invite's link to the invited person. */
export async function mailInvite(mail: Mail, { invite, site, inviter }: Invited): Promise<void> {
  const { _id, email, role } = invite;
  const account = await UserModel.findOne({ email, deletedAt: null }, { language: 1 }).lean<
    Pick<UserDoc, 'language'>
  >();
  const values = {
    who: mailName(inviter.name, mailText('Somebody')),
    email: inviter.email,
    site: mailName(site.name, mailText('a website')),
    role: ROLES[role],
  };
  await mail.send(
    {
      kind: 'invite',
      to: email,
      // A stranger hardly speaks another language than who invites.
      language: (account ?? inviter).language,
      subject: mailText('{who} invited you to the team of {site}', values),
      text: [
        mailText('{who} ({email}) invited you to answer chats of {site} in Parley, with the role {role}.', values),
        mailPlural(
          INVITE_DAYS,
          'The link works once, only for this email address, and expires in {count} day.',
          'The link works once, only for this email address, and expires in {count} days.',
        ),
      ],
      action: { label: mailText('See the invite'), path: `/invite/${_id}` },
      footer: mailText(
        'You get this mail because someone invited this address. If you do not know this person, ignore this mail.',
      ),
      behalf: { site: site._id.toHexString(), account: inviter._id.toHexString() },
      about: [site._id.toHexString()],
    },
    `invite:${_id}`,
  );
}

const TWO_FACTOR_MAILS = {
  on: {
    subject: mailText('Two-factor authentication is on'),
    text: mailText('From now on, you need a code from your authenticator app, or a recovery code, to sign in.'),
  },
  off: {
    subject: mailText('Two-factor authentication is off'),
    text: mailText('From now on, you only need your password to sign in.'),
  },
} as const;

/** Mails an account's owner that two-factor sign-in was switched on or off, so that a change by somebody else is noticed. */
export async function mailTwoFactorNotice(
  mail: Mail,
  userId: string,
  is: keyof typeof TWO_FACTOR_MAILS,
): Promise<void> {
  const { subject, text } = TWO_FACTOR_MAILS[is];
  await mailSecurityNotice(mail, userId, subject, [
    text,
    mailText('If this was not you, choose a new password now and contact the administrator of this server.'),
  ]);
}

/** Mails an account's owner that it has a new API key, for the same reason. */
export async function mailApiKeyNotice(mail: Mail, userId: string, name: string): Promise<void> {
  await mailSecurityNotice(mail, userId, mailText('A new API key was created'), [
    mailText('Programs can now use your account with the API key {name}.', {
      name: mailName(name, mailText('without a name')),
    }),
    mailText(
      'If this was not you, choose a new password now, and then revoke the key in the settings under Security: a new password does not end it.',
    ),
  ]);
}

/** Mails an account's owner that it has a new password. */
export async function mailPasswordNotice(mail: Mail, userId: string): Promise<void> {
  await mailSecurityNotice(mail, userId, mailText('Your password was changed'), [
    mailText('Your account has a new password, and was signed out on all other devices.'),
    mailText('If this was not you, choose a new password now and contact the administrator of this server.'),
  ]);
}

/** Mails the owner of an account's former address that it has another one. */
export async function mailAddressNotice(mail: Mail, userId: string, from: string): Promise<void> {
  const user = await UserModel.findById(userId, { email: 1, language: 1 }).lean<Pick<UserDoc, 'email' | 'language'>>();
  if (!user) return;
  const notice = securityNotice(userId, mailText('The email address of your account was changed'), [
    mailText('Your account uses another address from now on: {email}. This one no longer gets its mails.', {
      email: user.email,
    }),
    mailText('If this was not you, contact the administrator of this server.'),
  ]);
  await mail.send({ ...notice, to: from, language: user.language });
}

async function mailSecurityNotice(mail: Mail, userId: string, subject: MailText, text: MailText[]): Promise<void> {
  const [user] = await recipients({ _id: userId });
  if (!user) return;
  const action = { label: mailText('Choose a new password'), path: '/forgot' };
  await mail.send({ ...securityNotice(userId, subject, text), action, to: user.email, language: user.language });
}

function securityNotice(userId: string, subject: MailText, text: MailText[]): Omit<MailDraft, 'to'> {
  return {
    kind: 'security',
    subject,
    text,
    footer: mailText('You get this mail because the security settings of your account were changed.'),
    behalf: { account: userId },
    about: [userId],
  };
}
