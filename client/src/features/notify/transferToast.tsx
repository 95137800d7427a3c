import toast from 'react-hot-toast';
import { paths } from '../../lib/paths.ts';
import { visitorName } from '../../shared/visitorName.ts';

/** Long enough to be read by somebody who is doing something else. */
const SHOWN_MS = 10_000;

/** Says that a colleague handed a chat over, with the way to it. */
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
    // Told once, however many tabs or events tell it.
    { id: `handed ${chatId}`, duration: SHOWN_MS },
  );
}
