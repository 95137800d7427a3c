import type { Caller } from '#features/auth';
import { mustBeAble, type SiteAccess, type SiteDoc, siteAccess } from '#features/sites';
import type { Ability } from '#features/team/contract';
import { notFound } from '#platform/http';
import { type ChatDoc, chatCache } from './model.ts';

/** A chat with the site it belongs to. */
export interface ChatOfSite {
  chat: ChatDoc;
  site: SiteDoc;
}

/** Who does something with a chat, for its notes: a member of the team, or a rule of the site by its name. */
export interface Doer {
  user: Pick<Caller['user'], '_id' | 'name'> & { isRule?: true };
}

/** Whoever does something, as the English text of a note begins. */
export const doerName = ({ user }: Doer) => (user.isRule ? `The rule “${user.name}”` : user.name);

/** A chat with its site and the caller's role there. */
export interface ChatAccess extends SiteAccess {
  chat: ChatDoc;
}

/**
 * Loads the chat if the caller has this ability on its site.
 * @throws AppError 404 for unknown and foreign chats alike, 403 for the wrong role
 */
export async function chatFor(caller: Caller, id: string, ability: Ability): Promise<ChatAccess> {
  const chat = await chatCache.find(id);
  const access = chat && (await siteAccess(caller, chat.site));
  if (!access) throw notFound('chat');
  mustBeAble(access.member, ability);
  return { chat, ...access };
}
