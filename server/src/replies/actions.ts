import type { Types } from 'mongoose';
import type { Caller } from '../auth/sessions.ts';
import type { PageQuery } from '../http/contract.ts';
import { conflict, duplicateKey, forbidden, notFound } from '../http/errors.ts';
import { type PageOf, readPage } from '../http/pager.ts';
import { siteAccess } from '../sites/guards.ts';
import { can } from '../team/contract.ts';
import { REPLY_LIMIT } from './contract.ts';
import { type ReplyDoc, ReplyModel } from './model.ts';

/**
 * The canned reply, if the caller may change it. Unknown and foreign ones get the same answer, so that ids cannot be
 * probed.
 * @throws AppError 404 for an unknown or foreign one, 403 for the wrong role
 */
export async function replyFor(caller: Caller, id: string): Promise<ReplyDoc> {
  const reply = await ReplyModel.findById(id).lean<ReplyDoc>();
  const access = reply && (await siteAccess(caller, reply.site));
  if (!access) throw notFound('canned reply');
  if (!can(access.member, 'replies.edit')) throw forbidden();
  return reply;
}

/** A page of a site's canned replies, sorted by shortcut. @param cursor the last shortcut of the page before */
export async function listReplies(
  site: Types.ObjectId,
  { q = '', ...query }: { q?: string } & PageQuery,
): Promise<PageOf<ReplyDoc>> {
  const from = query.cursor === undefined ? { $gte: q } : { $gt: query.cursor };
  const filter = { site, shortcut: { ...from, $lt: `${q}\u{10ffff}` } };
  const find = (limit: number) => ReplyModel.find(filter).sort({ shortcut: 1 }).limit(limit).lean<ReplyDoc[]>();
  return readPage(query, find, ({ shortcut }) => shortcut);
}

/**
 * Stores a canned reply. The site's replies are counted after the insert, so that two inserts at once cannot exceed the
 * limit.
 * @throws AppError 409 `SHORTCUT_TAKEN`, `REPLY_LIMIT_REACHED`
 */
export async function createReply(
  site: Types.ObjectId,
  form: Pick<ReplyDoc, 'shortcut' | 'content'>,
): Promise<ReplyDoc> {
  const reply = new ReplyModel({ site, ...form });
  await once(() => reply.save());
  if ((await ReplyModel.countDocuments({ site })) > REPLY_LIMIT) {
    await ReplyModel.deleteOne({ _id: reply._id });
    throw conflict(
      'REPLY_LIMIT_REACHED',
      `A site can have up to ${REPLY_LIMIT} canned replies. Delete one to add another.`,
    );
  }
  return reply.toObject();
}

/** Changes the fields that the patch names. @throws AppError 409 `SHORTCUT_TAKEN`, 404 when the reply is gone */
export async function updateReply({ _id }: ReplyDoc, patch: Partial<ReplyDoc>): Promise<ReplyDoc> {
  const changed = await once(() =>
    ReplyModel.findOneAndUpdate({ _id }, { $set: patch }, { returnDocument: 'after' }).lean<ReplyDoc>(),
  );
  if (!changed) throw notFound('canned reply');
  return changed;
}

/** Removes a canned reply. */
export async function removeReply({ _id }: ReplyDoc): Promise<void> {
  await ReplyModel.deleteOne({ _id });
}

async function once<Result>(write: () => PromiseLike<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (duplicateKey(error)?.includes('shortcut'))
      throw conflict('SHORTCUT_TAKEN', 'Another canned reply of this site has this shortcut.');
    throw error;
  }
}
