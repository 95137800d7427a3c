// Canned replies: the texts that a team keeps ready, and the screen that edits them.
export { readReplyFiles, useCannedReplies } from './api.ts';
export { CannedReplies, ManageReplies } from './CannedReplies.tsx';
