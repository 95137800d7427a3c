import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cx } from '../lib/cx.ts';
import { Spinner } from './Spinner.tsx';

interface Look {
  variant?: 'primary' | 'secondary' | 'ghost' | 'danger';
  size?: 'sm' | 'md';
}

interface ButtonProps extends ComponentProps<'button'>, Look {
  /** Something is under way: shows a spinner and takes no clicks. */
  busy?: boolean;
  /** The child (a link, say) becomes the button and takes its looks. */
  asChild?: boolean;
}

const VARIANTS = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'bg-surface text-text border border-line hover:bg-text/5 dark:bg-raised dark:hover:bg-text/10',
  ghost: 'text-muted hover:bg-text/5 hover:text-text',
  danger: 'bg-danger text-surface hover:opacity-90',
};

const SIZES = { sm: 'h-8 px-3 gap-1.5', md: 'h-10 px-4 gap-2' };

/** The button. `busy` keeps its width, its name and the focus. */
export function Button({ variant = 'primary', size = 'md', busy = false, asChild, ...props }: ButtonProps) {
  const look = cx(
    'relative inline-flex shrink-0 items-center justify-center rounded-control text-sm font-medium whitespace-nowrap',
    'transition-colors select-none disabled:opacity-55 aria-disabled:opacity-70',
    VARIANTS[variant],
    SIZES[size],
    props.className,
  );
  if (asChild) return <Slot.Root {...props} className={look} />;
  const { children, onClick, type = 'button', ...rest } = props;
  return (
    <button
      {...rest}
      type={busy ? 'button' : type}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? undefined : onClick}
      className={look}
    >
      {busy && <Spinner size={16} />}
      {children}
    </button>
  );
}
