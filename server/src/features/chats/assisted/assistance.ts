import type { SiteDoc } from '#features/sites';
import type { ChatDoc } from '../model.ts';

/** What a chat's row begins with where the assistant answers, or would have answered. */
export type AssistedStart = Pick<ChatDoc, 'assisted' | 'assistant'>;

/** A visitor who asks, and where the question comes from. */
export interface Asking {
  site: SiteDoc;
  visitor: ChatDoc['_id'];
  address: string;
  /** The language of the visitor's widget. */
  speaks: string | undefined;
}

/** Decides which chats the assistant answers first. */
export interface Assistance {
  /** Whether chats that begin now are answered by the assistant. @param speaks left out: in any language */
  answers(site: SiteDoc, speaks?: string): boolean;
  /** How a chat begins. @param wantsPerson the visitor has asked for a person */
  start(asking: Asking, wantsPerson: boolean): Promise<AssistedStart>;
  /** Counts a question. @returns whether there are not too many of this visitor, address or site */
  mayAsk(asking: Omit<Asking, 'speaks'>): Promise<boolean>;
}
