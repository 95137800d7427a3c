import type { Confirmation } from '#features/auth/contract';

/** Recovery codes that an account gets at a time; each works once. */
export const RECOVERY_CODES = 10;

/** What an authenticator app needs for its set-up; shown only until the set-up is finished. */
export interface TwoFactorSetup {
  /** Base32, to be typed. */
  secret: string;
  /** `otpauth://` */
  uri: string;
  /** The link as a picture to scan: an SVG's data URL. */
  qr: string;
}

/** The form that switches the second step on: a first code of the app, and the password again. */
export interface EnableBody extends Pick<Confirmation, 'currentPassword'> {
  code: string;
}

/** The REST calls of the second step. */
export interface TwoFactorApi {
  'POST /auth/two-factor/setup': { data: TwoFactorSetup };
  'POST /auth/two-factor/enable': { body: EnableBody; data: { recoveryCodes: string[] } };
  'POST /auth/two-factor/disable': { body: Confirmation; data: Record<string, never> };
  'POST /auth/two-factor/recovery-codes': { body: Confirmation; data: { recoveryCodes: string[] } };
}
