import { LoaderCircle } from 'lucide-react';

/** A turning circle; give it a `label` where it stands alone. */
export function Spinner({ size = 20, label }: { size?: number; label?: string }) {
  return (
    <span role={label ? 'status' : undefined} className="inline-flex">
      <LoaderCircle size={size} aria-hidden className="animate-spin" />
      {label && <span className="sr-only">{label}</span>}
    </span>
  );
}
