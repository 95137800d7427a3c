import { Bot } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/Button.tsx';
import { lazyDialog } from '../../../ui/lazyPart.tsx';

const SentDialog = lazyDialog(async () => (await import('./SentDialog.tsx')).SentDialog);

interface AssistantBarProps {
  chatId: string;
  /** Whether the user may answer the chat. */
  mayAct: boolean;
  onTakeOver: () => void;
  onStop: () => void;
}

/** Stands above the composer while the assistant has the chat. */
export function AssistantBar({ chatId, mayAct, onTakeOver, onStop }: AssistantBarProps) {
  return (
    <section
      aria-label={t('Assistant')}
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-t bg-accent-soft px-4 py-2.5 sm:px-6"
    >
      <p className="flex min-w-0 flex-1 basis-56 items-center gap-2">
        <Bot size={18} aria-hidden className="shrink-0 text-accent-strong" />
        <span>
          {mayAct
            ? t('The assistant answers this chat. It stops as soon as you write.')
            : t('The assistant answers this chat.')}{' '}
          <SentButton chatId={chatId} />
        </span>
      </p>
      {mayAct && (
        <div className="flex flex-wrap gap-2">
          <Button size="sm" onClick={onTakeOver}>
            {t('Take over')}
          </Button>
          <Button variant="ghost" size="sm" onClick={onStop}>
            {t('Stop the assistant')}
          </Button>
        </div>
      )}
    </section>
  );
}

/** Opens what the model was given for the questions of a chat. */
export function SentButton({ chatId }: { chatId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="rounded-small font-medium text-accent-strong underline-offset-2 hover:underline"
      >
        {t('What was sent')}
      </button>
      <SentDialog chatId={chatId} open={open} onOpenChange={setOpen} />
    </>
  );
}
