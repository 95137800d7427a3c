import { paths } from '../../lib/paths.ts';
import { visitorName } from '../../shared/visitorName.ts';
import { toastAction } from '../../ui/actionToast.tsx';

/** Shows that a colleague transferred a chat, with a button that opens it. */
export function showTransferToast(
  chatId: string,
  by: string,
  visitor: string | null,
  open: (path: string) => void,
): void {
  toastAction({
    id: `handed ${chatId}`,
    text: `${by} handed you the chat with ${visitorName(visitor)}`,
    label: 'Open',
    run: () => open(paths.chat(chatId)),
  });
}
