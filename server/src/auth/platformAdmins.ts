import type { Mail } from '../mail/mail.ts';
import type { MailDraft } from '../mail/texts.ts';
import { type UserDoc, UserModel } from './model.ts';

/** What every platform admin is mailed. */
interface AdminMail {
  /** Without the address. */
  content: Omit<MailDraft, 'to'>;
  /** Mails with the same key are sent to each admin once. */
  key: string;
}

/**
 * Queues a mail to everybody who administers this Parley: they have to hear of what stops it from doing its work. Without a
 * mail server it does nothing.
 */
export async function mailPlatformAdmins(mail: Mail, { content, key }: AdminMail): Promise<void> {
  if (!mail.enabled) return;
  const admins = await UserModel.find({ role: 'parley_admin', deletedAt: null }, { email: 1, language: 1 }).lean<
    Pick<UserDoc, '_id' | 'email' | 'language'>[]
  >();
  for (const { _id, email, language } of admins) await mail.send({ ...content, to: email, language }, `${key}:${_id}`);
}
