import { randomBytes } from 'node:crypto';
import { Schema, type Types } from 'mongoose';
import { defineModel, deleteInBatches } from '#platform/database';
import type { MailInSettings } from '#platform/env';
import { duplicateKey } from '#platform/http';
import { DAY_MS, DAY_S } from '#platform/time';
import { REPLY_DAYS } from './contract.ts';

/** 26 of 32 characters are 130 bits. */
const TOKEN_LENGTH = 26;
const TOKEN_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const TOKEN = /^[a-z2-7]{26}$/;
/** After its end, an address is known as expired for as long. */
const KEPT_AFTER_S = 60 * DAY_S;
/** Mails of one address whose answers are recognised by `In-Reply-To`. */
const SENT_IDS_MAX = 50;

/** An address to which mails about a chat are answered: whoever knows it may append to this chat, and nothing else. */
export interface ReplyAddressDoc {
  /** The token: lower-case letters and digits, because mail servers change capitals. */
  _id: string;
  site: Types.ObjectId;
  chat: Types.ObjectId;
  visitor: Types.ObjectId;
  /** The member whose answers come to it; null: the visitor's do. */
  user: Types.ObjectId | null;
  /** The address that was written to last, in lower case. */
  to: string;
  /** `Message-ID`s of the last mails that it was in, newest last. */
  sentIds: string[];
  /** The last mail's own words, which answers quote, too. */
  words: string[];
  /** The last answer: its `Message-ID`, the SHA-256 of its text, what it answers, and when it came. */
  lastAnswer?: { id: string; digest: string; inReplyTo: string; at: Date };
  expiresAt: Date;
}

const addressSchema = new Schema<ReplyAddressDoc>(
  {
    _id: { type: String, required: true },
    site: { type: Schema.Types.ObjectId, required: true },
    chat: { type: Schema.Types.ObjectId, required: true },
    visitor: { type: Schema.Types.ObjectId, required: true },
    user: { type: Schema.Types.ObjectId, default: null },
    to: { type: String, required: true },
    sentIds: { type: [String], default: [] },
    words: { type: [String], default: [] },
    lastAnswer: {
      type: new Schema({ id: String, digest: String, inReplyTo: String, at: Date }, { _id: false, id: false }),
    },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
);
addressSchema.index({ chat: 1, user: 1 }, { unique: true });
addressSchema.index({ site: 1 });
addressSchema.index({ visitor: 1 });
addressSchema.index({ sentIds: 1 });
addressSchema.index({ expiresAt: 1 }, { expireAfterSeconds: KEPT_AFTER_S });
export const ReplyAddressModel = defineModel<ReplyAddressDoc>('ReplyAddress', addressSchema, 'replyaddresses');

/** What a mail is about, and to whom it goes. */
export interface Correspondence {
  site: Types.ObjectId;
  chat: Types.ObjectId;
  visitor: Types.ObjectId;
  /** The member who is written to; null: the visitor is. */
  user: Types.ObjectId | null;
  to: string;
}

/** What makes a mail answerable: `replyTo` and `references` of its content. */
export interface Answerable {
  replyTo: string;
  references: string[];
}

/** The addresses of mails that can be answered. */
export interface ReplyAddresses {
  /** The address without a token. */
  plain: string;
  /**
   * The address for answers to a mail, for 30 days from now: the same for all mails about a chat to the same person.
   * @param messageId the `Message-ID` under which the mail is sent
   * @param words what it says besides quotes
   */
  answerable(of: Correspondence, messageId: string, words: string[]): Promise<Answerable>;
  /** The token in an address; null: there is none of that form. */
  tokenIn(address: string): string | null;
  /** Whether it is one of ours, with any token or none. */
  isOurs(address: string): boolean;
}

/** Creates them for one server. */
export function createReplyAddresses(
  { address: { local, domain } }: MailInSettings,
  now: () => number,
): ReplyAddresses {
  const plain = `${local}@${domain}`;
  const tokenIn = (address: string): string | null => {
    const given = address.trim().toLowerCase();
    if (!given.startsWith(`${local}+`) || !given.endsWith(`@${domain}`)) return null;
    const token = given.slice(local.length + 1, -(domain.length + 1));
    return TOKEN.test(token) ? token : null;
  };
  return {
    plain,
    tokenIn,
    isOurs: (address) => address.trim().toLowerCase() === plain || tokenIn(address) !== null,
    async answerable(of, messageId, words) {
      const { _id, lastAnswer } = await renew(of, { messageId, words }, now());
      const root = `<${of.chat}@${domain}>`;
      return { replyTo: `${local}+${_id}@${domain}`, references: [root, ...(lastAnswer ? [lastAnswer.id] : [])] };
    },
  };
}

async function renew(
  of: Correspondence,
  { messageId, words }: { messageId: string; words: string[] },
  now: number,
): Promise<ReplyAddressDoc> {
  const { site, chat, visitor, user, to } = of;
  const write = () =>
    ReplyAddressModel.findOneAndUpdate(
      { chat, user },
      {
        $setOnInsert: { _id: newToken(), site, visitor },
        $set: { to: to.toLowerCase(), words, expiresAt: new Date(now + REPLY_DAYS * DAY_MS) },
        $push: { sentIds: { $each: [messageId], $slice: -SENT_IDS_MAX } },
      },
      { upsert: true, returnDocument: 'after' },
    ).lean<ReplyAddressDoc>();
  // Of two first mails at the same time, one finds the other's address.
  return write().catch((error) => (duplicateKey(error) ? write() : Promise.reject(error)));
}

/** A random token. 256 is a multiple of 32, so all of them are equally likely. */
export function newToken(): string {
  return [...randomBytes(TOKEN_LENGTH)].map((byte) => TOKEN_CHARACTERS[byte % TOKEN_CHARACTERS.length]).join('');
}

/**
 * Finds the address that a mail answers: by the token among its recipients, otherwise by the mails that it says it answers.
 * @returns null: it belongs to no chat; an address may have expired
 */
export async function findReplyAddress(tokens: string[], answered: string[]): Promise<ReplyAddressDoc | null> {
  const byToken =
    tokens.length > 0 && (await ReplyAddressModel.findOne({ _id: { $in: tokens } }).lean<ReplyAddressDoc>());
  if (byToken) return byToken;
  return answered.length > 0 ? ReplyAddressModel.findOne({ sentIds: { $in: answered } }).lean<ReplyAddressDoc>() : null;
}

/** Removes the addresses of a deleted chat or an erased visitor. */
export async function forgetReplyAddresses(
  of: { chat: Types.ObjectId } | { visitor: Types.ObjectId } | { user: Types.ObjectId },
): Promise<void> {
  await ReplyAddressModel.deleteMany(of);
}

/** Removes all addresses of a deleted site. */
export async function purgeReplyAddresses(site: Types.ObjectId, signal?: AbortSignal): Promise<void> {
  await deleteInBatches(ReplyAddressModel, { site }, signal);
}
