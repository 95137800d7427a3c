import { Languages } from 'lucide-react';
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import type { StaffMessage } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/Button.tsx';
import { showFailure } from '../../../ui/failureToast.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { streamDraft } from './stream.ts';

/** Whether the messages of the open chat can be translated. A context: the groups of a long thread are rarely rendered. */
export const CanTranslateContext = createContext(false);

/** The translation of a visitor's message into the user's language: the button for it, and the text below the original. */
export function useTranslation(message: StaffMessage | undefined): { button: ReactNode; text: ReactNode } {
  const can =
    useContext(CanTranslateContext) && message?.sender === 'visitor' && message.content !== '' && !message.file;
  const [text, setText] = useState<string | null>(null);
  const underWay = useRef<AbortController>(null);
  const stop = () => underWay.current?.abort();
  useEffect(() => () => underWay.current?.abort(), []);
  if (!can || !message) return { button: null, text: null };

  const translate = async (): Promise<void> => {
    stop();
    const own = new AbortController();
    const { signal } = own;
    underWay.current = own;
    let translated = '';
    setText('');
    try {
      await streamDraft(
        message.chatId,
        { action: 'translate', text: message.content },
        {
          signal,
          onText: (piece) => {
            translated += piece;
            setText(translated);
          },
        },
      );
    } catch (error) {
      if (signal.aborted) return;
      setText(null);
      showFailure(error, t('The message could not be translated.'), () => void translate());
    }
  };
  const hide = () => {
    stop();
    setText(null);
  };
  const button = text === null && (
    <span className="order-last self-center opacity-0 transition-opacity group-hover/bubble:opacity-100 focus-within:opacity-100 pointer-coarse:opacity-100">
      <IconButton label={t('Translate')} size="sm" onClick={() => void translate()}>
        <Languages size={14} aria-hidden />
      </IconButton>
    </span>
  );
  return { button, text: text !== null && <Translated text={text} onHide={hide} /> };
}

function Translated({ text, onHide }: { text: string; onHide: () => void }) {
  return (
    <div className="flex max-w-[min(100%,68ch)] flex-col items-start gap-0.5 pe-6 sm:pe-12">
      <p
        dir="auto"
        aria-live="polite"
        aria-busy={text === ''}
        className="min-w-0 rounded-bubble border border-dashed px-3.5 py-2 wrap-anywhere whitespace-pre-wrap"
      >
        {text || '…'}
      </p>
      <p className="flex items-center gap-1 px-1 text-xs text-muted">
        <Languages size={14} aria-hidden />
        {t('Translated by the assistant')}
        <Button variant="ghost" size="sm" className="h-6! px-1.5! text-xs! pointer-coarse:h-10!" onClick={onHide}>
          {t('Hide')}
        </Button>
      </p>
    </div>
  );
}
