import { dropIndexes, type Step } from './step.ts';

/** What versions without numbered data have left: indexes that cost each write and that no query uses. */
export const unusedIndexes: Step = {
  version: 1,
  name: 'drop unused indexes',
  after: (context) =>
    dropIndexes(context, {
      chats: ['open_by_claimer'],
      invites: ['email_1'],
      mails: ['dueAt_1'],
      messages: ['site_1'],
      notices: ['site_1'],
      postings: ['site_1_word_1_chat_-1'],
      replies: ['site_1_shortcut_1'],
      sessions: ['user_1'],
      usages: ['inUse_1'],
      visitors: ['site_1'],
    }),
};
