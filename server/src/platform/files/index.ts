export { readBlob, removeBlobs, writeBlob } from './blobs.ts';
export { detectType, sanitizeFileName } from './kind.ts';
export { eachPicture, eachUncertain } from './model.ts';
export { createPictures, type PictureSender, type Pictures } from './pictures.ts';
export { openNameless, type ReceivedFile, receiveUpload } from './receive.ts';
export {
  attachmentView,
  confirmFile,
  doubtFiles,
  type ListedFile,
  listedFiles,
  type MessageFile,
  pictureUrl,
  removeFileByKey,
  removeFiles,
  type StoredFile,
  storeFile,
  storePicture,
} from './storedFiles.ts';
