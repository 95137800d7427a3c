import toast from 'react-hot-toast';
import { paths } from '../../lib/paths.ts';
import { visitorName } from '../../shared/visitorName.ts';

/** Longer than other toasts: the agent is busy with another chat. */
const SHOWN_MS = 10_000;

/** Shows that a colleague transferred a chat, with a button that opens it. */
export function showTransferToast(
  chatId: string,
  by: string,
  visitor: string | null,
  open: (path: string) => void,
): void {
  toast(
    ({ id }) => (
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span dir="auto" className="min-w-0">
          {by} handed you the chat with {visitorName(visitor)}
        </span>
        <button
          type="button"
          className="rounded-small font-semibold text-accent hover:text-accent-strong"
          onClick={() => {
            toast.dismiss(id);
            open(paths.chat(chatId));
          }}
        >
          Open
        </button>
      </span>
    ),
    // The same id replaces an earlier toast.
    { id: `handed ${chatId}`, duration: SHOWN_MS },
  );
}
