import { lazyPart } from '../../../ui/lazyPart.tsx';
import { ConversationSkeleton } from './Skeletons.tsx';

/** The open chat, a script of its own: an inbox in which none is open does without. */
export const OpenChat = lazyPart(async () => (await import('./OpenChat.tsx')).OpenChat, {
  waiting: <ConversationSkeleton />,
});
