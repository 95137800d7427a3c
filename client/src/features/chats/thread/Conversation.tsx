import type { RefObject } from 'react';
import type { Chat, Site, User } from 'server/contract';
import { can } from 'server/contract';
import { onDemand } from '../../../ui/onDemand.ts';
import { ConversationSkeleton } from './Waiting.tsx';

const openChat = onDemand(() => import('./OpenChat.tsx'));

export interface ConversationProps {
  chatId: string;
  user: User;
  sites: readonly Site[];
  composer: RefObject<HTMLTextAreaElement | null>;
  onBack: () => void;
}

/** The chat beside the list. All that writes and reads in it comes with the first one that is opened, or soon after the list. */
export function Conversation(props: ConversationProps) {
  const loaded = openChat.usePart(true);
  return loaded ? <loaded.OpenChat {...props} /> : <ConversationSkeleton />;
}

/** Whether the user may claim, answer and close this chat. */
export function mayAnswer(chat: Chat, sites: readonly Site[]): boolean {
  const site = sites.find((each) => each._id === chat.site._id);
  return site !== undefined && can(site, 'chats.reply');
}
