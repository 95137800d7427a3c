import { type SessionDoc, SessionModel, UserModel } from '#features/auth';
import { badRequest, sentence } from '#platform/http';
import { MINUTE_MS } from '#platform/time';
import { keepOnce } from './once.ts';
import type { Logout } from './provider.ts';
import { type OidcDeps, providerOf } from './signIn.ts';

/** Longer than a logout token is accepted, with the difference of the clocks. */
const TOKEN_KEPT_MS = 10 * MINUTE_MS;

/**
 * Ends sessions at the word of the provider, on all nodes and with their sockets: one of the provider's sessions where the token
 * names it, else all that the person opened with the provider. Sessions opened with a password stay.
 * @param address where the request comes from, as `addressKey` makes it
 * @throws AppError 400 for a token that is not valid or was used before, 429
 * @see https://openid.net/specs/openid-connect-backchannel-1_0.html#Validation
 */
export async function endByProvider(deps: OidcDeps, token: string, address: string): Promise<void> {
  const { limits, log, sessions, now } = deps;
  const oidc = providerOf(deps);
  await limits.check('oidcLogoutsPerAddress', address);
  const refused = async (err: unknown) => {
    log.warn({ err }, 'A logout token of the OpenID Connect provider was refused');
    await limits.take('oidcLogoutsPerAddress', address);
    return badRequest('INVALID_LOGOUT_TOKEN', sentence('This logout token is not valid.'));
  };
  const logout = await oidc.readLogout(token).catch(async (error) => {
    throw await refused(error);
  });
  if (!(await keepOnce('logout', `${logout.issuer} ${logout.jti}`, '', now() + TOKEN_KEPT_MS)))
    throw await refused(new Error('used before'));
  for (const { _id, user } of await sessionsOf(logout)) await sessions.end(user, _id.toHexString(), 'signed_out');
}

async function sessionsOf({ issuer, subject, sid }: Logout): Promise<SessionDoc[]> {
  if (subject === null) return SessionModel.find({ oidcSid: sid ?? '' }).lean<SessionDoc[]>();
  const user = await UserModel.findOne({ 'oidc.subject': subject, 'oidc.issuer': issuer }, { _id: 1 }).lean();
  const all = user ? await SessionModel.find({ user: user._id }).lean<SessionDoc[]>() : [];
  // Of a session for which the provider named none, it is not known that another one is meant.
  const isMeant = (of: string) => sid === null || of === sid || of === '';
  return all.filter(({ oidcSid }) => oidcSid !== undefined && isMeant(oidcSid));
}
