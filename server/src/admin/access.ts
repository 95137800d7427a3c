import { type UserDoc, UserModel } from '../auth/model.ts';
import type { Caller } from '../auth/sessions.ts';
import { forbidden, notFound } from '../http/errors.ts';

/** The guard of the platform's calls. It opens no site and no chat: those ask for membership. @throws AppError 403 */
export async function platformAdmin({ user }: Caller): Promise<void> {
  if (user.role !== 'parley_admin') throw forbidden();
}

/** An account for a platform admin. @throws AppError 403, 404 */
export async function accountFor(caller: Caller, { id }: { id: string }): Promise<UserDoc> {
  await platformAdmin(caller);
  const account = await UserModel.findOne({ _id: id, deletedAt: null }).lean<UserDoc>();
  if (!account) throw notFound('user');
  return account;
}
