import type { Chat, Claimer, StaffMessage } from 'server/contract';
import { truncate } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { visitorName } from '../../shared/visitorName.ts';

const ACTIVITY_MAX = 20;
export const PREVIEW_LENGTH = 50;

export interface Activity {
  /** Identifies an activity, so that one reported twice is shown once. */
  key: string;
  type: 'chat_started' | 'message' | 'chat_claimed' | 'chat_closed';
  chatId: string;
  message: string;
  /** ISO 8601 UTC */
  time: string;
}

/** The newest activities without duplicates. */
export function newestActivity(...lists: readonly (readonly Activity[])[]): Activity[] {
  const once = new Map(lists.flat().map((entry) => [entry.key, entry]));
  return [...once.values()].sort((a, b) => b.time.localeCompare(a.time)).slice(0, ACTIVITY_MAX);
}

/** Activities from before this page was opened, as far as the recent chats tell. */
export function pastActivity(recent: readonly Chat[]): Activity[] {
  return recent.flatMap((chat) => [
    chatStarted(chat),
    ...(chat.closedAt ? [chatClosed(chat._id, chat, null, chat.closedAt)] : []),
  ]);
}

export function chatStarted(chat: Chat): Activity {
  const values = { name: nameOf(chat), site: chat.site.name || t('Unknown Site') };
  const message = t('{name} started a chat on {site}', values);
  return { key: `started ${chat._id}`, type: 'chat_started', chatId: chat._id, message, time: chat.createdAt };
}

export function messageWritten({ chatId, seq, content, timestamp }: StaffMessage, by: string | null): Activity {
  const message = t('{name}: {text}', { name: visitorName(by), text: truncate(content, PREVIEW_LENGTH) });
  return { key: `message ${chatId} ${seq}`, type: 'message', chatId, message, time: timestamp };
}

/** @param chat what is known of it, if anything */
export function chatClaimed(chatId: string, chat: Chat | undefined, { _id, name }: Claimer, time: string): Activity {
  const message = chat
    ? t('{name} claimed the chat with {visitor}', { name, visitor: nameOf(chat) })
    : t('{name} claimed a chat', { name });
  return { key: `claimed ${chatId} ${_id}`, type: 'chat_claimed', chatId, message, time };
}

/** Replaces the claim that is reported first. @param to null: the queue */
export function chatTransferred(chat: Chat, by: Claimer, to: Claimer | null, time: string): Activity {
  const { _id: chatId } = chat;
  const values = { name: by.name, visitor: nameOf(chat) };
  const message = to
    ? t('{name} handed the chat with {visitor} to {colleague}', { ...values, colleague: to.name })
    : t('{name} gave the chat with {visitor} back to the queue', values);
  return { key: `claimed ${chatId} ${to?._id}`, type: 'chat_claimed', chatId, message, time };
}

/** @param chat what is known of it, if anything */
export function chatClosed(chatId: string, chat: Chat | undefined, by: Claimer | null, time: string): Activity {
  return { key: `closed ${chatId}`, type: 'chat_closed', chatId, message: closedText(chat, by?.name), time };
}

function closedText(chat: Chat | undefined, name: string | undefined): string {
  const visitor = chat && nameOf(chat);
  if (name === undefined)
    return visitor ? t('The chat with {visitor} was closed', { visitor }) : t('A chat was closed');
  return visitor ? t('{name} closed the chat with {visitor}', { name, visitor }) : t('{name} closed a chat', { name });
}

/** Replaces the claim that is reported first. @param chat what is known of it, if anything */
export function chatReopened(chatId: string, chat: Chat | undefined, { _id, name }: Claimer, time: string): Activity {
  const message = chat
    ? t('{name} reopened the chat with {visitor}', { name, visitor: nameOf(chat) })
    : t('{name} reopened a chat', { name });
  return { key: `claimed ${chatId} ${_id}`, type: 'chat_claimed', chatId, message, time };
}

function nameOf({ visitorInfo }: Chat): string {
  return visitorName(visitorInfo.name);
}
