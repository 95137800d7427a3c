import { Schema } from 'mongoose';
import { defineModel } from '#platform/database';
import { DAY_MS } from '#platform/time';

/** How long a release's files are kept after its last server stopped: longer than most pages stay open. */
export const KEPT_DAYS = 60;
/** The files of all releases together; those of one have about two megabytes, and many of them are also in the next one. */
export const KEPT_MAX_BYTES = 64 * 2 ** 20;

/** What a build of dashboard and widget consists of. */
export interface ReleaseDoc {
  /** A hash of its files' names, which carry hashes of their content. */
  _id: string;
  files: { name: string; bytes: number }[];
  /** The last heartbeat of a server of this release. */
  runsAt: Date;
}

const releaseSchema = new Schema<ReleaseDoc>(
  {
    _id: { type: String, required: true },
    files: [{ _id: false, name: String, bytes: Number }],
    runsAt: { type: Date, required: true },
  },
  { versionKey: false },
);
export const ReleaseModel = defineModel<ReleaseDoc>('Release', releaseSchema, 'releases');

/** A file as it is sent: where there are compressed bytes, they are all there is. */
export interface ReleaseFileDoc {
  /** Its path below the server's root, such as `widget/chat-1a2b3c4d.js`. */
  _id: string;
  plain?: Buffer | undefined;
  br?: Buffer | undefined;
  gzip?: Buffer | undefined;
}

const releaseFileSchema = new Schema<ReleaseFileDoc>(
  { _id: { type: String, required: true }, plain: Buffer, br: Buffer, gzip: Buffer },
  { versionKey: false },
);
export const ReleaseFileModel = defineModel<ReleaseFileDoc>('ReleaseFile', releaseFileSchema, 'releasefiles');

/** The job that removes releases which stopped running long ago, and the oldest ones where all together are too large. */
export async function removeOldReleases(now: number): Promise<void> {
  const releases = await ReleaseModel.find().sort({ runsAt: -1 }).lean<ReleaseDoc[]>();
  const kept = new Map<string, number>();
  const old: ReleaseDoc[] = [];
  for (const release of releases) {
    const all = new Map([...kept, ...release.files.map(({ name, bytes }): [string, number] => [name, bytes])]);
    const size = [...all.values()].reduce((sum, bytes) => sum + bytes, 0);
    const isOld = now - release.runsAt.getTime() > KEPT_DAYS * DAY_MS;
    if (isOld || size > KEPT_MAX_BYTES) old.push(release);
    else for (const [name, bytes] of all) kept.set(name, bytes);
  }
  if (old.length === 0) return;
  const names = old.flatMap(({ files }) => files.map(({ name }) => name)).filter((name) => !kept.has(name));
  await ReleaseModel.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } });
  await ReleaseFileModel.deleteMany({ _id: { $in: names } });
}
