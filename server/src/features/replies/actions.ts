import type { Types } from 'mongoose';
import type { Caller } from '#features/auth';
import { mustBeAble, siteAccess } from '#features/sites';
import { droppingFiles } from '#features/usage';
import { removeOne } from '#platform/database';
import { conflict, isDuplicate, notFound, type PageOf, sentence, toPage } from '#platform/http';
import { PAGE_LIMIT_DEFAULT, type PageQuery } from '#platform/http/contract';
import { PERSONAL_REPLY_LIMIT, REPLY_LIMIT, type ReplyPatch } from './contract.ts';
import { filesWithout } from './files.ts';
import { type ReplyDoc, ReplyModel } from './model.ts';

/**
 * The canned reply, if the caller may change it. Unknown and foreign ones get the same answer, so that ids cannot be
 * probed; a colleague's personal one is foreign.
 * @throws AppError 404 for an unknown or foreign one, 403 for the wrong role
 */
export async function replyFor(caller: Caller, id: string): Promise<ReplyDoc> {
  const reply = await ReplyModel.findById(id).lean<ReplyDoc>();
  const access = reply && (await siteAccess(caller, reply.site));
  if (!access || (reply.owner && !reply.owner.equals(caller.user._id))) throw notFound('canned reply');
  mustBeAble(access.member, reply.owner ? 'chats.reply' : 'replies.edit');
  return reply;
}

/** Whose canned replies: those of a site's team, or with an owner the member's personal ones. */
export interface ReplyOwner {
  site: Types.ObjectId;
  owner?: Types.ObjectId;
}

/** In the cursor of a page that ends with a personal reply: the team's with the same shortcut comes before it. */
const PERSONAL = '/';

/**
 * A page of the team's canned replies and the member's own, sorted by shortcut.
 * @param cursor the last shortcut of the page before
 */
export async function listReplies(
  { site, owner }: Required<ReplyOwner>,
  { q = '', limit = PAGE_LIMIT_DEFAULT, cursor }: { q?: string } & PageQuery,
): Promise<PageOf<ReplyDoc>> {
  const last = cursor?.replace(/\/$/, '');
  const read = (whose: Types.ObjectId | null, isAtLast: boolean) => {
    const from = last === undefined ? { $gte: q } : isAtLast ? { $gte: last } : { $gt: last };
    return ReplyModel.find({ site, owner: whose, shortcut: { ...from, $lt: `${q}\u{10ffff}` } })
      .sort({ shortcut: 1 })
      .limit(limit + 1)
      .lean<ReplyDoc[]>();
  };
  const [ofTeam, personal] = await Promise.all([
    read(null, false),
    read(owner, cursor !== undefined && !cursor.endsWith(PERSONAL)),
  ]);
  const all = [...ofTeam, ...personal].sort((a, b) => byCodePoint(a.shortcut, b.shortcut));
  return toPage(all.slice(0, limit + 1), limit, (reply) => (reply.owner ? reply.shortcut + PERSONAL : reply.shortcut));
}

/** As the store sorts. */
const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** All replies of the team or of the member, sorted by shortcut: their number has a limit. */
export function allReplies({ site, owner }: ReplyOwner): Promise<ReplyDoc[]> {
  return ReplyModel.find({ site, owner: owner ?? null })
    .sort({ shortcut: 1 })
    .lean<ReplyDoc[]>()
    .exec();
}

/** How many replies the team, or a member, may have. */
export const limitOf = ({ owner }: ReplyOwner) => (owner ? PERSONAL_REPLY_LIMIT : REPLY_LIMIT);

/**
 * Stores a canned reply. The replies are counted after the insert, so that two inserts at once cannot exceed the limit.
 * @throws AppError 409 `SHORTCUT_TAKEN`, `REPLY_LIMIT_REACHED`
 */
export async function createReply(
  replyOwner: ReplyOwner,
  form: Pick<ReplyDoc, 'shortcut' | 'content'>,
): Promise<ReplyDoc> {
  const { site, owner } = replyOwner;
  const reply = new ReplyModel({ site, ...(owner && { owner }), ...form });
  await conflictIfDuplicate(() => reply.save());
  const max = limitOf(replyOwner);
  if ((await ReplyModel.countDocuments({ site, owner: owner ?? null })) > max) {
    await removeOne(ReplyModel, { _id: reply._id });
    throw conflict(
      'REPLY_LIMIT_REACHED',
      owner
        ? sentence('You can have up to {max} personal replies. Delete one to add another.', { max })
        : sentence('A site can have up to {max} canned replies. Delete one to add another.', { max }),
    );
  }
  return reply.toObject();
}

/** Changes the fields that the patch names. @throws AppError 409 `SHORTCUT_TAKEN`, 404 when the reply is gone */
export async function updateReply(reply: ReplyDoc, { files, ...fields }: ReplyPatch): Promise<ReplyDoc> {
  const { _id, site } = reply;
  const dropped = files ? filesWithout(reply, files) : [];
  const update = {
    $set: fields,
    ...(dropped.length > 0 && { $pull: { files: { _id: { $in: dropped.map((file) => file._id) } } } }),
  };
  const changed = await droppingFiles(site, dropped, () =>
    conflictIfDuplicate(() =>
      ReplyModel.findOneAndUpdate({ _id }, update, { returnDocument: 'after' }).lean<ReplyDoc>(),
    ),
  );
  if (!changed) throw notFound('canned reply');
  return changed;
}

/** Removes a canned reply with its files. */
export async function removeReply({ _id, site, files = [] }: ReplyDoc): Promise<void> {
  await droppingFiles(site, files, () => removeOne(ReplyModel, { _id }));
}

/** @throws AppError 409 `SHORTCUT_TAKEN` */
export async function conflictIfDuplicate<Result>(write: () => PromiseLike<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (isDuplicate(error, 'shortcut'))
      throw conflict('SHORTCUT_TAKEN', sentence('Another canned reply of this site has this shortcut.'));
    throw error;
  }
}
