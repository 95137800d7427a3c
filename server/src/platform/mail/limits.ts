import { AppError, type Limits, type RateName } from '#platform/http';
import { type MailContent, mailboxOf } from './template.ts';

/** The limits that a mail counts for. */
function boundsOf({ kind, to, behalf }: MailContent): [RateName, string][] {
  // Links for new passwords are counted where people ask for them, and delayed by nothing. Administrators get few mails.
  if (kind === 'reset' || !behalf) return [];
  const { site, account } = behalf;
  const limitsOfMail: [RateName, string][] =
    site === undefined
      ? [
          ['accountMailsPerMailbox', mailboxOf(to)],
          ['accountMailsPerAccount', account],
        ]
      : [
          ['mailsPerSite', site],
          ['mailsPerAccount', account],
        ];
  return [...limitsOfMail, ['mailsPerServer', '']];
}

/**
 * Counts a mail. If one limit is exceeded, none of them counts it.
 * @returns the exceeded limit, and in how many seconds it has room again; null: there is none
 */
export async function takeMailLimits(
  content: MailContent,
  limits: Limits,
): Promise<{ bound: string; waitS: number } | null> {
  const bounds = boundsOf(content);
  for (const [at, [bound, key]] of bounds.entries()) {
    try {
      await limits.take(bound, key);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      for (const [name, taken] of bounds.slice(0, at)) await limits.refund(name, taken);
      return { bound, waitS: error.retryAfter ?? 0 };
    }
  }
  return null;
}

/** Takes the count of a mail back that was not sent. */
export async function refundMailLimits(content: MailContent, limits: Limits): Promise<void> {
  for (const [name, key] of boundsOf(content)) await limits.refund(name, key);
}
