import type { QueryFilter } from 'mongoose';
import type { Mail, MailDraft } from '#platform/mail';
import { type UserDoc, UserModel } from './model.ts';

/** The accounts among these that mails may reach: strangers cannot have mails sent to the address of somebody else. */
export function recipients(filter: QueryFilter<UserDoc>): Promise<UserDoc[]> {
  return UserModel.find({ ...filter, unprovedEmail: { $ne: true }, suspendedAt: null, deletedAt: null }).lean<
    UserDoc[]
  >();
}

/** What every platform admin is mailed. */
interface AdminMail {
  /** Without the address. */
  content: Omit<MailDraft, 'to'>;
  /** Mails with the same key are sent to each admin once. */
  key: string;
}

/**
 * Queues a mail to all platform admins about a failure that they have to mend. Without a
 * mail server it does nothing.
 */
export async function mailPlatformAdmins(mail: Mail, { content, key }: AdminMail): Promise<void> {
  if (!mail.enabled) return;
  for (const { _id, email, language } of await recipients({ role: 'parley_admin' }))
    await mail.send({ ...content, to: email, language }, `${key}:${_id}`);
}
