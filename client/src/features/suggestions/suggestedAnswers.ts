import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type Chat,
  fillPlaceholders,
  type PlaceholderValues,
  type Site,
  SUGGESTIONS_MAX,
  type Suggestion,
} from 'server/contract';
import { call } from '../../lib/api.ts';
import { msg } from '../../lib/i18n.ts';
import { type Shortcut, useKeys } from '../../lib/keyboard.ts';
import { keys } from '../../lib/query.ts';

/** The keys of suggestions, one for each. */
export const SUGGESTION_SHORTCUTS = {
  insert: {
    keys: Array.from({ length: SUGGESTIONS_MAX }, (_, i) => `Alt ${i + 1}`),
    does: msg('Insert a suggested answer'),
  },
} satisfies Record<string, Shortcut>;

interface SuggestedAnswersOptions {
  chat: Chat;
  site: Site;
  names: PlaceholderValues;
  /** An answer can be written and sent now. */
  isReply: boolean;
  /** What stands in the field. */
  text: string;
  /** Puts an answer into the field, in place of what stands there. */
  onInsert: (text: string) => void;
}

/** The suggestions for a chat, and what is done with them. */
export interface SuggestedAnswers {
  suggestions: readonly Suggestion[];
  insert: (suggestion: Suggestion) => void;
  /** Until the visitor writes again. */
  dismiss: () => void;
  /** Hides them, and counts the suggestion that is sent as it was inserted. */
  onSend: (text: string) => void;
}

const NONE: readonly Suggestion[] = [];

/** Suggestions for the visitor's last question, while the field is empty or holds one of them. */
export function useSuggestedAnswers(options: SuggestedAnswersOptions): SuggestedAnswers {
  const { chat, site, names, isReply, text, onInsert } = options;
  const [inserted, setInserted] = useState('');
  const [dismissed, setDismissed] = useState<string>();
  const question = `${chat._id} ${chat.lastSeq}`;
  const isAsked = site.assistantStep !== undefined && isReply && chat.waitingSince !== null && chat.status !== 'closed';
  const { data } = useQuery({
    queryKey: keys.suggestions(chat._id, chat.lastSeq),
    queryFn: async ({ signal }) =>
      (await call('GET /chats/:id/suggestions', { params: { id: chat._id }, signal })).suggestions,
    enabled: isAsked,
    // They are a help and no more: nobody waits for them.
    retry: false,
  });
  const isUntouched = text === '' || text === inserted;
  const offered = (isAsked && isUntouched && dismissed !== question && data) || NONE;
  const suggestions = offered.map((each) =>
    each.kind === 'reply' ? { ...each, text: fillPlaceholders(each.text, names) } : each,
  );

  const insert = (suggestion: Suggestion) => {
    const answer = answerOf(suggestion);
    setInserted(answer.trim());
    onInsert(answer);
  };
  useKeys((event) => {
    const at = suggestionOf(event);
    const suggestion = at === null ? undefined : suggestions[at];
    if (!suggestion || event.defaultPrevented || isInDialog(event)) return;
    event.preventDefault();
    insert(suggestion);
  });

  return {
    suggestions,
    insert,
    dismiss: () => setDismissed(question),
    onSend: (sent) => {
      setDismissed(question);
      if (inserted === '' || sent !== inserted) return;
      setInserted('');
      // A count: if it is lost, nobody has to do anything.
      void call('POST /chats/:id/suggestions/accepted', { params: { id: chat._id } }).catch(() => {});
    },
  };
}

function answerOf({ kind, title, text, url }: Suggestion): string {
  // As the menu behind '//' inserts it.
  if (kind === 'article' && url) return `[${title.replace(/[[\]]/g, '')}](${new URL(url, location.origin).href}) `;
  return text;
}

function isInDialog({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('[role="dialog"], [role="alertdialog"]') !== null;
}

/** The suggestion that a key inserts, from 0; null: none. By the place of the key: with Alt, a Mac types other characters. */
function suggestionOf({ altKey, ctrlKey, metaKey, shiftKey, code }: KeyboardEvent): number | null {
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(code)?.[1];
  const isPlain = altKey && !ctrlKey && !metaKey && !shiftKey;
  return isPlain && digit !== undefined && Number(digit) <= SUGGESTIONS_MAX ? Number(digit) - 1 : null;
}
