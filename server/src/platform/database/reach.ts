import mongoose, { type mongo } from 'mongoose';
import { StoreError } from '#store';

const { MongoClient } = mongoose.mongo;

/** MongoDB's codes of a sign-in that failed; the second is Atlas'. */
const SIGN_IN_FAILED = [18, 8000];
const UNAUTHORIZED = 13;
const UNKNOWN_NAME = ['ENOTFOUND', 'ENODATA', 'EAI_AGAIN', 'ESERVFAIL'];
const NOT_PRIMARY = 'of which none is primary at the moment';

/** What is known of an error of the driver: its own codes, or those of the operating system under it. */
interface Failure {
  code?: unknown;
  hostname?: string;
  message: string;
  cause?: unknown;
}

/**
 * Connects to the database at an address, and signs in.
 * @throws StoreError with a sentence for the operator
 */
export async function reach(uri: string, options: mongo.MongoClientOptions): Promise<mongo.MongoClient> {
  let client: mongo.MongoClient;
  try {
    client = new MongoClient(uri, options);
  } catch (error) {
    const why = error instanceof Error ? error.message.replaceAll(uri, 'the address') : '';
    throw new StoreError(`MONGODB_URI is not the address of a database: ${why}.`, { cause: error });
  }
  try {
    return await client.connect();
  } catch (error) {
    await client.close();
    throw new StoreError(refusalOf(client, error) ?? whyUnreachable(client, error as Failure), { cause: error });
  }
}

/** Where a client connects to, without its password. */
export const addressOf = ({ options }: mongo.MongoClient) => options.hosts.join(', ') || String(options.srvHost);

/** Why the database refuses this user; null: the error is another one. */
export function refusalOf(client: mongo.MongoClient, error: unknown): string | null {
  const code = Number((error as { code?: unknown }).code);
  const address = addressOf(client);
  if (SIGN_IN_FAILED.includes(code))
    return `The database at ${address} refuses the user or the password in MONGODB_URI. Check both, and “authSource”, the database that knows the user.`;
  if (code !== UNAUTHORIZED) return null;
  return client.options.credentials
    ? `The user in MONGODB_URI may not write in the database “${client.options.dbName}” at ${address}. Give it the role “readWrite” there.`
    : `The database at ${address} wants a user and a password. Write them into MONGODB_URI: mongodb://user:password@…`;
}

function whyUnreachable(client: mongo.MongoClient, error: Failure): string {
  const address = addressOf(client);
  const topology = 'reason' in error ? (error.reason as mongo.TopologyDescription | undefined) : undefined;
  const tooOld = topology?.compatibilityError ?? (error.message.includes('wire version') ? error.message : null);
  if (tooOld) return `The version of the database at ${address} does not fit: ${tooOld}`;
  const servers = [...(topology?.servers.values() ?? [])];
  const found = servers.filter(({ type }) => type !== 'Unknown');
  const { replicaSet } = client.options;
  if (topology && found.length > 0)
    return `The database at ${address} is a replica set${replicaSet ? ` “${replicaSet}”` : ''}, ${NOT_PRIMARY}. Look at its members with rs.status(), or initiate it.`;
  if (topology && servers.length === 0)
    return `The database at ${address} is no member of the replica set “${replicaSet}”, which MONGODB_URI asks for. Correct “replicaSet”, or initiate the set.`;
  const { code, hostname, message } = deepest(servers[0]?.error ?? error);
  const at = servers[0]?.address ?? address;
  if (code === 'ECONNREFUSED')
    return `Nothing listens at ${at}, where MONGODB_URI leads. Start the database, or correct the address.`;
  if (UNKNOWN_NAME.includes(String(code)))
    return `The host name ${hostname ?? at}, to which MONGODB_URI leads, is unknown. Correct it, or check the name service.`;
  return `The database at ${at} does not answer as a MongoDB does (${message}). Check MONGODB_URI, a firewall in between, and whether the database wants TLS.`;
}

function deepest(error: Failure): Failure {
  return error.cause instanceof Error ? deepest(error.cause) : error;
}
