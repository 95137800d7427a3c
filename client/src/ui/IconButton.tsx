import { Slot } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { cx } from '../lib/cx.ts';
import { Tooltip } from './Tooltip.tsx';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'children'> {
  /** Its name, for screen readers and in the tooltip. */
  label: string;
  children: ReactNode;
  size?: 'sm' | 'md';
  tone?: 'neutral' | 'danger';
  /** Where fingers point, it is as large as they need. */
  isForTouch?: boolean;
  /** The child (a link) becomes the button and takes its looks. */
  asChild?: boolean;
}

const TONES = {
  neutral: 'text-muted hover:bg-text/5 hover:text-text',
  danger: 'text-muted hover:bg-danger-soft hover:text-danger',
};

/** A button, or a link, that is only an icon, named in words. */
export function IconButton({
  label,
  size = 'md',
  tone = 'neutral',
  isForTouch,
  asChild,
  className,
  ...props
}: IconButtonProps) {
  const Box = asChild ? Slot.Root : 'button';
  return (
    <Tooltip text={label}>
      <Box
        {...(!asChild && { type: 'button' })}
        {...props}
        aria-label={label}
        className={cx(
          'inline-flex shrink-0 items-center justify-center rounded-control transition-colors disabled:opacity-50',
          size === 'md' ? 'size-10' : 'size-8',
          isForTouch && 'pointer-coarse:size-11',
          TONES[tone],
          className,
        )}
      />
    </Tooltip>
  );
}
