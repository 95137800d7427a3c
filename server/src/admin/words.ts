import { Types } from 'mongoose';
import { type UserDoc, UserModel } from '../auth/model.ts';
import { bus } from '../bus.ts';
import { MarkModel } from '../search/model.ts';
import { wordsOf } from '../search/words.ts';
import { type AccountWordDoc, AccountWordModel } from './model.ts';

const MARK = 'accounts';
const BATCH = 100;

/** Who an account is, and when it was there last, as the bus tells. Gives the function that stops it. @param now milliseconds */
export function followAccounts(now: () => number): () => void {
  const seen = (userId: string) => UserModel.updateOne({ _id: userId }, { $max: { lastSeenAt: new Date(now()) } });
  return bus.stopAll([
    // Written again at each sign-in, too: what a crash lost between the account and its words is made good.
    bus.on('signedIn', async ({ userId }) => {
      await Promise.all([seen(userId), indexById(userId)]);
    }),
    bus.on('accountChanged', async ({ userId, fields }) => {
      if (fields.includes('name') || fields.includes('email')) await indexById(userId);
    }),
    bus.on('sessionEnded', async ({ userId, reason }) => {
      if (reason === 'signed_out') await seen(userId);
    }),
    bus.on('accountDeleted', async ({ userId }) => {
      await AccountWordModel.deleteMany({ user: userId });
    }),
  ]);
}

/** Indexes, once, the accounts that were there before anybody followed them. */
export async function indexAccounts(now: number, signal: AbortSignal): Promise<void> {
  if (await MarkModel.exists({ _id: MARK })) return;
  for (let after = new Types.ObjectId('0'.repeat(24)); !signal.aborted; ) {
    const users = await UserModel.find({ _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(BATCH)
      .lean<UserDoc[]>();
    for (const user of users) await indexAccount(user);
    const last = users.at(-1);
    if (!last) {
      await MarkModel.updateOne({ _id: MARK }, { $set: { at: new Date(now) } }, { upsert: true });
      return;
    }
    after = last._id;
  }
}

async function indexById(userId: string): Promise<void> {
  const user = await UserModel.findById(userId).lean<UserDoc>();
  if (user) await indexAccount(user);
}

/** Brings the words of an account up to date; does nothing where they are. */
async function indexAccount({ _id: user, name, email }: UserDoc): Promise<void> {
  const words = new Map(wordsOf(name, email).map((word) => [`${user}:${word}`, word]));
  const known = await AccountWordModel.find({ user }, { _id: 1 }).lean<Pick<AccountWordDoc, '_id'>[]>();
  const old = known.map(({ _id }) => _id).filter((id) => !words.delete(id));
  for (const [_id, word] of words)
    await AccountWordModel.updateOne({ _id }, { $setOnInsert: { word, user } }, { upsert: true });
  if (old.length > 0) await AccountWordModel.deleteMany({ _id: { $in: old } });
}
