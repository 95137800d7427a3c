import { DEVICE_KEY } from 'server/contract';
import { localStore } from './storage.ts';

const BYTES = 24;
const SHAPE = /^[\w-]{32,100}$/;

/**
 * What this browser is known by when it signs in again, made the first time. It outlives the session, and opens nothing:
 * the server does not let strangers' wrong passwords keep a browser out that it knows.
 */
function deviceToken(): string {
  const kept = localStore.get(DEVICE_KEY);
  if (kept !== null && SHAPE.test(kept)) return kept;
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  const made = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  localStore.set(DEVICE_KEY, made);
  return made;
}

/** A form that signs in, with the token of this browser. */
export function withDevice<Form extends object>(form: Form): Form & { deviceToken: string } {
  return { ...form, deviceToken: deviceToken() };
}
