import toast from 'react-hot-toast';

/** Says in a toast what failed, with a button that tries it again; it stays until somebody has dealt with it. */
export function toastFailure(text: string, onRetry: () => void): void {
  const say = ({ id }: { id: string }) => (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="min-w-0">{text}</span>
      <span className="flex gap-x-3">
        <button
          type="button"
          className="rounded-small font-semibold text-accent hover:text-accent-strong"
          onClick={() => {
            toast.dismiss(id);
            onRetry();
          }}
        >
          Try again
        </button>
        <button
          type="button"
          className="rounded-small font-medium text-muted hover:text-text"
          onClick={() => toast.dismiss(id)}
        >
          Dismiss
        </button>
      </span>
    </span>
  );
  // The same failure again takes the place of the one before.
  toast.error(say, { id: text, duration: Number.POSITIVE_INFINITY });
}
