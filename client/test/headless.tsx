import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { TOKEN_KEY } from 'server/contract';
import type { AgentApp, HeldMessage, OwnMessage, PageStart } from '../../e2e/delivery/headless-app.ts';
import { useLive } from '../src/features/chats/live/live.ts';
import { useReportReceipts } from '../src/features/chats/live/receipts.ts';
import { deliveryStateOf, type Thread } from '../src/features/chats/live/thread.ts';
import { useThread } from '../src/features/chats/live/threadQuery.ts';
import type { Outgoing } from '../src/features/chats/model/timeline.ts';
import { outboxOf } from '../src/features/chats/outbox/outbox.ts';
import { AuthProvider, useAuth } from '../src/lib/auth.tsx';
import { createQueryClient, keys } from '../src/lib/query.ts';
import { SocketProvider, useSocket } from '../src/lib/socket.tsx';

type Auth = ReturnType<typeof useAuth>;
type Line = ReturnType<typeof useSocket>;

/** What the components expose, since nothing is rendered. */
interface Reach {
  user: Auth['user'];
  line: Line | null;
  shown: readonly string[];
  /** Renders the chats of `shown`. */
  draw(): void;
}

/** The dashboard without a screen: connection, cache, outbox and receipts of the user of this token. */
export function start({ token, origin: _, changed }: PageStart & { token: string }): AgentApp {
  localStorage.setItem(TOKEN_KEY, token);
  const client = createQueryClient();
  const reach: Reach = { user: null, line: null, shown: [], draw: () => undefined };
  client.getQueryCache().subscribe(changed);
  createRoot(nowhere()).render(
    <QueryClientProvider client={client}>
      <AuthProvider>
        <SocketProvider>
          <Dashboard reach={reach} changed={changed} />
        </SocketProvider>
      </AuthProvider>
    </QueryClientProvider>,
  );

  const thread = (chatId: string) => client.getQueryData<Thread>(keys.thread(chatId));
  const outbox = () => reach.user && outboxOf(reach.user);
  const ask = async (event: 'claim_chat' | 'close_chat', chatId: string) => {
    await reach.line?.request(event, { chatId }).catch(() => undefined);
  };
  const held = (chatId: string): HeldMessage[] =>
    (thread(chatId)?.messages ?? []).map(({ seq, clientId, content }) => ({ chatId, seq, clientId, content }));
  const own = (chatId: string): OwnMessage[] => {
    const { messages = [], receipts = null } = thread(chatId) ?? {};
    const stored = messages.filter(({ sender, senderId }) => sender === 'agent' && senderId === reach.user?._id);
    const known = new Set(stored.map(({ clientId }) => clientId));
    const waiting = (outbox()?.list(chatId) ?? []).filter(({ clientId }) => !known.has(clientId));
    return [
      ...stored.map(({ content, seq }) => ({ content, progress: deliveryStateOf(seq, receipts) })),
      ...waiting.map(({ content, failed }) => ({ content, progress: failed === null ? 'sending' : 'failed' }) as const),
    ];
  };
  return {
    held: () => reach.shown.flatMap(held),
    own: () => reach.shown.flatMap(own),
    waiting: () => stored().filter(({ failed }) => failed === null).length,
    failed: () => stored().flatMap(({ failed, content }) => (failed === null ? [] : [content])),
    connected: () => reach.line?.connected ?? false,
    show: (chatIds) => {
      reach.shown = [...chatIds];
      reach.draw();
    },
    send: (chatId, content) => {
      outbox()?.add(chatId, content);
      return outbox() !== null;
    },
    claim: (chatId) => ask('claim_chat', chatId),
    close: (chatId) => ask('close_chat', chatId),
  };
}

/** All entries of the outbox in local storage. */
function stored(): Outgoing[] {
  const kept = Object.keys(localStorage).filter((key) => key.startsWith('parley_outbox:'));
  return kept.map((key) => JSON.parse(localStorage.getItem(key) ?? 'null') as Outgoing);
}

function Dashboard({ reach, changed }: { reach: Reach; changed: () => void }) {
  const { user } = useAuth();
  const line = useSocket();
  const [shown, setShown] = useState<readonly string[]>([]);
  useEffect(() => {
    Object.assign(reach, { user, line, draw: () => setShown(reach.shown) });
    reach.draw();
    return user ? outboxOf(user).subscribe(changed) : undefined;
  }, [reach, user, line, changed]);
  useLive();
  return user && shown.map((chatId) => <OpenThread key={chatId} chatId={chatId} />);
}

function OpenThread({ chatId }: { chatId: string }) {
  const { data } = useThread(chatId);
  return data ? <Reading chatId={chatId} thread={data} /> : null;
}

function Reading({ chatId, thread }: { chatId: string; thread: Thread }) {
  useReportReceipts(chatId, thread, true);
  return null;
}

/** As much of a DOM element as React needs to render nothing. */
function nowhere(): Element {
  const node = { addEventListener: () => undefined, removeEventListener: () => undefined };
  const ownerDocument = { ...node, nodeType: 9, defaultView: window };
  return { ...node, nodeType: 1, tagName: 'DIV', nodeName: 'DIV', ownerDocument } as unknown as Element;
}
