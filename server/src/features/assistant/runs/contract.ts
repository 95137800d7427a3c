import type { Chat } from '#features/chats/contract';
import type { AssistantRun } from '../contract.ts';

/** Whether the assistant has a chat: it can only be switched off, because it does not begin again. */
export interface AssistantOffBody {
  on: false;
}

/** The calls about what the assistant does in a chat. */
export interface AssistantRunsApi {
  /** What it did, the newest first; kept for 30 days. */
  'GET /chats/:id/assistant': { data: { runs: AssistantRun[] } };
  /** A person is to answer from now on. Idempotent. */
  'POST /chats/:id/assistant': { body: AssistantOffBody; data: { chat: Chat } };
}
