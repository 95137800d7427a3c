import { Types } from 'mongoose';
import { type ChatOfSite, derivedClientId, refuseIfFull, sendByRule, sendFile } from '#features/chats';
import { ReplyModel } from '#features/replies';
import { fillPlaceholders } from '#features/replies/contract';
import type { Usage } from '#features/usage';
import { type ListedFile, type Pictures, type ReceivedFile, readBlob } from '#platform/files';
import { AppError, type Limits } from '#platform/http';
import type { RuleOutcome } from './contract.ts';
import type { RuleRunDoc } from './model.ts';

/**
 * Sends a canned reply of the team in the site's name: its text, then its files, each as a message of its own. The ids of the
 * messages are made from the action, so that a retry after a crash sends what is missing, and nothing twice.
 * @throws AppError 409 `CHAT_CLOSED`, 413 `SITE_FULL`, 422 for a picture that cannot be read, 503
 */
export async function replyOfRule(
  { run, chat, site, key }: ChatOfSite & { run: RuleRunDoc; key: string },
  id: string,
  deps: { usage: Usage; pictures: Pictures; limits: Limits },
): Promise<RuleOutcome> {
  const reply = await ReplyModel.findOne({ _id: id, site: site._id, owner: { $exists: false } }).lean();
  if (!reply) return 'missing';
  // What stands between a question and its answer would end the assistant's run.
  if (chat.assisted || !chat.open) return 'refused';
  const rule = new Types.ObjectId(run.rule._id);
  const senderKey = `r:${rule}`;
  const values = { 'visitor.name': chat.visitorInfo.name, 'agent.name': site.name, 'site.name': site.name };
  const content = fillPlaceholders(reply.content, values);
  const input = { clientId: derivedClientId(key), content, formatted: true };
  await refuseIfFull(deps.usage, site, senderKey, input);
  await sendByRule({ chat, site }, rule, input).catch(ignoreSent);
  const files = reply.files ?? [];
  if (files.length > 0 && !(await deps.limits.mayTake('ruleFilesPerSite', site._id.toHexString(), files.length)))
    return 'refused';
  for (const file of files) {
    const query = { name: file.name, clientId: derivedClientId(`${key}:${file._id}`) };
    const sender = { pool: 'staff' as const, key: senderKey };
    await sendFile(copyOf(file), { site, senderKey, query, sender }, deps, (sent) =>
      sendByRule({ chat, site }, rule, sent),
    );
  }
  return 'done';
}

/** An earlier try has sent the text, and the canned reply has changed since. */
function ignoreSent(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'ID_CONFLICT') throw error;
}

/** A file of the canned reply, as if it had been uploaded to the chat. */
function copyOf({ _id, size, digest }: ListedFile): ReceivedFile {
  return { size, digest, pieces: () => readBlob(_id, size), refuseCutOff() {} };
}
