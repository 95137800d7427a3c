import type { Chat } from '#features/chats/contract';

/** Whether the assistant has a chat: it can only be switched off, because it does not begin again. */
export interface AssistantOffBody {
  on: false;
}

/** The calls about what the assistant does in a chat. */
export interface AssistantRunsApi {
  /** A person is to answer from now on. Idempotent. */
  'POST /chats/:id/assistant': { body: AssistantOffBody; data: { chat: Chat } };
}
