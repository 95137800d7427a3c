import type { RequestHandler } from 'express';
import { AppError } from './errors.ts';

/** The longest address of ours has a few hundred characters; every route's pattern is held against whatever comes. */
const PATH_MAX_LENGTH = 1_024;
/** With the query: a search of 200 characters takes up to twelve times as many when it is encoded. */
const ADDRESS_MAX_LENGTH = 8_192;

/** Refuses addresses that nobody is meant to ask for, before anything looks into them. */
export const boundedAddress: RequestHandler = ({ url }, _res, next) => {
  const query = url.indexOf('?');
  const pathLength = query < 0 ? url.length : query;
  if (pathLength > PATH_MAX_LENGTH || url.length > ADDRESS_MAX_LENGTH)
    throw new AppError(414, 'ADDRESS_TOO_LONG', 'This address is too long.');
  next();
};

/** A path without slashes at its end; the root stays. */
export function withoutEndSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}
