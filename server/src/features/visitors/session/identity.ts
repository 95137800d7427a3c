import { createSecretKey } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { EMAIL_MAX_LENGTH } from '#features/auth/contract';
import { openIdentitySecret, type SiteDoc } from '#features/sites';
import {
  AppError,
  type InputSchema,
  inEnglish,
  partsOf,
  sentence,
  type TranslatableText,
  text,
  validate,
} from '#platform/http';
import type { SecretBox } from '#platform/secrets';
import { HOUR_S } from '#platform/time';
import {
  IDENTITY_TOKEN_MAX_HOURS,
  type IdentityBody,
  USER_ID_MAX_LENGTH,
  VISITOR_NAME_MAX_LENGTH,
} from '../contract.ts';

const ALGORITHM = 'HS256';
/** Allowed clock difference to the website's server. */
const CLOCK_LEEWAY_S = 60;
const UNPROCESSABLE = 422;

/** The identity that a website's server has proved; name and address only where the token has them. */
export interface VerifiedIdentity {
  userId: string;
  name?: string;
  email?: string;
}

interface IdentityDeps {
  secretBox: SecretBox;
  now: () => number;
}

/** The claims that are read; all others are ignored. */
const claimSchema: InputSchema = {
  sub: text({ label: 'sub', max: USER_ID_MAX_LENGTH }),
  name: text({ label: 'name', max: VISITOR_NAME_MAX_LENGTH, optional: true }),
  email: {
    ...text({ label: 'email', max: EMAIL_MAX_LENGTH, optional: true }),
    isEmail: { errorMessage: sentence('email must be an email address') },
  },
};

/**
 * Verifies an identity token (RFC 7519: a JWT signed with the site's identity secret, HS256 only).
 * @returns null where there is no token and the site does not require one
 * @throws AppError 422 for a token that is missing although the site requires one, forged, another site's, expired, or
 *   valid for more than a day, whose claims break a rule, or whose `sub` differs from the `id` sent with it
 */
export async function verifyIdentity(
  site: SiteDoc,
  identity: IdentityBody | undefined,
  { secretBox, now }: IdentityDeps,
): Promise<VerifiedIdentity | null> {
  if (identity === undefined) return null;
  if (identity.token === undefined) {
    if (site.settings.identityVerification)
      throw refused('IDENTITY_TOKEN_REQUIRED', sentence('This website only accepts signed identity tokens.'));
    return null;
  }
  const claims = claimsOf(identity.token, openIdentitySecret(secretBox, site), Math.floor(now() / 1000));
  const { sub: userId, ...names } = (await validate(claimSchema, claims)) as Omit<VerifiedIdentity, 'userId'> & {
    sub: string;
  };
  if (identity.id !== undefined && identity.id !== userId)
    throw refused('IDENTITY_MISMATCH', sentence('The id does not match the identity token.'));
  return { userId, ...names };
}

function claimsOf(token: string, secret: string | null, clockTimestamp: number): jwt.JwtPayload {
  const claims = secret === null ? null : verified(token, secret, clockTimestamp);
  if (claims === null || typeof claims === 'string')
    throw refused(
      'IDENTITY_TOKEN_INVALID',
      sentence("The identity token must be signed with this site's secret and HS256."),
    );
  const { exp } = claims;
  if (exp === undefined || exp > clockTimestamp + IDENTITY_TOKEN_MAX_HOURS * HOUR_S + CLOCK_LEEWAY_S)
    throw refused(
      'IDENTITY_TOKEN_TOO_LONG',
      sentence('The identity token must have an exp that is at most {max} hours in the future.', {
        max: IDENTITY_TOKEN_MAX_HOURS,
      }),
    );
  return claims;
}

function verified(token: string, secret: string, clockTimestamp: number): jwt.JwtPayload | string | null {
  try {
    // A key object: given a string, the library first tries slowly to parse it as a public key.
    const key = createSecretKey(secret, 'utf8');
    return jwt.verify(token, key, { algorithms: [ALGORITHM], clockTimestamp, clockTolerance: CLOCK_LEEWAY_S });
  } catch (error) {
    if (error instanceof jwt.TokenExpiredError)
      throw refused('IDENTITY_TOKEN_EXPIRED', sentence('The identity token has expired.'));
    return null;
  }
}

/** @returns a 422 whose code the website's developer can search for */
function refused(code: string, reason: TranslatableText): AppError {
  const fault = { msg: inEnglish(reason), ...partsOf(reason), path: 'identity.token' };
  return new AppError(UNPROCESSABLE, code, reason, { errors: [fault] });
}
