import { Schema } from 'mongoose';
import { defineModel, removeOne } from '#platform/database';
import { duplicateKey } from '#platform/http';
import { sha256 } from '#platform/secrets';

/** What can be used once and expires: shared by all nodes, and never held in the memory of one. */
interface OnceDoc {
  /** A hash of its kind and of the token that names it. */
  _id: string;
  /** Sealed, as it has the secrets of sign-ins. */
  content: string;
  expiresAt: Date;
}

const onceSchema = new Schema<OnceDoc>(
  {
    _id: { type: String, required: true },
    content: { type: String, default: '' },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
);
onceSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const OnceModel = defineModel<OnceDoc>('OidcOnce', onceSchema, 'oidconce');

type Kind = 'login' | 'ticket' | 'logout';

const idOf = (kind: Kind, token: string) => sha256(`${kind} ${token}`);
/** The store deletes expired documents after a while only. */
const current = (kind: Kind, token: string, now: number) => ({
  _id: idOf(kind, token),
  expiresAt: { $gt: new Date(now) },
});

/** Stores something under a token. @param until milliseconds @returns false: it was there already */
export async function keepOnce(kind: Kind, token: string, content: string, until: number): Promise<boolean> {
  try {
    await OnceModel.create({ _id: idOf(kind, token), content, expiresAt: new Date(until) });
    return true;
  } catch (error) {
    if (duplicateKey(error)) return false;
    throw error;
  }
}

/** Takes it out: one caller gets it. @param now milliseconds @returns null: used, expired, or never there */
export async function takeOnce(kind: Kind, token: string, now: number): Promise<string | null> {
  return (await removeOne(OnceModel, current(kind, token, now)))?.content ?? null;
}

/** Reads it without using it up. @returns as `takeOnce` */
export async function readOnce(kind: Kind, token: string, now: number): Promise<string | null> {
  return (await OnceModel.findOne(current(kind, token, now)).lean<OnceDoc>())?.content ?? null;
}

/** Lets it live longer. @param until milliseconds */
export async function prolongOnce(kind: Kind, token: string, until: number): Promise<void> {
  await OnceModel.updateOne({ _id: idOf(kind, token) }, { $max: { expiresAt: new Date(until) } });
}
