import type { ImportColumns, ImportField } from './contract.ts';
import type { Table } from './table.ts';

/** The names that columns have in the exports of chats, the surest first. */
const NAMES: Record<ImportField, string[]> = {
  conversation: [
    'conversation_id',
    'conversationid',
    'chat_id',
    'chatid',
    'session_id',
    'sessionid',
    'ticket_id',
    'thread_id',
    'conversation',
    'chat',
    'id',
  ],
  time: ['created_at', 'createdat', 'timestamp', 'sent_at', 'datetime', 'date_time', 'time', 'date', 'updated_at'],
  text: ['msg', 'content', 'body', 'text', 'message', 'message_body', 'message_text', 'comment'],
  sender: [
    'sender.t',
    'message_type',
    'sender_type',
    'sender.type',
    'author.type',
    'author_type',
    'from',
    'role',
    'direction',
    'sender',
    'type',
  ],
  senderName: [
    'sender.n',
    'sender.name',
    'sender_name',
    'author.name',
    'author_name',
    'user.nickname',
    'agent_name',
    'agent',
    'author',
    'from_name',
    'name',
  ],
  visitorName: [
    'visitor.name',
    'visitor_name',
    'contact_name',
    'contact.name',
    'customer_name',
    'customer.name',
    'client_name',
    'meta.sender.name',
    'meta.nickname',
    'source.author.name',
    'user_name',
    'nickname',
  ],
  visitorEmail: [
    'visitor.email',
    'visitor_email',
    'contact_email',
    'contact.email',
    'customer_email',
    'customer.email',
    'client_email',
    'meta.sender.email',
    'meta.email',
    'source.author.email',
    'user_email',
    'email',
  ],
  message: ['message_id', 'messageid', 'fingerprint', 'msg_id', 'id'],
  note: ['private', 'part_type', 'is_note'],
};
/** What belongs to each message, and what to the conversation, where a file has both. */
const OF_MESSAGES: readonly ImportField[] = ['time', 'text', 'sender', 'senderName', 'message', 'note'];
/** Lists of messages, as `table.ts` names their columns. */
const LIST = /^(?:.*\.)?(?:messages|conversation_parts|parts|history|transcript)\./;

/** What the names of a file's columns say, each column for one purpose. */
export function guessColumns({ columns }: Pick<Table, 'columns'>): ImportColumns {
  const hasList = columns.some((name) => LIST.test(name));
  const guess: ImportColumns = {};
  const taken = new Set<string>();
  for (const [field, names] of Object.entries(NAMES) as [ImportField, string[]][]) {
    const isOfMessage = OF_MESSAGES.includes(field);
    const fit = columns.filter((name) => !taken.has(name) && (!hasList || LIST.test(name) === isOfMessage));
    const found = names.flatMap((name) => columnNamed(name, fit) ?? [])[0];
    if (found === undefined) continue;
    guess[field] = found;
    taken.add(found);
  }
  return guess;
}

/** The column with this name, or else the first within an object: `conversations.id`, `user.email`. */
function columnNamed(name: string, columns: string[]): string | undefined {
  const plain = columns.map((column) => column.replace(LIST, '').toLowerCase().replace(/[\s-]/g, '_'));
  const exact = plain.indexOf(name);
  return columns[exact >= 0 ? exact : plain.findIndex((each) => each.endsWith(`.${name}`))];
}

/** The product whose export has such columns; null: unknown. */
export function guessSource(columns: readonly string[]): string | null {
  const has = (end: string) => columns.some((name) => name === end || name.endsWith(`.${end}`));
  if (has('sender.t') && has('msg')) return 'tawk.to';
  if (columns.some((name) => name.includes('conversation_parts.'))) return 'Intercom';
  if (has('session_id') && has('from') && has('content')) return 'Crisp';
  if (has('message_type') && has('content')) return 'Chatwoot';
  return null;
}
