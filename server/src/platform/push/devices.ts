import { Schema, type Types } from 'mongoose';
import { defineModel, removeOne } from '#platform/database';
import { events } from '#platform/events';
import { sha256 } from '#platform/secrets';
import { PUSH_DEVICES_MAX, type PushDevice } from './contract.ts';

/** A device that receives push messages, as stored. */
export interface PushDoc extends Required<PushDevice> {
  /** The hash of the endpoint: one browser is one device, whichever account signs in there. */
  _id: string;
  user: Types.ObjectId;
  /** The session of the device: when it ends, the device is removed. */
  session: Types.ObjectId;
  /** When the browser was last active. */
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
export const PushModel = defineModel<PushDoc>('Push', pushSchema, 'pushes');

/** The id of the device with this endpoint. */
const deviceId = (endpoint: string) => sha256(new URL(endpoint).href);

/** The owner of a device. */
export interface DeviceOwner {
  user: Types.ObjectId;
  sessionId: string;
}

/**
 * Adds or updates a device. A browser belongs to the account that signed in there last.
 * @param now milliseconds
 * @returns whether the device is new
 */
export async function addDevice({ user, sessionId }: DeviceOwner, device: PushDevice, now: number): Promise<boolean> {
  const { endpoint, keys, preview = false } = device;
  const { upsertedCount } = await PushModel.updateOne(
    { _id: deviceId(endpoint) },
    { $set: { user, session: sessionId, endpoint: new URL(endpoint).href, keys, preview, seenAt: new Date(now) } },
    { upsert: true },
  );
  const tooMany = await PushModel.find({ user }, { _id: 1 })
    .sort({ seenAt: -1 })
    .skip(PUSH_DEVICES_MAX)
    .lean<Pick<PushDoc, '_id'>[]>();
  if (tooMany.length > 0) await PushModel.deleteMany({ _id: { $in: tooMany.map(({ _id }) => _id) } });
  return upsertedCount === 1;
}

/** Removes one of the user's devices. */
export async function removeDevice(user: Types.ObjectId, endpoint: string): Promise<void> {
  await removeOne(PushModel, { _id: deviceId(endpoint), user });
}

/** The devices of a user, the most recently active first. */
export function devicesOf(user: Types.ObjectId | string): Promise<PushDoc[]> {
  return PushModel.find({ user }).sort({ seenAt: -1 }).limit(PUSH_DEVICES_MAX).lean<PushDoc[]>().exec();
}

/** Removes all devices of a user. */
export async function forgetDevicesOf(user: Types.ObjectId): Promise<void> {
  await PushModel.deleteMany({ user });
}

/** Removes the devices of every session that ends. @returns a disposer */
export function forgetSignedOutDevices(): () => void {
  return events.on('sessionEnded', async ({ sessionId }) => {
    await PushModel.deleteMany({ session: sessionId });
  });
}
