import { Sparkles } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/Button.tsx';
import { showFailure } from '../../../ui/failureToast.tsx';
import { streamDraft } from './stream.ts';

interface SummaryNoteProps {
  chatId: string;
  /** The note; null: none is wanted. */
  note: string | null;
  onNote: (note: string | null) => void;
}

/** Offers a note for whoever takes a chat over, which the assistant writes and the user may change. */
export function SummaryNote({ chatId, note, onNote }: SummaryNoteProps) {
  const [isWriting, setWriting] = useState(false);
  const underWay = useRef<AbortController>(null);
  useEffect(() => () => underWay.current?.abort(), []);

  const write = async (): Promise<void> => {
    const own = new AbortController();
    const { signal } = own;
    underWay.current = own;
    let written = '';
    setWriting(true);
    onNote('');
    const onText = (piece: string) => {
      written += piece;
      onNote(written);
    };
    try {
      await streamDraft(chatId, { action: 'summary' }, { signal, onText });
    } catch (error) {
      if (signal.aborted) return;
      onNote(null);
      showFailure(error, t('The assistant could not write.'), () => void write());
    }
    setWriting(false);
  };

  if (note === null)
    return (
      <Button variant="secondary" size="sm" className="mt-3" onClick={() => void write()}>
        <Sparkles size={16} aria-hidden />
        {t('Add a summary as a note')}
      </Button>
    );
  return (
    <label className="mt-3 block text-xs font-medium text-muted">
      {isWriting ? t('The assistant writes…') : t('Note for your team')}
      <textarea
        value={note}
        readOnly={isWriting}
        aria-busy={isWriting}
        dir="auto"
        rows={4}
        onChange={({ target }) => onNote(target.value)}
        className="mt-1 block w-full resize-y rounded-control border border-waiting/50 bg-waiting-soft px-3 py-2 text-base font-normal text-text sm:text-sm"
      />
    </label>
  );
}
