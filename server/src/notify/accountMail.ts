import { type UserDoc, UserModel } from '../auth/model.ts';
import type { Mail } from '../mail/mail.ts';
import { mailName } from '../mail/template.ts';
import { INVITE_DAYS } from '../team/contract.ts';
import type { Invited } from '../team/model.ts';

/** Mails an invite's link to the invited person. */
export async function mailInvite(mail: Mail, { invite, site, inviter }: Invited): Promise<void> {
  const { _id, email, role } = invite;
  const who = mailName(inviter.name, 'Somebody');
  const where = mailName(site.name, 'a website');
  await mail.send(
    {
      kind: 'invite',
      to: email,
      subject: `${who} invited you to the team of ${where}`,
      text: [
        `${who} (${inviter.email}) invited you to answer chats of ${where} in Parley, with the role ${role}.`,
        `The link works once, only for this email address, and expires in ${INVITE_DAYS} days.`,
      ],
      action: { label: 'See the invite', path: `/invite/${_id}` },
      footer:
        'You get this mail because someone invited this address. If you do not know this person, ignore this mail.',
      behalf: { site: site._id.toHexString(), account: inviter._id.toHexString() },
      about: [site._id.toHexString()],
    },
    `invite:${_id}`,
  );
}

const TWO_FACTOR_MAILS = {
  on: {
    subject: 'Two-factor authentication is on',
    text: 'From now on, you need a code from your authenticator app, or a recovery code, to sign in.',
  },
  off: {
    subject: 'Two-factor authentication is off',
    text: 'From now on, you only need your password to sign in.',
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
    'If this was not you, choose a new password now and contact the administrator of this server.',
  ]);
}

/** Mails an account's owner that it has a new API key, for the same reason. */
export async function mailApiKeyNotice(mail: Mail, userId: string, name: string): Promise<void> {
  await mailSecurityNotice(mail, userId, 'A new API key was created', [
    `Programs can now use your account with the API key ${mailName(name, 'without a name')}.`,
    'If this was not you, choose a new password now, and then revoke the key in the settings under Security: a new password does not end it.',
  ]);
}

async function mailSecurityNotice(mail: Mail, userId: string, subject: string, text: string[]): Promise<void> {
  const user = await UserModel.findById(userId, { email: 1 }).lean<Pick<UserDoc, 'email'>>();
  if (!user) return;
  await mail.send({
    kind: 'security',
    to: user.email,
    subject,
    text,
    action: { label: 'Choose a new password', path: '/forgot' },
    footer: 'You get this mail because the security settings of your account were changed.',
    behalf: { account: userId },
  });
}
