import { localStore } from './storage.ts';

/** What its writer would not leave to the next person at this computer: half-written answers, and where one has been. */
const PRIVATE = ['parley_draft:', 'parley_recent'];

/** Takes what is private away, as when somebody logs out. Unsent messages stay: they are sent after the next log-in. */
export function forgetPrivate(): void {
  for (const key of PRIVATE.flatMap(localStore.keys)) localStore.remove(key);
}
