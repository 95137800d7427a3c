import type { ComponentProps } from 'react';
import { t } from '../lib/i18n.ts';
import { Button } from './Button.tsx';

interface FormButtonsProps extends Pick<ComponentProps<typeof Button>, 'variant' | 'size' | 'busy' | 'disabled'> {
  /** What the form does. */
  label: string;
  onCancel: () => void;
}

/** The end of a form: to leave it, and to send it. */
export function FormButtons({ label, onCancel, ...submit }: FormButtonsProps) {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button variant="secondary" {...(submit.size && { size: submit.size })} onClick={onCancel}>
        {t('Cancel')}
      </Button>
      <Button type="submit" {...submit}>
        {label}
      </Button>
    </div>
  );
}
