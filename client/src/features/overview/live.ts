import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { type Chat, OVERVIEW_RECENT, type Overview } from 'server/contract';
import { cachedChat } from '#features/chats';
import { keys } from '../../lib/query.ts';
import { type SocketHandlers, useSocketEvents } from '../../lib/socket.tsx';
import { throttle } from '../../lib/timing.ts';
import {
  type Activity,
  chatClaimed,
  chatClosed,
  chatReopened,
  chatStarted,
  chatTransferred,
  messageWritten,
  newestActivity,
} from './activity.ts';
import { upsertRecent } from './api.ts';

/** Throttle: many events at once are one reason to read the figures again. */
const FIGURES_AFTER_MS = 1_000;

/** Keeps the overview up to date and collects activities. Mounted once, by the frame of the dashboard. */
export function useOverviewLive(): void {
  const client = useQueryClient();
  const isFirst = useRef(true);
  const catchUp = () => {
    const wasFirst = isFirst.current;
    isFirst.current = false;
    // On the first connection, `sync` reloads the figures if they were requested before it.
    if (wasFirst) return;
    // Deletions while disconnected are not reported, so only chats that the server returns again are kept.
    changeRecent(client, (recent) => recent.slice(0, OVERVIEW_RECENT));
    void client.invalidateQueries({ queryKey: keys.overview });
  };
  useSocketEvents(
    useMemo(() => handlersOf(client), [client]),
    catchUp,
  );
}

function handlersOf(client: QueryClient): SocketHandlers {
  client.setQueryDefaults(keys.activity, { gcTime: Number.POSITIVE_INFINITY });
  const figures = throttle(() => void client.invalidateQueries({ queryKey: keys.overview }), FIGURES_AFTER_MS);
  const add = (entry: Activity) =>
    client.setQueryData<Activity[]>(keys.activity, (held = []) => newestActivity(held, [entry]));
  const now = () => new Date().toISOString();
  return {
    new_chat: ({ chat }) => {
      changeRecent(client, (recent) => upsertRecent(recent, chat));
      add(chatStarted(chat));
      figures();
    },
    chat_updated: ({ chat }) => changeRecent(client, (recent) => upsertRecent(recent, chat)),
    new_message: ({ message, notice }) => {
      if (message.sender === 'agent') figures();
      if (notice && message.sender === 'visitor') add(messageWritten(message, notice.visitorName));
    },
    chat_claimed: ({ chatId, claimedBy }) => {
      add(chatClaimed(chatId, chatOf(client, chatId), claimedBy, now()));
      figures();
    },
    chat_transferred: ({ chat, by, to }) => add(chatTransferred(chat, by, to, now())),
    chat_closed: ({ chatId, closedBy }) => {
      add(chatClosed(chatId, chatOf(client, chatId), closedBy, now()));
      figures();
    },
    chat_reopened: ({ chatId, by }) => add(chatReopened(chatId, chatOf(client, chatId), by, now())),
    chat_deleted: ({ chatId }) => {
      changeRecent(client, (recent) => recent.filter(({ _id }) => _id !== chatId));
      figures();
    },
    visitor_erased: ({ visitorId }) => {
      changeRecent(client, (recent) => recent.filter((chat) => chat.visitorId !== visitorId));
      figures();
    },
    site_updated: figures,
    team_updated: figures,
  };
}

/** The chat from any of the caches. */
function chatOf(client: QueryClient, chatId: string): Chat | undefined {
  const recent = client.getQueryData<Overview>(keys.overview)?.recent;
  return cachedChat(client, chatId) ?? recent?.find(({ _id }) => _id === chatId);
}

function changeRecent(client: QueryClient, change: (recent: readonly Chat[]) => Chat[]): void {
  client.setQueryData<Overview>(keys.overview, (held) => held && { ...held, recent: change(held.recent) });
}
