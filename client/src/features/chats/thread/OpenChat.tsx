import { useState } from 'react';
import type { Site } from 'server/contract';
import { useSocket } from '../../../lib/socket.tsx';
import { useChat } from '../api.ts';
import { Details } from '../details/Details.tsx';
import { useThread } from '../live/threadQuery.ts';
import { ChatHeader } from './ChatHeader.tsx';
import { NoChat, type OpenChatProps, ThreadPane } from './ThreadPane.tsx';

/** An open chat of the inbox: header, thread, composer, and the details of the visitor. */
export function OpenChat({ chatId, sites, onBack, ...pane }: OpenChatProps & { sites: readonly Site[] }) {
  const { user } = pane;
  const chat = useChat(chatId);
  const thread = useThread(chatId);
  const { connected } = useSocket();
  const [detailsOpen, setDetailsOpen] = useState(false);
  if (!chat.data) return <NoChat chat={chat} />;

  const { data } = chat;
  const site = sites.find((each) => each._id === data.site._id);
  const online = connected ? (thread.data?.visitor?.online ?? null) : null;
  return (
    <div className="relative flex min-w-0 flex-1">
      <ThreadPane
        {...pane}
        chat={data}
        thread={thread}
        site={site}
        header={(onFind) => (
          <ChatHeader
            chat={data}
            user={user}
            site={site}
            online={online}
            detailsOpen={detailsOpen}
            onBack={onBack}
            onFind={onFind}
            onDetails={() => setDetailsOpen(!detailsOpen)}
          />
        )}
      />
      <Details
        chat={data}
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
