import { events } from '../events.ts';
import { type UserDoc, UserModel } from './model.ts';
import { makeResetLink } from './reset.ts';

/** A command that cannot be carried out; the message is shown to the operator. */
export class OperatorError extends Error {}

/**
 * Makes an account a platform admin.
 * @returns the sentence for the operator
 * @throws OperatorError for an unknown address
 */
export async function promote(email: string): Promise<string> {
  const { _id } = await accountOf(email);
  await UserModel.updateOne({ _id }, { $set: { role: 'parley_admin' } });
  await events.emit('accountPromoted', { userId: _id.toHexString() });
  return `${email} is now a platform admin.`;
}

/**
 * Makes a link by which the owner of an account chooses a new password.
 * @param origin what the link begins with
 * @param now milliseconds
 * @returns the sentence for the operator, with the link
 * @throws OperatorError for an unknown address
 */
export async function linkForReset(email: string, origin: string, now: number): Promise<string> {
  const { _id } = await accountOf(email);
  const path = await makeResetLink(_id, now);
  await events.emit('resetLinkMade', { userId: _id.toHexString(), by: 'operator' });
  return `This link sets a new password for ${email}. It works once and expires in one hour:\n\n  ${origin}${path}`;
}

/** The account with an e-mail address. @throws OperatorError for an unknown one */
export async function accountOf(email: string): Promise<UserDoc> {
  const user = await UserModel.findOne({ email, deletedAt: { $exists: false } }).lean<UserDoc>();
  if (!user) throw new OperatorError(`There is no account with the address ${email}.`);
  return user;
}
