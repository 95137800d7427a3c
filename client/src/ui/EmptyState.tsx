import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  text?: ReactNode;
  /** The next step. */
  action?: ReactNode;
}

/** An empty list, with what to do about it. */
export function EmptyState({ icon: Icon, title, text, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center justify-center gap-1 px-6 py-12 text-center">
      <span className="mb-3 inline-flex size-11 items-center justify-center rounded-full border text-muted">
        <Icon size={20} aria-hidden />
      </span>
      <p className="font-semibold">{title}</p>
      {text && <p className="max-w-sm text-balance text-muted">{text}</p>}
      {action && <div className="pt-4">{action}</div>}
    </div>
  );
}
