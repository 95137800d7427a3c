import { Schema, Types } from 'mongoose';
import type { UserDoc } from '#features/auth';
import { crossesNodesWithSite, type SiteDoc } from '#features/sites';
import { defineModel, deleteInBatches } from '#platform/database';
import { events } from '#platform/events';
import { SITE_ROLES, type SiteRole } from './contract.ts';

/** An invite was made, or made again with a new link, and has to be mailed. */
export interface Invited {
  invite: InviteDoc;
  site: SiteDoc;
  inviter: UserDoc;
}

declare module '#platform/events' {
  interface Events {
    /** A person joined or got another role; `site` is the state after the change. */
    memberChanged: { site: SiteDoc; userId: string; by: Types.ObjectId };
    memberRemoved: { site: SiteDoc; userId: string; by: Types.ObjectId };
    /** `site` is the state after the change. */
    siteHandedOver: { site: SiteDoc; by: Types.ObjectId };
    invited: Invited;
    invitesChanged: { siteId: string; what: 'sent' | 'revoked' | 'accepted'; by: Types.ObjectId };
  }
}

for (const name of ['memberChanged', 'memberRemoved', 'siteHandedOver'] as const) crossesNodesWithSite(name);
events.crossesNodes('invitesChanged', {
  encode: ({ by, ...rest }) => ({ ...rest, by: by.toHexString() }),
  decode: ({ by, ...rest }) => ({ ...rest, by: new Types.ObjectId(by) }),
});

/** An invite as stored; its id is the secret of the link. */
export interface InviteDoc {
  _id: string;
  site: Types.ObjectId;
  email: string;
  role: SiteRole;
  invitedBy: Types.ObjectId;
  createdAt: Date;
  expiresAt: Date;
  /** A claim: set while a person is being taken into the team, so that only one can use the link. */
  acceptedBy: Types.ObjectId | null;
}

/** How long an expired invite is kept, so that its page can still say what happened. */
const REMEMBERED_S = 30 * 86_400;

const inviteSchema = new Schema<InviteDoc>(
  {
    _id: { type: String, required: true },
    site: { type: Schema.Types.ObjectId, required: true },
    email: { type: String, required: true },
    role: { type: String, enum: SITE_ROLES, required: true },
    invitedBy: { type: Schema.Types.ObjectId, required: true },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    acceptedBy: { type: Schema.Types.ObjectId, default: null },
  },
  { versionKey: false },
);
inviteSchema.index({ site: 1, email: 1 }, { unique: true });
inviteSchema.index({ invitedBy: 1, site: 1 });
inviteSchema.index({ expiresAt: 1 }, { expireAfterSeconds: REMEMBERED_S });
export const InviteModel = defineModel<InviteDoc>('Invite', inviteSchema, 'invites');

/** Removes the open invites of a person who may not invite any more: on one site, or on all. */
export async function removeInvitesBy(invitedBy: Types.ObjectId, site?: Types.ObjectId): Promise<void> {
  await InviteModel.deleteMany({ invitedBy, ...(site ? { site } : {}) });
}

/** Removes all invites of a deleted site. */
export async function purgeInvites(site: Types.ObjectId, signal?: AbortSignal): Promise<void> {
  await deleteInBatches(InviteModel, { site }, signal);
}
