import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookDoc } from '#features/sites';
import type { SecretBox } from '#platform/secrets';

const SECRET_BYTES = 32;
const PREFIX = 'whsec_';

/** What a webhook keeps encrypted. */
export interface Target {
  url: string;
  /** Signs what a program of the owner's gets. */
  secret?: string;
  /** The replaced secret, which signs beside the new one for a while. */
  former?: { secret: string; until: number };
  /** Of Telegram. */
  botToken?: string;
  telegramChat?: string;
}

/** A new secret in the form that libraries for Standard Webhooks take. */
export const newSecret = () => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** Encrypts the target of a webhook; it decrypts for the same webhook only. */
export function encryptTarget(box: SecretBox, { _id }: Pick<WebhookDoc, '_id'>, target: Target): string {
  return box.seal(JSON.stringify(target), _id.toHexString());
}

/** @returns null: it was encrypted with another `DATA_KEY` */
export function decryptTarget(box: SecretBox, { _id, sealed }: Pick<WebhookDoc, '_id' | 'sealed'>): Target | null {
  const text = box.open(sealed, _id.toHexString());
  return text === null ? null : JSON.parse(text);
}

/**
 * The webhook signature (HMAC-SHA256) of a body, by all secrets that are valid, as Standard Webhooks describes it.
 * @param id the same for every try, so that receivers can detect a repetition
 * @param now milliseconds
 * @see https://www.standardwebhooks.com
 */
export function signatureHeaders(
  { secret, former }: { secret: string } & Pick<Target, 'former'>,
  { id, body, now }: { id: string; body: string; now: number },
): Record<string, string> {
  const timestamp = Math.floor(now / 1000);
  const secrets = former && former.until > now ? [secret, former.secret] : [secret];
  const signed = secrets.map((each) => {
    const key = Buffer.from(each.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signed.join(' ') };
}
