import type { Attachment, Email } from 'postal-mime';
import { addressesIn, headerOf, idsIn } from './headers.ts';
import type { Bounce } from './mail.ts';

/** Statuses and headers are in the beginning. */
const READ_MAX_BYTES = 64 * 1024;
const STATUS_PART = /^message\/(?:global-)?delivery-status$/;
const ORIGINAL_PART = /^(?:message\/(?:rfc822|global)(?:-headers)?|text\/rfc822-headers)$/;

/**
 * Failures for good that say nothing about the address: 5.2.2 a full mailbox, 5.2.3 and 5.3.4 a mail that is too large, 5.6 its
 * content, and 5.7 a policy, which usually means the sender (spam filters, SPF). The next mail may well arrive.
 */
const NOT_THE_ADDRESS = /^5\.(?:2\.[23]|3\.4|[67]\.\d+)$/;

/**
 * What a report says about a mail whose address does not work for good; null: it is no such report.
 * @see https://www.rfc-editor.org/rfc/rfc3464
 */
export function hardBounceIn(email: Email): Bounce | null {
  const status = email.attachments.find(({ mimeType }) => STATUS_PART.test(mimeType));
  const failure = status ? failureIn(textIn(status)) : failureInText(email);
  if (!failure || NOT_THE_ADDRESS.test(failure.status)) return null;
  const original = email.attachments.find(({ mimeType }) => ORIGINAL_PART.test(mimeType));
  return { ...failure, messageId: messageIdIn(original ? headersIn(original) : (email.text ?? '')) };
}

type Failure = Omit<Bounce, 'messageId'>;

/** The first recipient for whom the delivery has failed for good. The blocks are one about the mail, then one for each recipient. */
function failureIn(report: string): Failure | null {
  for (const block of report.split(/\n{2,}/)) {
    const fields = fieldsOf(block);
    const [status = ''] = fields.get('status')?.match(/^5\.\d{1,3}\.\d{1,3}\b/) ?? [];
    if (status === '' || fields.get('action')?.toLowerCase() !== 'failed') continue;
    // The original one is what was written to; the final one may be where that is forwarded to.
    const [recipient = null] = ['original-recipient', 'final-recipient'].flatMap((name) =>
      addressesIn((fields.get(name) ?? '').replace(/^[\w-]+;/, '')),
    );
    return { status, recipient };
  }
  return null;
}

function fieldsOf(block: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of block.replace(/\n[ \t]+/g, ' ').split('\n')) {
    const [, name, value] = line.match(/^([\w-]+):(.*)$/) ?? [];
    if (name !== undefined && value !== undefined) fields.set(name.toLowerCase(), value.trim());
  }
  return fields;
}

/** Of older versions of Exim: a text, with the recipient in a header. It reports the status as the other mail server has said it. */
function failureInText(email: Email): Failure | null {
  const failed = headerOf(email, 'x-failed-recipients');
  if (failed === null) return null;
  const text = (email.text ?? '').slice(0, READ_MAX_BYTES);
  const [recipient = null] = addressesIn(failed);
  const [status] = text.match(/\b5\.\d\.\d{1,3}\b/) ?? [];
  if (status !== undefined) return { status, recipient };
  // A domain that does not exist, or an answer without a status of its own.
  return /\b(?:unrouteable address|55[0134])\b/i.test(text) ? { status: '5.0.0', recipient } : null;
}

function messageIdIn(headers: string): string | null {
  const [, value = ''] = headers.slice(0, READ_MAX_BYTES).match(/^message-id:([^\n]*(?:\n[ \t][^\n]*)?)/im) ?? [];
  return idsIn(value)[0] ?? null;
}

/** Without the body, in which anybody can write a `Message-ID`. */
const headersIn = (original: Attachment) => textIn(original).trimStart().split('\n\n', 1)[0] ?? '';

function textIn({ content }: Attachment): string {
  const bytes = Buffer.from(content as ArrayBuffer).subarray(0, READ_MAX_BYTES);
  return bytes.toString('utf8').replace(/\r\n?/g, '\n');
}
