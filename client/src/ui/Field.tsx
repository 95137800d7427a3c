import { CircleAlert } from 'lucide-react';
import { createContext, type ReactNode, useContext, useId, useMemo } from 'react';

interface ControlProps {
  id?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
}

const ControlContext = createContext<ControlProps>({});

/** The ARIA attributes for a control inside a `Field`. */
export function useControl(): ControlProps {
  return useContext(ControlContext);
}

/** A label above one control, with a hint and an error below it that screen readers tie to it. */
export function Field({
  label,
  hint,
  error,
  errorId,
  aside,
  children,
}: {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** The id of an error that stands elsewhere, as in a box above the form. */
  errorId?: string | undefined;
  /** Stands at the end of the label's line. */
  aside?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`, errorId].filter(Boolean).join(' ');
  const invalid = Boolean(error || errorId);
  const control = useMemo<ControlProps>(
    () => ({ id, ...(described && { 'aria-describedby': described }), ...(invalid && { 'aria-invalid': true }) }),
    [id, described, invalid],
  );
  return (
    <ControlContext value={control}>
      <div className="flex min-w-0 flex-col gap-1.5">
        <div className="flex items-baseline justify-between gap-3">
          <label htmlFor={id} className="font-medium">
            {label}
          </label>
          {aside}
        </div>
        {children}
        {hint && (
          <div id={`${id}-hint`} className="text-xs text-muted">
            {hint}
          </div>
        )}
        {error && (
          <p id={`${id}-error`} className="flex items-start gap-1.5 text-xs font-medium text-danger">
            <CircleAlert size={14} aria-hidden className="mt-px shrink-0" />
            {error}
          </p>
        )}
      </div>
    </ControlContext>
  );
}
