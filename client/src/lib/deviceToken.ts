import { DEVICE_KEY } from 'server/contract';
import { localStore } from './storage.ts';

const BYTES = 24;
const SHAPE = /^[\w-]{32,100}$/;

/**
 * A random token that identifies this browser at sign-in, created once. It outlives the session and grants no access:
 * the server's limit for wrong passwords does not lock out a browser that it knows.
 */
function deviceToken(): string {
  const kept = localStore.get(DEVICE_KEY);
  if (kept !== null && SHAPE.test(kept)) return kept;
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  const made = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  localStore.set(DEVICE_KEY, made);
  return made;
}

/** Adds this browser's device token to a sign-in form. */
export function withDevice<Form extends object>(form: Form): Form & { deviceToken: string } {
  return { ...form, deviceToken: deviceToken() };
}
