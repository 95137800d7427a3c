import type { ReactNode } from 'react';

const TONES = {
  success: 'bg-success-soft text-success',
  waiting: 'bg-waiting-soft text-waiting',
  closed: 'bg-closed-soft text-closed',
  accent: 'bg-accent-soft text-accent-strong',
  neutral: 'border text-muted',
};

/** A short label for a state. */
export function Badge({ tone = 'neutral', children }: { tone?: keyof typeof TONES; children: ReactNode }) {
  return (
    <span
      className={`inline-flex h-5 max-w-full shrink-0 items-center gap-1 rounded-full px-2 text-xs font-medium whitespace-nowrap ${TONES[tone]}`}
    >
      {children}
    </span>
  );
}
