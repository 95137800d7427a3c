import type { Feature } from '#app/feature';
import { removeOldReleases } from './model.ts';

/** Keeps the dashboard's and the widget's files of the last releases, for the pages that are open. */
export const releases: Feature = {
  async start({ releases, cluster }) {
    const { kept, stop } = releases.start(cluster === null);
    // This node's pages may ask another node for their files.
    await kept;
    return stop;
  },
  jobs: () => [removeOldReleases],
};
