import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { type Api, FILE_NAME_MAX_LENGTH, type User } from 'server/contract';
import { upload } from '../../../lib/upload.ts';
import { patchThread } from '../live/cache.ts';
import { mergeMessages } from '../model/thread.ts';
import { outboxOf, useOutgoing } from './delivery.ts';
import type { Outgoing } from './outboxStorage.ts';
import { createUploads, type FileCarrier, type Upload, type Uploads } from './uploads.ts';

/** What a user has on its way in one chat, and what can be done with it. */
export interface Sending {
  /** Messages, notes and files, in the order of writing. */
  outgoing: readonly (Outgoing | Upload)[];
  send: (text: string) => void;
  note: (text: string) => void;
  attach: (files: readonly File[]) => void;
  retry: (clientId: string) => void;
  remove: (clientId: string) => void;
}

const uploads = new WeakMap<QueryClient, Map<string, Uploads>>();

/** The user's way to send in a chat: messages and notes by the outbox, files beside it. */
export function useSending(chatId: string, user: User): Sending {
  const client = useQueryClient();
  const files = uploadsOf(client, user);
  const outbox = outboxOf(user);
  const { items } = useOutgoing(chatId);
  const pending = useSyncExternalStore(files.subscribe, () => files.list(chatId));
  return useMemo(
    () => ({
      outgoing: [...items, ...pending].sort((a, b) => a.at - b.at),
      send: (text) => outbox?.add(chatId, text),
      note: (text) => outbox?.add(chatId, text, true),
      attach: (chosen) => files.add(chatId, chosen),
      retry: (clientId) => {
        outbox?.retry(clientId);
        files.retry(clientId);
      },
      remove: (clientId) => {
        outbox?.remove(clientId);
        files.remove(clientId);
      },
    }),
    [chatId, outbox, files, items, pending],
  );
}

/** Lives as long as the page: a file goes on its way when another chat is opened. */
function uploadsOf(client: QueryClient, { _id }: User): Uploads {
  const ofClient = uploads.get(client) ?? new Map<string, Uploads>();
  const ofUser = ofClient.get(_id) ?? createUploads(carrierOf(client));
  uploads.set(client, ofClient.set(_id, ofUser));
  return ofUser;
}

function carrierOf(client: QueryClient): FileCarrier {
  return async ({ chatId, clientId, file }, options) => {
    // The end of a name says more than its start: there is the extension.
    const query = new URLSearchParams({ name: file.name.slice(-FILE_NAME_MAX_LENGTH), clientId });
    const path = `/chats/${chatId}/files?${query}`;
    const { message } = await upload<Api['POST /chats/:id/files']['data']>(path, file, options);
    patchThread(client, chatId, (thread) => mergeMessages(thread, [message]));
  };
}
