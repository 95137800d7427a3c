import { CommandError } from '../errors.ts';
import * as admin from './admin.ts';
import { aggregate } from './aggregate.ts';
import type { Command } from './call.ts';
import { count } from './count.ts';
import { explain } from './explain.ts';
import { find, getMore } from './find.ts';
import { findAndModify } from './findAndModify.ts';
import { createIndexes, dropIndexes, listIndexes } from './indexes.ts';
import { insert } from './insert.ts';
import { remove, update } from './update.ts';
import { validate } from './validate.ts';

const COMMANDS: Record<string, Command> = {
  hello: admin.hello,
  isMaster: admin.hello,
  ismaster: admin.hello,
  ping: admin.acknowledge,
  buildInfo: admin.buildInfo,
  buildinfo: admin.buildInfo,
  endSessions: admin.acknowledge,
  refreshSessions: admin.acknowledge,
  killSessions: admin.acknowledge,
  connectionStatus: admin.connectionStatus,
  create: admin.create,
  dbStats: admin.dbStats,
  drop: admin.drop,
  dropDatabase: admin.dropDatabase,
  listCollections: admin.listCollections,
  listDatabases: admin.listDatabases,
  killCursors: admin.killCursors,
  insert,
  find,
  getMore,
  update,
  delete: remove,
  findAndModify,
  findandmodify: findAndModify,
  count,
  aggregate,
  explain,
  createIndexes,
  dropIndexes,
  listIndexes,
  validate,
};

/**
 * The command of a name.
 * @throws CommandError 59 for unknown names, or a fitting code for known commands that are not supported
 */
export function commandOf(name: string): Command {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command) return command;
  const refusal = Object.hasOwn(admin.REFUSED, name) ? admin.REFUSED[name] : undefined;
  throw refusal?.() ?? new CommandError(59, `no such command: '${name}'`);
}
