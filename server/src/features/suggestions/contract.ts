/** What a suggestion is made of: a canned reply, a help article, or what the team has answered to such a question before. */
export type SuggestionKind = 'reply' | 'article' | 'pair';

/** Suggestions for one question, at most. */
export const SUGGESTIONS_MAX = 3;

/** An answer that an agent may insert. */
export interface Suggestion {
  /** Unique among the suggestions of a chat. */
  id: string;
  kind: SuggestionKind;
  /** The reply's shortcut, the article's title, or the question that was answered before. */
  title: string;
  /** What is inserted; of an article a part of it, since its link is inserted. A reply may have placeholders. */
  text: string;
  /** Where readers find the article. */
  url?: string;
  /** The chat in which it was answered before. */
  chatId?: string;
}

/** The calls of suggestions. */
export interface SuggestionsApi {
  /** For the visitor's messages that nobody has answered, the best first; none where the site has not switched suggestions on. */
  'GET /chats/:id/suggestions': { data: { suggestions: Suggestion[] } };
  /** Counts a suggestion that was sent as it was. */
  'POST /chats/:id/suggestions/accepted': { data: Record<string, never> };
}
