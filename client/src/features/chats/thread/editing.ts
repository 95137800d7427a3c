import { createContext, useEffect, useState } from 'react';
import { MESSAGE_CHANGE_MS, type StaffMessage } from 'server/contract';

/** Which own message of an open chat is being corrected. */
interface Editing {
  messageId: string | null;
  /** Begins to correct a message; null: ends it, and gives the focus back to the composer. */
  edit: (messageId: string | null) => void;
}

/** A context, so that a message knows it although the groups of a long thread are rarely rendered. */
export const EditingContext = createContext<Editing>({ messageId: null, edit: () => undefined });

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
export function lastEditable(messages: readonly StaffMessage[], userId: string): StaffMessage | undefined {
  return messages.findLast((each) => each.senderId === userId && each.type === 'text' && timeLeft(each) > 0);
}
