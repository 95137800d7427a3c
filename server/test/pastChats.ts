import type { HistoryImport } from '../contract.ts';
import { until } from './factories.ts';
import type { Api } from './harness.ts';

/** The columns of the files, and how they are read. */
export const COLUMNS = 'Conversation ID,Created At,From,Sender Name,Content,Visitor Email,Visitor Name';
export const PLAN = {
  columns: {
    conversation: 'Conversation ID',
    time: 'Created At',
    sender: 'From',
    senderName: 'Sender Name',
    text: 'Content',
    visitorEmail: 'Visitor Email',
    visitorName: 'Visitor Name',
  },
  timeZone: 'Europe/Berlin',
  dayFirst: true,
};

/** A file with so many chats of two messages, of a person each. */
export function fileOfChats(count: number): string {
  const rows = Array.from({ length: count }, (_, i) => [
    `c${i},2024-05-06 09:00,visitor,,Question number${i},p${i}@example.com,`,
    `c${i},2024-05-06 09:01,agent,Ben,Answer,,`,
  ]);
  return [COLUMNS, ...rows.flat()].join('\n');
}

/** Uploads a file to import it into a site. @throws Error with the refusal */
export async function uploadHistory(url: string, token: string, siteId: string, file: string): Promise<HistoryImport> {
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/api/sites/${siteId}/imports?name=chats.csv`, {
    method: 'POST',
    headers,
    body: file,
  });
  const { data, ...refusal } = (await answer.json()) as { data?: { import: HistoryImport } };
  if (!data) throw new Error(JSON.stringify(refusal));
  return data.import;
}

/** The import once nothing of it is under way. */
export function endedImport(api: Api, token: string, siteId: string, id: string): Promise<HistoryImport> {
  return until(async () => {
    const { body } = await api(`GET /sites/${siteId}/imports/${id}`, { token });
    const it: HistoryImport = body.data.import;
    return ['checked', 'done', 'failed', 'cancelled'].includes(it.status) && it;
  });
}
