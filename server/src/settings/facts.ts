import type { Types } from 'mongoose';

declare module '../bus.ts' {
  interface Facts {
    /** The launchers of this person's sites say something else, or their widgets show another logo. */
    launcherChanged: { owner: Types.ObjectId };
  }
}
