// An open chat, and what all screens know of chats: lists, counts, events, the outbox. The list of the inbox is a feature of its own.
export { useReopen } from './actions/api.ts';
export { isClaimable, useClaim, withoutAssistant } from './actions/claim.ts';
export { putChats, useChat, useChats, useCounts, useTags, useUnreadChats } from './api.ts';
export { ClaimedBy, preview, StatusBadge } from './ChatLabels.tsx';
export { cachedChat } from './live/cache.ts';
export { useCountChanges } from './live/countChanges.ts';
export { useLeftSites } from './live/leftSites.ts';
export { useLive } from './live/live.ts';
export { byActivity, type ChatFilter, type Comparator, comparatorOf } from './model/chatPages.ts';
export { INBOX_SHORTCUTS, inboxKeymap } from './shortcuts.ts';
export { ConsoleChat } from './thread/ConsoleChat.tsx';
export { OpenChat } from './thread/LazyOpenChat.tsx';
export type { OpenChatProps } from './thread/ThreadPane.tsx';
export { CHAT_STATUSES, type Choices, DEFAULT_CHOICES, filterOf, isFiltered, useChatsUrl } from './url.ts';
