import { PASSWORD_MAX_BYTES, PASSWORD_MIN_BYTES } from 'server/contract';

/** What is wrong with a new password, as far as a browser can tell. */
export function passwordFault(password: string): string | undefined {
  const bytes = new TextEncoder().encode(password).length;
  if (bytes === 0) return 'Choose a password';
  if (bytes < PASSWORD_MIN_BYTES) return `The password needs at least ${PASSWORD_MIN_BYTES} characters`;
  if (bytes > PASSWORD_MAX_BYTES) return `The password may have at most ${PASSWORD_MAX_BYTES} bytes`;
  return undefined;
}
