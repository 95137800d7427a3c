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
        {mayAct
          ? t('The assistant answers this chat. It stops as soon as you write.')
          : t('The assistant answers this chat.')}
      </p>
      <SentButton chatId={chatId} />
      {mayAct && (
        <>
          <Button variant="ghost" size="sm" onClick={onStop}>
            {t('Stop the assistant')}
          </Button>
          <Button size="sm" onClick={onTakeOver}>
            {t('Take over')}
          </Button>
        </>
      )}
    </section>
  );
}

/** Opens what the model was given for the questions of a chat. */
export function SentButton({ chatId }: { chatId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="ghost" size="sm" onClick={() => setOpen(true)}>
        {t('What was sent')}
      </Button>
      <SentDialog chatId={chatId} open={open} onOpenChange={setOpen} />
    </>
  );
}
