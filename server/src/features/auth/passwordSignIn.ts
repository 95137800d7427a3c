import type { OidcSettings } from '#platform/env';
import { forbidden, sentence } from '#platform/http';
import { type UserDoc, UserModel } from './model.ts';

/** The OpenID Connect provider; null: there is none. */
export type Provider = Pick<OidcSettings, 'name' | 'only'> | null;

/**
 * Where people sign in with the provider only, checks that this account may use a password all the same: a platform admin who has
 * never signed in with the provider may, and so may the last one, so that a provider that fails locks nobody out for good.
 * @param user null: nobody in particular
 * @throws AppError 403
 */
export async function mustUsePasswords(provider: Provider, user: UserDoc | null): Promise<void> {
  if (!provider?.only) return;
  if (user?.role === 'parley_admin' && (!user.oidc || (await isLastAdmin(user)))) return;
  throw passwordsOff(provider);
}

/** Whether no other platform admin could sign in. */
async function isLastAdmin({ _id }: UserDoc): Promise<boolean> {
  const living = { suspendedAt: null, deletedAt: null };
  return (await UserModel.exists({ role: 'parley_admin', _id: { $ne: _id }, ...living })) === null;
}

/** 403: passwords are switched off. */
export function passwordsOff({ name }: NonNullable<Provider>) {
  return forbidden(
    'PASSWORDS_OFF',
    sentence('This server does not use passwords. Please sign in with {name}.', { name }),
  );
}
