import { randomUUID } from 'node:crypto';
import { isArticlePicture } from '#features/articles';
import { isReplyFile } from '#features/replies';
import type { SiteDoc } from '#features/sites';
import { siteFull, type Usage } from '#features/usage';
import { events } from '#platform/events';
import {
  confirmFile,
  eachUncertain,
  type PictureSender,
  type Pictures,
  type ReceivedFile,
  removeFiles,
  type StoredFile,
  storeFile,
} from '#platform/files';
import type { UploadQuery } from '#platform/files/contract';
import { AppError } from '#platform/http';
import { enqueueUnawaited } from '#platform/work';
import { MessageModel } from '../messageModel.ts';
import { storedText } from './cardNumbers.ts';
import { type Appended, findSent, type MessageInputWithId } from './messages.ts';

const NAMELESS = 'file';

/** The sender of a file, its site, and the requested name and message id. */
interface Sender {
  site: SiteDoc;
  senderKey: string;
  query: UploadQuery;
  /** Identifies the sender in the queue of pictures to decode. */
  sender: PictureSender;
}

/**
 * Sends a file as a message: the file is stored first, then `send` commits the message under the file's id. If the
 * message is refused, or the sender has cancelled the upload, the file is removed; if the outcome is unknown (the store did not answer), `sweepFiles` decides
 * later. Idempotent: a retry stores no second file.
 * @throws AppError 409 `ID_CONFLICT`, 413 `SITE_FULL`, 422 for a picture that cannot be read, and as `send`
 */
export async function sendFile<Sent extends Appended>(
  received: ReceivedFile,
  { site, senderKey, query, sender }: Sender,
  { pictures, usage }: { pictures: Pictures; usage: Usage },
  send: (input: MessageInputWithId) => Promise<Sent>,
): Promise<Sent> {
  const { clientId = randomUUID() } = query;
  const name = storedText(site, query.name ?? NAMELESS);
  const earlier = await findSent(senderKey, { clientId, content: name, file: received });
  if (earlier?.message.file) return send(inputOf({ ...earlier.message, file: earlier.message.file }, clientId));

  if (!usage.fits(site._id.toHexString(), { files: received.size })) throw siteFull(senderKey.startsWith('v:'));
  const stored = await storeFile(received, { site: site._id, sender, name }, pictures);
  try {
    received.refuseCutOff();
    const sent = await send(inputOf(stored, clientId));
    const { _id, chat } = sent.message;
    const confirmOrRemove = _id.equals(stored._id) ? confirmFile : remove;
    enqueueUnawaited(chat.toHexString(), () => confirmOrRemove(stored._id));
    return sent;
  } catch (error) {
    const isRefused = error instanceof AppError && error.status < 500;
    if (isRefused) await remove(stored._id).catch((failure) => events.fail(failure, 'removing a refused file'));
    throw error;
  }
}

const remove = (id: StoredFile['_id']) => removeFiles([id]);

function inputOf({ _id, file }: StoredFile, clientId: string): MessageInputWithId {
  return { clientId, content: file.name, stored: { _id, file } };
}

/** Checks uncertain files, and removes those that belong to no message, no canned reply and no article. */
export async function sweepFiles(now: number, signal: AbortSignal): Promise<void> {
  await eachUncertain(now, signal, async ({ _id }) => {
    const isUsed = (await MessageModel.exists({ _id })) || (await isReplyFile(_id)) || (await isArticlePicture(_id));
    await (isUsed ? confirmFile(_id) : remove(_id));
  });
}
