import type { Caller } from '../auth/sessions.ts';
import { forbidden, notFound } from '../http/errors.ts';
import { siteAccess } from '../sites/access.ts';
import { can } from '../team/contract.ts';
import { type ReplyDoc, ReplyModel } from './model.ts';

/**
 * The canned reply, if the caller may change it.
 * @throws AppError 404 for unknown and foreign ones alike, 403 for the wrong role
 */
export async function replyFor(caller: Caller, id: string): Promise<ReplyDoc> {
  const reply = await ReplyModel.findById(id).lean<ReplyDoc>();
  const access = reply && (await siteAccess(caller, reply.site));
  if (!access) throw notFound('canned reply');
  if (!can(access.member, 'replies.edit')) throw forbidden();
  return reply;
}
