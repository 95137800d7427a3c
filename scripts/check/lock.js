import { hostedEntries, missingEntries, readLock } from '../lock.js';

/** The lock file is complete for every platform and names no registry. */
export function lock() {
  const content = readLock();
  const missing = [...missingEntries(content).keys()].map(
    (place) => `package-lock.json lacks ${place}: node scripts/lock.js`,
  );
  const hosted = hostedEntries(content).map((place) => `package-lock.json names a registry at ${place}`);
  return { problems: [...missing, ...hosted] };
}
