import type { Caller } from '../auth/sessions.ts';
import { notFound } from '../http/errors.ts';
import { type SiteAccess, siteFor } from '../sites/access.ts';
import type { Ability } from '../team/contract.ts';
import { type ChatDoc, ChatModel } from './model.ts';

/** A chat, its site, and what the caller is there. */
export interface ChatAccess extends SiteAccess {
  chat: ChatDoc;
}

/**
 * The chat, if the caller may do this on its site.
 * @throws AppError 404 for unknown and foreign chats alike, 403 for the wrong role
 */
export async function chatFor(caller: Caller, id: string, ability: Ability): Promise<ChatAccess> {
  const chat = await ChatModel.findById(id).lean<ChatDoc>();
  if (!chat) throw notFound('chat');
  try {
    return { chat, ...(await siteFor(caller, chat.site, ability)) };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'SITE_NOT_FOUND') throw notFound('chat');
    throw error;
  }
}
