import { Bot } from 'lucide-react';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/Button.tsx';

interface AssistantBarProps {
  /** Whether the user may answer the chat. */
  mayAct: boolean;
  onTakeOver: () => void;
}

/** Stands above the composer while the assistant has the chat. */
export function AssistantBar({ mayAct, onTakeOver }: AssistantBarProps) {
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
      {mayAct && (
        <Button size="sm" onClick={onTakeOver}>
          {t('Take over')}
        </Button>
      )}
    </section>
  );
}
