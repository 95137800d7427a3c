export type { Builds } from './builds.ts';
export { createReleases, type Releases } from './releases.ts';
