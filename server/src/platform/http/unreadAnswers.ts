import type { RequestHandler, Response } from 'express';
import { addressKey } from './address.ts';
import { tooMany } from './errors.ts';
import type { Limits } from './limits/limits.ts';
import { whenClosed } from './server.ts';

/** Smaller answers are not counted: a thousand connections with one each need little memory. */
const LARGE_MIN_BYTES = 16 * 1024;
const RETRY_AFTER_S = 5;

/** Counts the bytes of an answer until it is read. @throws AppError 429 when its address has too many unread ones */
type HoldUnread = (res: Response, bytes: number) => void;

/**
 * Bounds the bytes that wait in memory for clients of one address which do not read them. It comes before all that answers; the
 * answers say how large they are by `holdUnread`.
 */
export function boundUnread(limits: Pick<Limits, 'max'>): RequestHandler {
  const maxBytes = limits.max('unreadBytesPerIp');
  const unread = new Map<string, number>();

  function hold(res: Response, bytes: number): void {
    const address = addressKey(res.req.ip);
    const before = unread.get(address) ?? 0;
    // A first answer passes however large it is: otherwise nobody could ever read it.
    if (before > 0 && before + bytes > maxBytes) throw tooMany(RETRY_AFTER_S);
    unread.set(address, before + bytes);
    whenClosed(res, () => {
      const left = (unread.get(address) ?? 0) - bytes;
      if (left > 0) unread.set(address, left);
      else unread.delete(address);
    });
  }

  return (_req, res, next) => {
    res.locals.holdUnread = hold satisfies HoldUnread;
    next();
  };
}

/** Counts an answer of so many bytes as unread until it has been sent. @throws AppError 429 */
export function holdUnread(res: Response, bytes: number): void {
  if (bytes >= LARGE_MIN_BYTES) (res.locals.holdUnread as HoldUnread | undefined)?.(res, bytes);
}
