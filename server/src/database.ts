import mongoose from 'mongoose';
import { AccountWordModel } from './admin/model.ts';
import { AuditModel } from './audit/model.ts';
import { ResetModel, SessionModel, UserModel } from './auth/model.ts';
import { ChatModel, MessageModel, NoteModel, RemovalModel } from './chats/model.ts';
import { repairSummaries } from './chats/summary.ts';
import type { Env } from './env.ts';
import { FileModel } from './files/model.ts';
import { MailModel } from './mail/model.ts';
import { NoticeModel } from './notify/model.ts';
import { FigureModel } from './overview/model.ts';
import { PushModel } from './push/model.ts';
import { ReplyModel } from './replies/model.ts';
import { MarkModel, PostingModel } from './search/model.ts';
import { SiteModel } from './sites/model.ts';
import { borrowStore, startStore } from './store/index.ts';
import { InviteModel } from './team/model.ts';
import { VisitorModel } from './visitors/model.ts';

const MODELS = [
  UserModel,
  SessionModel,
  ResetModel,
  SiteModel,
  InviteModel,
  ChatModel,
  MessageModel,
  NoteModel,
  RemovalModel,
  FileModel,
  ReplyModel,
  VisitorModel,
  PostingModel,
  MarkModel,
  FigureModel,
  AuditModel,
  AccountWordModel,
  MailModel,
  NoticeModel,
  PushModel,
];
/** How long a store may be silent before a call is answered `UNAVAILABLE`. */
const STORE_SILENT_MAX_MS = 8_000;

/** The connected database, embedded or the operator's. */
export interface Database {
  /** Resolves with the reason if the embedded store dies by itself. */
  failed: Promise<Error>;
  /** Whether it answers a ping. */
  answers(): Promise<boolean>;
  /** What keeps the data, and how much room it takes on the disk. */
  storage: { engine: 'embedded' | 'mongodb'; bytes(): Promise<number> };
  stop(): Promise<void>;
}

/**
 * Connects to the operator's MongoDB, or to the embedded store, which it starts; makes the indexes, repairs what a crash left.
 * @throws StoreError with a sentence
 */
export async function connectDatabase(env: Env, workerUrl: URL): Promise<Database> {
  const embedded = env.mongodbUri === null ? await startStore({ dataDir: env.dataDir, workerUrl }) : null;
  const stop = async () => {
    await mongoose.disconnect();
    await embedded?.stop();
  };
  try {
    await connect(env.mongodbUri ?? embedded?.uri ?? '');
    for (const model of MODELS) await model.createIndexes();
    await repairSummaries();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    failed: embedded?.failed ?? new Promise(() => {}),
    answers,
    storage: embedded
      ? { engine: 'embedded', bytes: () => embedded.bytes() }
      : { engine: 'mongodb', bytes: mongodbBytes },
    stop,
  };
}

/**
 * Connects for one short command, to the store of a server that runs or to one opened for it. Makes and repairs nothing.
 * Gives the function that leaves it again.
 * @throws StoreError with a sentence
 */
export async function borrowDatabase(env: Env, workerUrl: URL): Promise<() => Promise<void>> {
  const embedded = env.mongodbUri === null ? await borrowStore({ dataDir: env.dataDir, workerUrl }) : null;
  const leave = async () => {
    await mongoose.disconnect();
    await embedded?.stop();
  };
  try {
    await connect(env.mongodbUri ?? embedded?.uri ?? '');
    return leave;
  } catch (error) {
    await leave();
    throw error;
  }
}

async function connect(uri: string): Promise<void> {
  mongoose.set({ autoIndex: false, strictQuery: true, bufferCommands: false });
  await mongoose.connect(uri, {
    serverSelectionTimeoutMS: STORE_SILENT_MAX_MS,
    socketTimeoutMS: STORE_SILENT_MAX_MS,
    writeConcern: { w: 'majority', journal: true },
  });
}

async function mongodbBytes(): Promise<number> {
  const stats = await mongoose.connection.db?.command({ dbStats: 1 });
  return Number(stats?.totalSize ?? 0);
}

async function answers(): Promise<boolean> {
  const ping = mongoose.connection.db?.command({ ping: 1 });
  return (await ping?.then(() => true).catch(() => false)) ?? false;
}
