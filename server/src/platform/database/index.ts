export {
  bypassDriver,
  connection,
  countUpTo,
  defineModel,
  findByIds,
  findInFile,
  isAny,
  sendWrites,
  throughPrimaryChange,
  writeDurably,
} from './connection.ts';
export { deleteInBatches, removeOne } from './deletes.ts';
export { patchDriver } from './driverPatches.ts';
export { DUPLICATE_KEY, isBusy, OUT_OF_DISK_SPACE } from './failures.ts';
export { probeDatabase } from './probe.ts';
export { connectToStore } from './storeConnection.ts';
