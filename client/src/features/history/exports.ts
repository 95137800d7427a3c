import type { ExportFormat, HistoryFilters } from 'server/contract';
import { timeZone } from '../../lib/format.ts';
import { saveFile } from '../../shared/saveFile.ts';

/** Saves the chats that the filters leave as a file. */
export function exportHistory(format: ExportFormat, filters: HistoryFilters): void {
  const query = new URLSearchParams({ format, ...filters });
  void saveFile(`/chats/export?${query}`, `chat-history.${format}`);
}

/** Saves what was said in one chat as a file. */
export function exportChat(chatId: string, format: ExportFormat): void {
  const query = new URLSearchParams({ format, tz: timeZone });
  void saveFile(`/chats/${chatId}/export?${query}`, `chat-${chatId}.${format}`);
}
