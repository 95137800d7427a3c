import type { Types } from 'mongoose';
import type { Caller } from '#features/auth';
import { eachSite } from '#features/sites';
import { addingFile, droppingFiles, type Usage } from '#features/usage';
import { removeOne } from '#platform/database';
import { events } from '#platform/events';
import { attachmentView, type ListedFile, type Pictures, type ReceivedFile } from '#platform/files';
import { conflict, notFound, sentence } from '#platform/http';
import { REPLY_FILES_MAX } from './contract.ts';
import { type ReplyDoc, ReplyModel } from './model.ts';

const BATCH = 100;
const NAMELESS = 'file';

/**
 * Adds a file to a canned reply. It counts as storage of the site.
 * @throws AppError 409 `REPLY_FILES_LIMIT`, 413 `SITE_FULL`, 422 for a picture that cannot be read, 404 when the reply is gone
 */
export async function addReplyFile(
  { _id, site }: ReplyDoc,
  { user }: Caller,
  { received, name = NAMELESS }: { received: ReceivedFile; name?: string | undefined },
  deps: { pictures: Pictures; usage: Usage },
): Promise<ReplyDoc> {
  const hasRoom = { [`files.${REPLY_FILES_MAX - 1}`]: { $exists: false } };
  const changed = await addingFile({ site, by: user._id, received, name }, deps, (stored) =>
    ReplyModel.findOneAndUpdate(
      { _id, ...hasRoom },
      { $push: { files: { _id: stored._id, ...stored.file, at: new Date() } satisfies ListedFile } },
      { returnDocument: 'after' },
    ).lean<ReplyDoc>(),
  );
  if (changed) return changed;
  if (!(await ReplyModel.exists({ _id }))) throw notFound('canned reply');
  throw conflict('REPLY_FILES_LIMIT', sentence('A canned reply can have up to {max} files.', { max: REPLY_FILES_MAX }));
}

/** The files of a reply that are not among these addresses. */
export function filesWithout({ files = [] }: ReplyDoc, kept: string[]): ListedFile[] {
  return files.filter((file) => !kept.includes(attachmentView(file).url));
}

/** Whether a stored file belongs to a canned reply. */
export async function isReplyFile(_id: Types.ObjectId): Promise<boolean> {
  return (await ReplyModel.exists({ files: { $exists: true }, 'files._id': _id })) !== null;
}

/** The stored size of the files of a site's canned replies, of those that are older than a given time. */
export async function replyFileBytes(site: Types.ObjectId, before: Date): Promise<number> {
  const replies = ReplyModel.find({ site }, { files: 1 }).lean<ReplyDoc>().cursor({ batchSize: BATCH });
  let sum = 0;
  for await (const { files = [] } of replies) for (const { at, size } of files) if (at < before) sum += size;
  return sum;
}

/** Removes canned replies with their files. Idempotent. */
async function removeReplies(filter: object, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const replies = await ReplyModel.find(filter).limit(BATCH).lean<ReplyDoc[]>();
    for (const { _id, site, files = [] } of replies)
      await droppingFiles(site, files, () => removeOne(ReplyModel, { _id }));
    if (replies.length < BATCH) return;
  }
}

/** Removes all canned replies of a deleted site. */
export async function purgeReplies(site: Types.ObjectId, signal?: AbortSignal): Promise<void> {
  await removeReplies({ site }, signal);
}

/** Removes the personal replies of members who leave a team. @returns a disposer */
export function removeRepliesOfLeavers(): () => void {
  return events.on('memberRemoved', ({ site, userId }) => removeReplies({ site: site._id, owner: userId }));
}

/** Removes personal replies of people who are no longer in the team: a crash may have left them. */
export async function sweepPersonalReplies(_now: number, signal: AbortSignal): Promise<void> {
  await eachSite(signal, async ({ _id: site, team }) => {
    const members = team.map(({ user }) => user);
    await removeReplies({ site, owner: { $exists: true, $nin: members } }, signal);
  });
}
