import { ArrowBigUpDash, Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type KeyboardEvent, useState } from 'react';
import { t } from '../lib/i18n.ts';
import { IconButton } from './IconButton.tsx';
import { Input } from './Input.tsx';

/** A password that can be shown, with a word of warning while Caps Lock is on. */
export function PasswordInput(props: Omit<ComponentProps<'input'>, 'type'>) {
  const [visible, setVisible] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  return (
    <div>
      <div className="relative">
        <Input
          {...props}
          type={visible ? 'text' : 'password'}
          autoCapitalize="none"
          spellCheck={false}
          onKeyDown={watchCapsLock}
          onKeyUp={watchCapsLock}
          className="pe-11"
        />
        <div className="absolute inset-y-0 end-1 flex items-center">
          <IconButton
            size="sm"
            label={visible ? t('Hide password') : t('Show password')}
            aria-pressed={visible}
            onClick={() => setVisible(!visible)}
          >
            {visible ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
          </IconButton>
        </div>
      </div>
      <p role="status" className="text-xs text-waiting">
        {capsLock && (
          <span className="flex items-center gap-1 pt-1.5">
            <ArrowBigUpDash size={14} aria-hidden /> {t('Caps Lock is on')}
          </span>
        )}
      </p>
    </div>
  );
}
