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
      subject: `${who} invites you to answer chats of ${where}`,
      text: [
        `${who} (${inviter.email}) invites you to the team of ${where} on Parley, as ${role}.`,
        `The link works once, for ${INVITE_DAYS} days, and for this address.`,
      ],
      action: { label: 'See the invite', path: `/invite/${_id}` },
      footer: 'You get this mail because somebody typed your address in. If you do not know the person, do nothing.',
      behalf: { site: site._id.toHexString(), account: inviter._id.toHexString() },
      about: [site._id.toHexString()],
    },
    `invite:${_id}`,
  );
}

const TWO_FACTOR_MAILS = {
  on: {
    subject: 'Two-factor authentication is on',
    text: 'From now on, signing in to your account asks for a code of your authenticator app, or for a recovery code.',
  },
  off: {
    subject: 'Two-factor authentication is off',
    text: 'From now on, signing in to your account asks for your password alone.',
  },
} as const;

/** Mails an account's owner that two-factor sign-in was switched on or off, so that a change by somebody else is noticed. */
export async function mailTwoFactorNotice(
  mail: Mail,
  userId: string,
  is: keyof typeof TWO_FACTOR_MAILS,
): Promise<void> {
  const user = await UserModel.findById(userId, { email: 1 }).lean<Pick<UserDoc, 'email'>>();
  if (!user) return;
  const { subject, text } = TWO_FACTOR_MAILS[is];
  await mail.send({
    kind: 'security',
    to: user.email,
    subject,
    text: [text, 'If it was not you, choose a new password now, and ask whoever runs this server for help.'],
    action: { label: 'Choose a new password', path: '/forgot' },
    footer: 'You get this mail because the security settings of your account were changed.',
  });
}
