import { model, Schema, type Types } from 'mongoose';

const DAY_S = 86_400;
/** How long the trail reaches back. */
const KEPT_DAYS = 400;

/** One entry of the audit trail: who did what to whom, where and when. It holds ids and names of things, never their content. */
export interface AuditDoc {
  _id: Types.ObjectId;
  at: Date;
  action: string;
  /** The user who did it; null: nobody who is signed in. */
  actor: Types.ObjectId | null;
  site: Types.ObjectId | null;
  /** The user, or visitor, to whom it was done. */
  subject: Types.ObjectId | null;
  detail?: { role?: string; reason?: string; fields?: string[] };
}

const auditSchema = new Schema<AuditDoc>(
  {
    at: { type: Date, required: true },
    action: { type: String, required: true },
    actor: { type: Schema.Types.ObjectId, default: null },
    site: { type: Schema.Types.ObjectId, default: null },
    subject: { type: Schema.Types.ObjectId, default: null },
    detail: { role: String, reason: String, fields: { type: [String], default: undefined } },
  },
  { versionKey: false },
);
auditSchema.index({ at: 1 }, { expireAfterSeconds: KEPT_DAYS * DAY_S });

export const AuditModel = model<AuditDoc>('Audit', auditSchema, 'audit');
