import type { Types } from 'mongoose';
import type { PlatformRole } from '../auth/contract.ts';

declare module '../bus.ts' {
  interface Facts {
    /** Nobody is let into the account any more, and its sessions are over. */
    accountSuspended: { userId: string; by: Types.ObjectId };
    accountRestored: { userId: string; by: Types.ObjectId };
    platformRoleChanged: { userId: string; role: PlatformRole; by: Types.ObjectId };
  }
}
