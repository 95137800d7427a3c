import { createContext, type RefObject, useEffect, useEffectEvent, useState } from 'react';
import type { Chat, User } from 'server/contract';
import { drafts } from '../../../lib/drafts.ts';
import { sessionStore } from '../../../lib/storage.ts';

/** A reply goes to the visitor, a note only to the team. */
export type Mode = 'reply' | 'note';

/** To whom the composer of an open chat writes. */
export interface ComposerMode {
  mode: Mode;
  /** Only what the user does may call it: an event never changes to whom somebody is writing. */
  choose: (mode: Mode) => void;
  /** Chooses the reply, unless a note is begun. @returns whether it is one now */
  offerReply: () => boolean;
  /** The keys of the two drafts. */
  keys: Record<Mode, string>;
  /** Whether the note was begun when the chat was closed, and the chat is open again. */
  isReopened: boolean;
}

/** Called where the user reopens a chat in order to answer: the composer then writes a reply, unless a note is begun. */
export const ReopenedContext = createContext<() => unknown>(() => undefined);

/** The mode of a chat's composer. Which of two drafts was written last is known as long as the tab. */
export function useComposerMode(
  chat: Chat,
  user: User,
  field: RefObject<HTMLTextAreaElement | null>,
  hasFiles: boolean,
): ComposerMode {
  const owner = `${user._id}:${chat._id}`;
  const keys = { reply: owner, note: `${owner}:note` };
  const isClosed = chat.status === 'closed';
  const [mode, setMode] = useState(() => firstMode(keys, isClosed));
  const [wasClosed, setWasClosed] = useState(isClosed);
  if (isClosed && !wasClosed) setWasClosed(true);
  const choose = (next: Mode) => {
    sessionStore.set(modeKey(keys), next);
    setMode(next);
    setWasClosed(isClosed);
  };

  const offerReply = () => {
    if (mode === 'note' && drafts.read(keys.note) !== '') return false;
    choose('reply');
    return true;
  };

  // A closed chat has notes only, and an open one is there to be answered. A field in which nobody writes follows; in any other case
  // it stays as it is, and says why.
  const follow = useEffectEvent(() => {
    const isInUse = field.current === document.activeElement || drafts.read(keys[mode]) !== '';
    if (!wasClosed || isInUse || (mode === 'reply' && hasFiles)) return;
    setMode(isClosed ? 'note' : 'reply');
    setWasClosed(isClosed);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the chat changes the mode
  useEffect(() => follow(), [isClosed]);
  return { mode, choose, offerReply, keys, isReopened: mode === 'note' && wasClosed && !isClosed };
}

function modeKey(keys: ComposerMode['keys']): string {
  return `parley_mode:${keys.reply}`;
}

function firstMode(keys: ComposerMode['keys'], isClosed: boolean): Mode {
  const hasReply = drafts.read(keys.reply) !== '';
  const hasNote = drafts.read(keys.note) !== '';
  if (hasReply) return hasNote && sessionStore.get(modeKey(keys)) === 'note' ? 'note' : 'reply';
  return hasNote || isClosed ? 'note' : 'reply';
}
