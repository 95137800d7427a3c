import { type UserDoc, UserModel } from '../auth/model.ts';
import type { Mail } from '../mail/mail.ts';

const SAID = {
  on: {
    subject: 'Two-factor authentication is on',
    text: 'From now on, signing in to your account asks for a code of your authenticator app, or for a recovery code.',
  },
  off: {
    subject: 'Two-factor authentication is off',
    text: 'From now on, signing in to your account asks for your password alone.',
  },
} as const;

/** Mails an account's owner that its second step was switched, so that it is noticed when somebody else did it. */
export async function mailTwoFactorNotice(mail: Mail, userId: string, is: keyof typeof SAID): Promise<void> {
  const user = await UserModel.findById(userId, { email: 1 }).lean<Pick<UserDoc, 'email'>>();
  if (!user) return;
  const { subject, text } = SAID[is];
  await mail.send({
    kind: 'security',
    to: user.email,
    subject,
    text: [text, 'If it was not you, choose a new password now, and ask whoever runs this server for help.'],
    action: { label: 'Choose a new password', path: '/forgot' },
    footer: 'You get this mail because the security settings of your account were changed.',
  });
}
