import type { RequestHandler } from 'express';
import { AppError } from './errors.ts';

/** Our longest address has a few hundred characters; the bound keeps the matching of every route's pattern cheap. */
const PATH_MAX_LENGTH = 1_024;
/** Including the query: a search of 200 characters becomes up to twelve times longer when encoded. */
const ADDRESS_MAX_LENGTH = 8_192;

/** Refuses addresses longer than any valid one, before any other code reads them. */
export const boundedAddress: RequestHandler = ({ url }, _res, next) => {
  const query = url.indexOf('?');
  const pathLength = query < 0 ? url.length : query;
  if (pathLength > PATH_MAX_LENGTH || url.length > ADDRESS_MAX_LENGTH)
    throw new AppError(414, 'ADDRESS_TOO_LONG', 'This address is too long.');
  next();
};

/** Removes trailing slashes from a path; the root stays. */
export function withoutEndSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}
