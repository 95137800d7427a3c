import type { Chat } from 'server/contract';
import { cx } from '../../../lib/cx.ts';
import { t } from '../../../lib/i18n.ts';
import { useShortcuts } from '../../../lib/keyboard.ts';
import { Button } from '../../../ui/Button.tsx';
import { useReopen } from '../actions/api.ts';
import { isClaimable, useClaim } from '../actions/claim.ts';
import { inboxKeymap } from '../shortcuts.ts';

interface StatusButtonsProps {
  chat: Chat;
  mayAct: boolean;
  onClose: () => void;
  /** Whether a menu has the button that does not fit beside the name. */
  hasMenu?: boolean;
}

/** Claims, closes or reopens the open chat; the last two with their keys. */
export function StatusButtons({ chat, mayAct, onClose, hasMenu = false }: StatusButtonsProps) {
  const claim = useClaim();
  const reopen = useReopen();
  const isClosed = chat.status === 'closed';
  useShortcuts(inboxKeymap(!mayAct ? {} : isClosed ? { reopen: () => reopen(chat) } : { close: onClose }));
  if (!mayAct) return null;
  if (isClosed)
    return (
      <Button variant="secondary" size="sm" onClick={() => reopen(chat)}>
        {t('Reopen')}
      </Button>
    );
  return (
    <>
      {/* Who takes a chat over from the assistant does so above the composer. */}
      {isClaimable(chat) && !chat.assistant?.active && (
        <Button size="sm" onClick={() => claim(chat)}>
          {t('Claim')}
        </Button>
      )}
      <Button
        variant="secondary"
        size="sm"
        className={cx(hasMenu && isClaimable(chat) && 'max-sm:hidden')}
        onClick={onClose}
      >
        {t('Close|chat')}
      </Button>
    </>
  );
}
