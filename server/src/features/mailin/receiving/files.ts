import type { SiteDoc } from '#features/sites';
import type { ReceivedFile } from '#platform/files';
import { FILE_MAX_BYTES } from '#platform/files/contract';
import type { MailRefusal } from '../contract.ts';
import type { MailFile } from '../reading/mail.ts';
import type { AddressedMail, ReceiverDeps } from './received.ts';

/** A file of a mail that can be stored. */
export interface TakenFile {
  name: string;
  /** Its number among all files of the mail. */
  index: number;
  received: ReceivedFile;
}

/** Which files of a mail are taken. */
export interface SortedFiles {
  taken: TakenFile[];
  /** The names of the others. */
  left: string[];
  /** Why the last of them is left out. */
  reason: MailRefusal | null;
}

/**
 * Sorts out files that are too large, too many, or more than the website has room for.
 * @throws what the counter of limits throws when it cannot count
 */
export async function sortFiles(
  { mail: { files, leftOut }, address }: AddressedMail,
  site: SiteDoc,
  { limits, usage }: ReceiverDeps,
): Promise<SortedFiles> {
  const siteId = site._id.toHexString();
  const sorted: SortedFiles = { taken: [], left: [...leftOut], reason: leftOut.length > 0 ? 'tooLarge' : null };
  let size = 0;
  for (const [index, file] of files.entries()) {
    size += file.content.length;
    const reason = usage.fits(siteId, { files: size }) ? await reasonAgainst(file) : 'full';
    if (!reason) sorted.taken.push({ name: file.name, index, received: receivedFile(file) });
    else {
      sorted.left.push(file.name);
      sorted.reason = reason;
      size -= file.content.length;
    }
  }
  return sorted;

  async function reasonAgainst({ content }: MailFile): Promise<MailRefusal | null> {
    if (content.length === 0) return 'empty';
    if (content.length > FILE_MAX_BYTES) return 'tooLarge';
    const { user, visitor } = address;
    const isWithin = user
      ? await limits.mayTake('staffFilesPerAccount', user.toHexString())
      : (await limits.mayTake('visitorFiles', visitor.toHexString())) &&
        (await limits.mayTake('visitorFilesPerSite', siteId));
    return isWithin ? null : 'tooMany';
  }
}

/** A file that is in memory, as an upload. */
function receivedFile({ content, digest }: MailFile): ReceivedFile {
  return {
    size: content.length,
    digest,
    async *pieces() {
      yield content;
    },
    // All of it is here.
    refuseCutOff() {},
  };
}
