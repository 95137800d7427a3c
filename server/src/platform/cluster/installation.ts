import { createHash, randomUUID } from 'node:crypto';
import { Schema } from 'mongoose';
import { connection, defineModel } from '#platform/database';
import { duplicateKey } from '#platform/http';

const COLLECTION = 'installations';
const ONLY = 'installation';
const NAME_LENGTH = 16;

/** Tells this Parley from every other one. */
interface InstallationDoc {
  _id: string;
  id: string;
}

const installationSchema = new Schema<InstallationDoc>(
  { _id: { type: String, required: true }, id: { type: String, required: true } },
  { versionKey: false },
);
const InstallationModel = defineModel<InstallationDoc>('Installation', installationSchema, COLLECTION);

/**
 * The name under which the nodes of this database meet in Redis, which others may use, too. A copy of the data in another
 * database is another installation: it has another name or, restored by MongoDB's tools, another id of the collection.
 */
export async function installationName(): Promise<string> {
  await InstallationModel.create({ _id: ONLY, id: randomUUID() }).catch((error) => {
    if (!duplicateKey(error)) throw error;
  });
  const stored = await InstallationModel.findById(ONLY).lean<InstallationDoc>();
  const { db, name } = connection;
  const [listed] = (await db?.listCollections({ name: COLLECTION }, { nameOnly: false }).toArray()) ?? [];
  const collectionId = listed && 'info' in listed ? listed.info?.uuid?.toString('hex') : '';
  const whole = [stored?.id, name, collectionId].join(' ');
  return createHash('sha256').update(whole).digest('base64url').slice(0, NAME_LENGTH);
}
