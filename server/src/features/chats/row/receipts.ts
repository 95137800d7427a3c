import type { Receipt, Receipts } from '../contract.ts';
import type { ChatDoc } from '../model.ts';

/** The sides of a chat that have receipts. */
export const PARTIES = ['visitor', 'staff'] as const;

/** @returns a receipt moved forward as far as another; the same object if it is as far already */
export function furtherOf(one: Receipt, other: Receipt): Receipt {
  if (one.delivered >= other.delivered && one.read >= other.read) return one;
  return { delivered: Math.max(one.delivered, other.delivered), read: Math.max(one.read, other.read) };
}

/** @returns receipts moved forward as far as others; the same object if they are as far already */
export function furthestOf(one: Receipts, other: Receipts): Receipts {
  if (includes(one, other)) return one;
  return { visitor: furtherOf(one.visitor, other.visitor), staff: furtherOf(one.staff, other.staff) };
}

/** Whether receipts have moved as far as others. */
export function includes(receipts: Receipts, others: Receipts): boolean {
  return PARTIES.every((party) => furtherOf(receipts[party], others[party]) === receipts[party]);
}

/** @returns the receipts, those past the end as the end */
export function receiptsUpTo({ visitor, staff }: Receipts, end: number): Receipts {
  const upTo = ({ delivered, read }: Receipt) => ({ delivered: Math.min(delivered, end), read: Math.min(read, end) });
  return { visitor: upTo(visitor), staff: upTo(staff) };
}

/** @returns the receipts as fields of a write */
export function receiptFields({ visitor, staff }: Receipts) {
  return {
    'receipts.visitor.delivered': visitor.delivered,
    'receipts.visitor.read': visitor.read,
    'receipts.staff.delivered': staff.delivered,
    'receipts.staff.read': staff.read,
  };
}

/**
 * Up to which message staff have read the chat as its lists show it. A chat that is marked as unread counts as read up to the
 * message before the mark; what its visitor is shown as read stays.
 */
export function readByTeam({
  receipts,
  unreadFrom = Number.POSITIVE_INFINITY,
}: Pick<ChatDoc, 'receipts'> & { unreadFrom?: number | undefined }): number {
  return Math.min(receipts.staff.read, unreadFrom - 1);
}
