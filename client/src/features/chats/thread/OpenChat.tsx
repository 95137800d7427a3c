import { useState } from 'react';
import { useSocket } from '../../../lib/socket.tsx';
import { useChat } from '../api.ts';
import { Details } from '../details/Details.tsx';
import { useThread } from '../live/threadQuery.ts';
import { Header } from './ChatHeader.tsx';
import type { ConversationProps } from './Conversation.tsx';
import { NoTalk, Talk } from './ThreadPane.tsx';

/** An open chat: its head, its thread, its composer and who the visitor is. */
export function OpenChat({ chatId, user, sites, composer, onBack }: ConversationProps) {
  const chat = useChat(chatId);
  const thread = useThread(chatId);
  const { connected } = useSocket();
  const [detailsOpen, setDetailsOpen] = useState(false);
  if (!chat.data) return <NoTalk chat={chat} />;

  const row = chat.data;
  const site = sites.find((each) => each._id === row.site._id);
  const online = connected ? (thread.data?.visitor?.online ?? null) : null;
  return (
    <div className="relative flex min-w-0 flex-1">
      <Talk
        chat={row}
        thread={thread}
        user={user}
        site={site}
        composer={composer}
        head={
          <Header
            chat={row}
            user={user}
            site={site}
            online={online}
            detailsOpen={detailsOpen}
            onBack={onBack}
            onDetails={() => setDetailsOpen(!detailsOpen)}
          />
        }
      />
      <Details
        chat={row}
        thread={thread.data}
        userId={user._id}
        site={site}
        online={online}
        open={detailsOpen}
        onHide={() => setDetailsOpen(false)}
        onErased={onBack}
      />
    </div>
  );
}
