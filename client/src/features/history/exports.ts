import toast from 'react-hot-toast';
import type { ExportFormat, HistoryFilters } from 'server/contract';
import { failureText } from '../../lib/auth.tsx';
import { download } from '../../lib/download.ts';
import { timeZone } from '../../lib/zone.ts';
import { toastFailure } from '../../ui/toastFailure.tsx';

const MB = 1_000_000;
const KB = 1_000;

/** Saves the chats that the filters leave as a file. */
export function exportHistory(format: ExportFormat, filters: HistoryFilters): void {
  const query = new URLSearchParams({ format, ...filters });
  void save(`/chats/export?${query}`, `chat-history.${format}`);
}

/** Saves what was said in one chat as a file. */
export function exportChat(chatId: string, format: ExportFormat): void {
  const query = new URLSearchParams({ format, tz: timeZone });
  void save(`/chats/${chatId}/export?${query}`, `chat-${chatId}.${format}`);
}

/** Downloads with a toast that tells how far it has got, and offers another try where it fails. */
async function save(path: string, fileName: string): Promise<void> {
  const id = toast.loading(`Preparing ${fileName}…`);
  try {
    await download(path, fileName, {
      onProgress: (bytes) => toast.loading(`Saving ${fileName}: ${sizeWord(bytes)}`, { id }),
    });
    toast.success(`${fileName} was saved`, { id });
  } catch (error) {
    toast.dismiss(id);
    toastFailure(failureText(error, `${fileName} could not be saved.`), () => void save(path, fileName));
  }
}

function sizeWord(bytes: number): string {
  return bytes < MB ? `${Math.ceil(bytes / KB)} kB` : `${(bytes / MB).toFixed(1)} MB`;
}
