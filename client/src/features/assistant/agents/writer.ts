import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { DraftAction } from 'server/contract';
import { drafts, useDraft } from '../../../lib/drafts.ts';
import { t } from '../../../lib/i18n.ts';
import { showFailure } from '../../../ui/failureToast.tsx';
import { streamDraft } from './stream.ts';

/** The chat of which a summary is asked for, until its note field takes it up. */
let summaryOf: string | null = null;
const waiting = new Set<() => void>();

/** Writes a summary into the note field of the open chat. */
export function requestSummary(chatId: string | null): void {
  summaryOf = chatId;
  for (const tell of waiting) tell();
}

function watchRequests(tell: () => void): () => void {
  waiting.add(tell);
  return () => void waiting.delete(tell);
}

interface WriterProps {
  chatId: string;
  draftKey: string;
  isNote: boolean;
  onNote: () => void;
  field: RefObject<HTMLElement | null>;
}

/** The model as it writes into the field of a chat: what it does, how it is stopped, and what brings back the text from before. */
export type Writer = ReturnType<typeof useWriter>;

/**
 * Lets the model write into a draft. Nothing is sent by that, what somebody types stops it, and it never writes into another draft
 * than the one that was shown when it was asked.
 */
export function useWriter({ chatId, draftKey, isNote, onNote, field }: WriterProps) {
  const [text] = useDraft(draftKey);
  const [isWriting, setWriting] = useState(false);
  const [undo, setUndo] = useState<{ key: string; before: string; after: string } | null>(null);
  const underWay = useRef<AbortController>(null);
  const stop = () => underWay.current?.abort();

  const write = async (action: DraftAction): Promise<void> => {
    if (underWay.current) return;
    const own = new AbortController();
    underWay.current = own;
    const before = drafts.read(draftKey);
    let after = action === 'summary' && before.trim() !== '' ? `${before.trimEnd()}\n` : '';
    let shown = before;
    setWriting(true);
    setUndo(null);
    field.current?.focus();
    const onText = (piece: string) => {
      if (drafts.read(draftKey) !== shown) own.abort();
      if (own.signal.aborted) return;
      after += piece;
      shown = after;
      drafts.write(draftKey, after);
    };
    /** Half a text does not stay in the place of a whole one, unless somebody has gone on with it. */
    const restore = () => {
      if (drafts.read(draftKey) === shown) drafts.write(draftKey, before);
      shown = before;
    };
    const needsText = action !== 'draft' && action !== 'summary';
    try {
      await streamDraft(chatId, { action, ...(needsText && { text: before.trim() }) }, { signal: own.signal, onText });
    } catch (error) {
      if (!own.signal.aborted) {
        restore();
        showFailure(error, t('The assistant could not write.'), () => void write(action));
      }
    }
    // Another draft is shown by now.
    if (underWay.current !== own) return restore();
    underWay.current = null;
    setWriting(false);
    if (shown !== before) setUndo({ key: draftKey, before, after: shown });
  };

  const takeBack = () => {
    if (!undo) return;
    drafts.write(draftKey, undo.before);
    setUndo(null);
    field.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent): boolean => {
    const isUndo = event.key === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    if (isWriting && event.key === 'Escape') stop();
    else if (isUndo && undo?.after === text) takeBack();
    // Half a text is not sent by the key that somebody pressed for the text before.
    else if (!(isWriting && event.key === 'Enter' && !event.shiftKey)) return false;
    event.preventDefault();
    return true;
  };

  const leave = useEffectEvent(() => {
    stop();
    underWay.current = null;
    setWriting(false);
    setUndo(null);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another draft is shown
  useEffect(() => leave, [draftKey]);

  const requested = useSyncExternalStore(watchRequests, () => summaryOf) === chatId;
  const takeUp = useEffectEvent(() => {
    if (!isNote) return onNote();
    requestSummary(null);
    void write('summary');
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the note's field is shown
  useEffect(() => {
    if (requested) takeUp();
  }, [requested, isNote]);

  // What was sent, or deleted, is over.
  const canUndo = undo !== null && undo.key === draftKey && text !== '';
  return { isWriting, write, stop, takeBack: canUndo ? takeBack : null, onKeyDown };
}
