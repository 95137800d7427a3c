import toast from 'react-hot-toast';

/** Longer than other toasts: whoever is to press the button may be busy with another chat. */
const SHOWN_MS = 10_000;

/** A toast with one button. */
interface ActionToast {
  /** The same id replaces an earlier toast. */
  id: string;
  text: string;
  label: string;
  run: () => void;
}

/** Shows what happened in a toast, with a button for what can be done about it. */
export function toastAction({ id, text, label, run }: ActionToast): void {
  toast(
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span dir="auto" className="min-w-0">
        {text}
      </span>
      <button
        type="button"
        className="rounded-small font-semibold text-accent hover:text-accent-strong"
        onClick={() => {
          toast.dismiss(id);
          run();
        }}
      >
        {label}
      </button>
    </span>,
    { id, duration: SHOWN_MS },
  );
}
