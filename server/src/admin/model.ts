import { model, Schema, type Types } from 'mongoose';

/** That a word stands in an account's name or e-mail: what the list of accounts is searched by. */
export interface AccountWordDoc {
  /** `{user}:{word}` */
  _id: string;
  word: string;
  user: Types.ObjectId;
}

const accountWordSchema = new Schema<AccountWordDoc>(
  {
    _id: { type: String, required: true },
    word: { type: String, required: true },
    user: { type: Schema.Types.ObjectId, required: true },
  },
  { versionKey: false },
);
accountWordSchema.index({ word: 1, user: 1 });
accountWordSchema.index({ user: 1 });
export const AccountWordModel = model<AccountWordDoc>('AccountWord', accountWordSchema, 'accountwords');
