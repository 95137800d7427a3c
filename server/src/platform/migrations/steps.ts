import { unnumberedData } from './0001-unnumbered-data.ts';
import { sealedIdentitySecrets } from './0002-sealed-identity-secrets.ts';
import type { Step } from './step.ts';

/** All steps, in order. A new one comes last; one that was released never changes, and the oldest ones may go one day. */
export const STEPS: Step[] = [unnumberedData, sealedIdentitySecrets];

/**
 * The version of the last release's data: nodes of that release may run beside this code, earlier ones may not. It is raised
 * with each release, when the release's data folder is stored for the tests (see CONTRIBUTING.md).
 */
export const LAST_RELEASE = 0;

/** The version of the data that this code writes. */
export const versionOf = (steps: Step[]): number => steps.at(-1)?.version ?? 0;
/** The version of the oldest data that the steps can bring to the newest. */
export const oldestOf = (steps: Step[]): number => (steps[0]?.version ?? 1) - 1;

export const DATA_VERSION = versionOf(STEPS);
