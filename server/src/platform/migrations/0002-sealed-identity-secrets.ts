import type { mongo } from 'mongoose';
import type { Step, StepContext } from './step.ts';

interface SiteDoc {
  _id: mongo.ObjectId;
  identitySecret?: string;
}

const BATCH = 500;

/** Versions before stored the secrets of sites as plain text, and know no other form. */
export const sealedIdentitySecrets: Step = {
  version: 2,
  name: "seal the sites' identity secrets",
  async after({ db, seal }: StepContext) {
    const sites = db.collection<SiteDoc>('sites');
    for (;;) {
      const plain = await sites
        .find({ identitySecret: { $exists: true } })
        .limit(BATCH)
        .toArray();
      if (plain.length === 0) return;
      for (const { _id, identitySecret = '' } of plain)
        await sites.updateOne(
          // Another one may have been made meanwhile.
          { _id, identitySecret },
          { $set: { sealedIdentity: seal(identitySecret, _id.toHexString()) }, $unset: { identitySecret: 1 } },
        );
    }
  },
};
