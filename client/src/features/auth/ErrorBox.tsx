import { CircleAlert } from 'lucide-react';

/** One thing that is wrong, under an id that its field can point to. */
export interface FormError {
  id: string;
  text: string;
}

/** The red box above a form. It is there from the start, so that screen readers hear what is put into it. */
export function ErrorBox({ errors }: { errors: readonly FormError[] }) {
  return (
    <div role="alert">
      {errors.length > 0 && (
        <div className="mb-5 flex animate-enter gap-2.5 rounded-control border border-danger/30 bg-danger-soft px-3 py-2.5 text-danger">
          <CircleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
          <ul className="flex min-w-0 flex-col gap-1 wrap-anywhere">
            {errors.map(({ id, text }) => (
              <li key={id} id={id}>
                {text}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
