import { hostedEntries, missingEntries, readLock, readManifests, unlockedAsks, unverifiedEntries } from '../lock.js';

/** The lock file is complete for every platform, has a hash of every package, agrees with every package.json, and names no registry. */
export function lock() {
  const content = readLock();
  const missing = [...missingEntries(content).keys()].map(
    (place) => `package-lock.json lacks ${place}: node scripts/lock.js`,
  );
  const hosted = hostedEntries(content).map((place) => `package-lock.json names a registry at ${place}`);
  const unverified = unverifiedEntries(content).map(
    (place) => `package-lock.json has no hash of ${place}: node scripts/lock.js`,
  );
  const unlocked = unlockedAsks(content, readManifests());
  const changed = unlocked.map(
    (ask) => `package-lock.json differs from package.json, ${ask}: npm install, then node scripts/lock.js`,
  );
  return { problems: [...missing, ...hosted, ...unverified, ...changed] };
}
