import { createStorage } from 'browser/storage';

/** Prefixes of keys with private data, such as drafts, which the next user of this computer must not see. */
const PRIVATE_PREFIXES = ['parley_draft', 'parley_recent'];

/** `localStorage`: permanent, and shared by all tabs. */
export const localStore = createStorage(() => window.localStorage);
/** `sessionStorage`: kept until the tab is closed. */
export const sessionStore = createStorage(() => window.sessionStorage);

/** Removes what is private, at log-out. Unsent messages stay: they are sent after the next log-in. */
export function wipePrivate(): void {
  for (const key of PRIVATE_PREFIXES.flatMap(localStore.keys)) localStore.remove(key);
}
