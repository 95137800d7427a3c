import toast from 'react-hot-toast';

/** Says in a toast what failed, with a button that tries it again. */
export function toastFailure(text: string, onRetry: () => void): void {
  toast.error(({ id }) => (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="min-w-0">{text}</span>
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
    </span>
  ));
}
