export { isReplyFile, replyFileBytes } from './files.ts';
export { type ReplyDoc, ReplyModel } from './model.ts';
