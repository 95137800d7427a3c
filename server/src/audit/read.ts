import { PAGE_LIMIT_DEFAULT, type PageQuery } from '../http/contract.ts';
import { badRequest } from '../http/errors.ts';
import { type AuditDoc, AuditModel } from './model.ts';

/** A page of the trail and where the next one begins. */
export interface TrailPage {
  entries: AuditDoc[];
  nextCursor: string | null;
}

/** The trail, newest entry first. @throws AppError 400 for a cursor that is none */
export async function readTrail({ limit = PAGE_LIMIT_DEFAULT, cursor }: PageQuery): Promise<TrailPage> {
  if (cursor !== undefined && !/^[0-9a-f]{24}$/.test(cursor))
    throw badRequest('INVALID_CURSOR', 'This cursor is not valid.');
  const found = await AuditModel.find(cursor === undefined ? {} : { _id: { $lt: cursor } })
    .sort({ _id: -1 })
    .limit(limit + 1)
    .lean<AuditDoc[]>();
  const entries = found.slice(0, limit);
  return { entries, nextCursor: found.length > limit ? (entries.at(-1)?._id.toHexString() ?? null) : null };
}
