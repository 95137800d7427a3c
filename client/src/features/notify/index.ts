// Who is told of new chats and messages: sound, desktop and push notifications.
export { useMentions } from './api.ts';
export { useNotify } from './live.ts';
export { NotificationPrompt } from './NotificationPrompt.tsx';
export { WaitingAnnouncer } from './WaitingAnnouncer.tsx';
