import { createHmac, createSecretKey } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { ReplyDoc } from '#features/replies';
import type { PushDoc } from '#platform/push';
import { sha256, uuidOf } from '#platform/secrets';
import { HOUR_S, SECOND_MS } from '#platform/time';

const ALGORITHM = 'HS256';
/** A push service may deliver a message within the first hour; the second one is for pressing the button. */
const VALID_S = 2 * HOUR_S;
const DIGEST_LENGTH = 16;

/** What a button of a notification may do, and for whom. */
export interface ActionGrant {
  /** The device that received it, with its session. */
  device: string;
  session: string;
  user: string;
  chat: string;
  /** The seq of the message that the notification is about. */
  seq: number;
  /** When the notification was made, in milliseconds. */
  at: number;
  /** The canned reply to send, as it was then; left out: the chat is claimed. */
  reply?: { id: string; digest: string };
}

/** Signs and reads the tokens of buttons, each of which is good for one action on one chat. */
export interface ActionTokens {
  sign(device: PushDoc, of: Pick<ActionGrant, 'chat' | 'seq' | 'reply'>): string;
  /** @returns null when this server did not sign it, or it has expired */
  read(token: string): ActionGrant | null;
}

interface Claims {
  sub: string;
  sid: string;
  dev: string;
  chat: string;
  seq: number;
  reply?: string;
  text?: string;
  exp: number;
}

/**
 * @param secret the tokens are signed with a key derived from it for this purpose, so that no other token is accepted as one
 */
export function createActionTokens({ secret, now }: { secret: string; now: () => number }): ActionTokens {
  const key = createSecretKey(createHmac('sha256', secret).update('notification action').digest());
  const seconds = () => Math.floor(now() / 1000);
  return {
    sign({ _id, session, user }, { chat, seq, reply }) {
      const claims: Omit<Claims, 'exp'> = {
        sub: user.toHexString(),
        sid: session.toHexString(),
        dev: _id,
        chat,
        seq,
        ...(reply && { reply: reply.id, text: reply.digest }),
      };
      return jwt.sign({ ...claims, exp: seconds() + VALID_S }, key, { algorithm: ALGORITHM, noTimestamp: true });
    },
    read(token) {
      try {
        const claims = jwt.verify(token, key, { algorithms: [ALGORITHM], clockTimestamp: seconds() });
        return typeof claims === 'object' ? grantOf(claims as Claims) : null;
      } catch {
        return null;
      }
    },
  };
}

function grantOf({ sub, sid, dev, chat, seq, reply, text = '', exp }: Claims): ActionGrant {
  const at = (exp - VALID_S) * SECOND_MS;
  return { user: sub, session: sid, device: dev, chat, seq, at, ...(reply && { reply: { id: reply, digest: text } }) };
}

/** Tells whether a canned reply still says what its button showed. */
export function digestOf({ content }: Pick<ReplyDoc, 'content'>): string {
  return sha256(content).slice(0, DIGEST_LENGTH);
}

/**
 * The `clientId` of the message that a button sends: the same for every press, also on other devices, so that a message of
 * the visitor is answered once.
 */
export function clientIdOf({ user, chat, seq, reply }: ActionGrant): string {
  return uuidOf(`${user} ${chat} ${seq} ${reply?.id}`);
}
