import type { Types } from 'mongoose';

declare module '../bus.ts' {
  interface Facts {
    /** The launchers of this person's sites say something else. */
    buttonTextChanged: { owner: Types.ObjectId };
  }
}
