import type { ReactNode } from 'react';
import { cx } from '../../../lib/cx.ts';

/** A label, and what stands for it. */
export function Fact({ label, wide = false, children }: { label: ReactNode; wide?: boolean; children: ReactNode }) {
  return (
    <div className={cx('min-w-0', wide && 'col-span-2')}>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="pt-0.5 wrap-anywhere">{children}</dd>
    </div>
  );
}
