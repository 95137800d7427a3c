/** How long tabs wait for each other's entry. */
const TURN_MS = 150;

/** An entry of the storage that all tabs have: the time of the last sound in milliseconds, and a random number. */
interface Entry {
  read: () => string;
  write: (value: string) => void;
}

/**
 * Makes a sound in one of the tabs that call this at the same time, where the browser has no Web Locks (on pages without TLS):
 * each tab writes the entry, and the last one to write makes the sound.
 * @param quietMs no tab makes another sound within this time
 */
export function soundInLastTab({ read, write }: Entry, quietMs: number, sound: () => void): void {
  const since = Date.now() - Number.parseInt(read() || '0', 10);
  if (since >= TURN_MS && since < quietMs) return;
  const name = `${Date.now()} ${Math.random()}`;
  write(name);
  setTimeout(() => read() === name && sound(), TURN_MS);
}
