import { createHash } from 'node:crypto';
import { model, Schema, type Types } from 'mongoose';
import type { PushDevice } from './contract.ts';

/** A device that takes push messages, as stored. */
export interface PushDoc extends Required<PushDevice> {
  /** The hash of the endpoint: one browser is one device, whoever signs in there. */
  _id: string;
  user: Types.ObjectId;
  /** The session that the device belongs to: with it, it goes. */
  session: Types.ObjectId;
  /** When the browser showed itself last. */
  seenAt: Date;
}

const pushSchema = new Schema<PushDoc>(
  {
    _id: { type: String, required: true },
    user: { type: Schema.Types.ObjectId, required: true },
    session: { type: Schema.Types.ObjectId, required: true },
    endpoint: { type: String, required: true },
    keys: { p256dh: { type: String, required: true }, auth: { type: String, required: true } },
    preview: { type: Boolean, required: true },
    seenAt: { type: Date, required: true },
  },
  { versionKey: false },
);
pushSchema.index({ user: 1, seenAt: -1 });
pushSchema.index({ session: 1 });
export const PushModel = model<PushDoc>('Push', pushSchema, 'pushes');

/** Under which id the device with this endpoint is stored. */
export const deviceId = (endpoint: string) => createHash('sha256').update(new URL(endpoint).href).digest('base64url');
