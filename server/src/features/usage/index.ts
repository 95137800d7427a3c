export { createUsage, siteFull, textBytes, type Usage } from './counter.ts';
export { addingFile, droppingFiles } from './files.ts';
export type { Bytes } from './model.ts';
export { createStorageWatch, type Disk, type StorageWatch } from './watch.ts';
