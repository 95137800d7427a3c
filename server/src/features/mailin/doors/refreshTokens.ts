import { Schema } from 'mongoose';
import { defineModel } from '#platform/database';
import type { SecretBox } from '#platform/secrets';

/** The newest refresh token of a mailbox. */
interface RefreshTokenDoc {
  /** `user@host/folder` */
  _id: string;
  /** A hash of the one in the settings with which it began. */
  given: string;
  sealed: string;
}

const tokenSchema = new Schema<RefreshTokenDoc>(
  {
    _id: { type: String, required: true },
    given: { type: String, required: true },
    sealed: { type: String, required: true },
  },
  { versionKey: false },
);
const RefreshTokenModel = defineModel<RefreshTokenDoc>('MailboxToken', tokenSchema, 'mailboxtokens');

/** The refresh token of a mailbox. Some providers give a new one with each access token, and take no other any more. */
export interface RefreshTokens {
  newest(): Promise<string>;
  replace(token: string): Promise<void>;
}

/**
 * Keeps it in the database, encrypted, for the next start and for other nodes.
 * @param mailbox its key
 * @param given the one in the settings: where the operator has changed it, what is stored counts no more
 */
export function storedTokens(mailbox: string, given: string, { seal, open, keyedHash }: SecretBox): RefreshTokens {
  const owner = `mailbox ${mailbox}`;
  // What the database did not take yet: the provider has forgotten those before.
  let unsaved: string | null = null;

  async function save(token: string): Promise<void> {
    unsaved = token;
    const newest = { given: keyedHash(given), sealed: seal(token, owner) };
    await RefreshTokenModel.updateOne({ _id: mailbox }, { $set: newest }, { upsert: true });
    unsaved = null;
  }

  return {
    async newest() {
      if (unsaved !== null) await save(unsaved);
      const stored = await RefreshTokenModel.findOne({ _id: mailbox, given: keyedHash(given) }).lean<RefreshTokenDoc>();
      return (stored && open(stored.sealed, owner)) ?? given;
    },
    replace: save,
  };
}
