import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type RefObject,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import { MESSAGE_CHANGE_MS, type StaffMessage } from 'server/contract';
import { drafts } from '../../../lib/drafts.ts';
import { keys } from '../../../lib/query.ts';
import type { Thread } from '../live/thread.ts';
import type { Sending } from '../outbox/outbox.ts';

/** Which own messages of an open chat are being corrected. */
interface Editing {
  /** The one that the user has just begun to correct. */
  messageId: string | null;
  /** The keys of corrections that are begun and not saved. */
  drafts: readonly string[];
  /** Begins to correct a message; null: ends it, and gives the focus back to the composer. */
  edit: (messageId: string | null) => void;
}

/** A context, so that a message knows it although the groups of a long thread are rarely rendered. */
export const EditingContext = createContext<Editing>({ messageId: null, drafts: [], edit: () => undefined });

/** The key of the draft of an own message's correction. */
export function correctionKey({ senderId, chatId, _id }: Pick<StaffMessage, 'senderId' | 'chatId' | '_id'>): string {
  return `${senderId}:${chatId}:edit:${_id}`;
}

/** What the messages of a chat know of corrections. */
export function useEditing(chatId: string, userId: string, composer: RefObject<HTMLTextAreaElement | null>): Editing {
  const [messageId, setEdited] = useState<string | null>(null);
  const prefix = correctionKey({ senderId: userId, chatId, _id: '' });
  // A text, which is the same as long as no correction begins or ends.
  const begun = useSyncExternalStore(drafts.watch, () => drafts.keys(prefix).join(' '));
  return useMemo(
    () => ({
      messageId,
      drafts: begun.split(' '),
      edit: (next) => {
        setEdited(next);
        if (next === null) composer.current?.focus();
      },
    }),
    [messageId, begun, composer],
  );
}

/** Whether the message of the user's own is shown as a field. */
export function useIsEdited(message: StaffMessage | undefined): boolean {
  const { messageId, drafts: begun } = useContext(EditingContext);
  if (!message) return false;
  return begun.includes(correctionKey(message)) || (message._id === messageId && !message.deletedAt);
}

/** For how long a message may still be corrected or deleted, in milliseconds; the server has the last word. */
function timeLeft({ timestamp, deletedAt }: StaffMessage): number {
  return deletedAt ? 0 : Date.parse(timestamp) + MESSAGE_CHANGE_MS - Date.now();
}

/** Whether the message of the user's own may still be changed; it follows the time. */
export function useIsChangeable(message: StaffMessage): boolean {
  const [, setOver] = useState(false);
  const left = timeLeft(message);
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setOver(true), left);
    return () => clearTimeout(timer);
  }, [left]);
  return left > 0;
}

/** The newest text of the user that may be corrected. */
function lastEditable(messages: readonly StaffMessage[], userId: string): StaffMessage | undefined {
  return messages.findLast((each) => each.senderId === userId && each.type === 'text' && timeLeft(each) > 0);
}

interface LastMessage {
  chatId: string;
  userId: string;
  sending: Sending;
  composer: RefObject<HTMLTextAreaElement | null>;
  /** Begins to correct a message. */
  edit: (messageId: string) => void;
}

/**
 * Begins to correct the user's newest text. While that is being sent it is waited for, since an older one must not be corrected
 * in its place; nothing happens if the composer is left or written in meanwhile.
 */
export function useEditLast({ chatId, userId, sending, composer, edit }: LastMessage): () => void {
  const client = useQueryClient();
  const [awaited, setAwaited] = useState<string | null>(null);
  const unsent = sending.outgoing.findLast((item) => !item.note && !('file' in item))?.clientId;
  // From the cache: React Query renders a little after the outbox has dropped what was sent.
  const newest = () => lastEditable(client.getQueryData<Thread>(keys.thread(chatId))?.messages ?? [], userId);
  const editAwaited = useEffectEvent((clientId: string) => {
    const field = composer.current;
    const isStillThere = field !== null && field === document.activeElement && field.value === '';
    const last = newest();
    if (isStillThere && last?.clientId === clientId) edit(last._id);
  });
  useEffect(() => {
    if (awaited === null || unsent) return;
    setAwaited(null);
    editAwaited(awaited);
  }, [awaited, unsent]);

  return () => {
    const last = newest();
    if (unsent) setAwaited(unsent);
    else if (last) edit(last._id);
  };
}
