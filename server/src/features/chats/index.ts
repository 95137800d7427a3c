export type { Asking, Assistance } from './assisted/assistance.ts';
export { derivedClientId, handedOver, handOver } from './assisted/handOver.ts';
export { answerHelped } from './assisted/helped.ts';
export {
  type AssistantRunOf,
  beginRun,
  dropRun,
  hasRun,
  readQuestion,
  storeAnswer,
} from './assisted/run.ts';
export { type ChatAccess, type ChatOfSite, chatFor, type Doer } from './guards.ts';
export {
  BY_TAG,
  countActive,
  departmentFilter,
  HAS_MESSAGES,
  listChats,
  listFilter,
  listIndex,
  readByTime,
  readChanges,
  readThread,
} from './lists/lists.ts';
export { type RemovalDoc, RemovalModel } from './lists/removals.ts';
export { createTyping, createViewers, type Typing, type Viewers } from './live/live.ts';
export { removeChats } from './maintenance.ts';
export { isAnswer, type MessageDoc, MessageModel } from './messageModel.ts';
export { maskCardNumbers, storedAddress, storedText } from './messages/cardNumbers.ts';
export { type Change, changeMessage } from './messages/changes.ts';
export { sendFile } from './messages/files.ts';
export { findImportedChats, storeImportedChats, storeImportedMessages } from './messages/importing.ts';
export { withCurrentQuotes } from './messages/mailQuotes.ts';
export type { Appended, MessageInputWithId } from './messages/messages.ts';
export {
  answerChat,
  openChatOf,
  readOpenChatAhead,
  type Sent,
  sendAsVisitor,
  sendByRule,
} from './messages/sending.ts';
export { chatsOf, copyToChats, nameVisitor, startByAgent } from './messages/visitorChats.ts';
export { type ChatDoc, ChatModel, chatCache, SET_UPDATED_AT } from './model.ts';
export { type NoteDoc, NoteModel } from './notes/noteModel.ts';
export { addNote } from './notes/notes.ts';
export { outboxUpdate } from './outboxEvents.ts';
export { countStored, messageProjection, secondBeforeNewest } from './row/messageProjection.ts';
export { forReader, moveReceipt, rowsAnnounced } from './row/projection.ts';
export { newestMessage, plainText } from './row/row.ts';
export { chatRows } from './row/rowRepair.ts';
export {
  chatEventSchema,
  conditionFields,
  contentField,
  departmentFilterField,
  editSchema,
  listSearch,
  listStatusChoice,
  normalizeTag,
  receiptSchema,
  SEQ_MAX,
  statusChoice,
  typingFlag,
  uploadSchema,
} from './schemas.ts';
export {
  agentView,
  changesView,
  chatView,
  chatViews,
  messageView,
  messageViews,
  noteView,
  ratingView,
  staffMessageView,
} from './serialize.ts';
export { snoozeChat } from './snooze/snooze.ts';
export { refuseIfFull } from './storage.ts';
export { claimChat } from './turns/claim.ts';
export { closeChat } from './turns/closing.ts';
export { moveToDepartment } from './turns/department.ts';
export { changeTag, rateChat } from './turns/ratingAndTags.ts';
export { handBack, releaseChats, transferChat } from './turns/transfer.ts';
export { type TurnDoc, turnSchema, turnsOf } from './turns/turns.ts';
