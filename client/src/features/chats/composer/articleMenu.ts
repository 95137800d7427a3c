import { useQuery } from '@tanstack/react-query';
import type { ArticleLink } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { keys } from '../../../lib/query.ts';
import { useDebounced } from '../../../lib/timing.ts';
import type { Editor } from './editor.ts';
import { type Suggestions, type Trigger, useSuggestions } from './suggestions.ts';

const PAUSE_MS = 200;
/** Words follow the sign, so that an address or a comment in code opens nothing. */
const SLASHES = /(?:^|\s)\/\/([^\n/]{0,100})$/;

const NONE: readonly ArticleLink[] = [];

/** The state of the menu that '//' opens. */
export interface ArticleMenuState extends Suggestions {
  state: 'closed' | 'hint' | 'loading' | 'failed' | 'open';
  options: readonly ArticleLink[];
  choose: (index: number) => void;
  retry: () => void;
}

/** Opens while '//' and words stand before the caret: published articles that answer them, whose link is inserted. */
export function useArticleMenu(siteId: string, editor: Editor): ArticleMenuState {
  const trigger = slashesAt(editor.draft, editor.caret);
  const words = trigger?.word.trim() ?? '';
  const settled = useDebounced(words, PAUSE_MS);
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: keys.articleLinks(siteId, settled),
    queryFn: async ({ signal }) => {
      const params = { id: siteId };
      return (await call('GET /sites/:id/articles/search', { params, query: { q: settled }, signal })).articles;
    },
    enabled: trigger !== null && settled !== '',
    placeholderData: (before) => before,
  });
  const isSettled = words === settled && !isFetching;
  const options = (words !== '' && data) || NONE;
  const menu = useSuggestions({
    trigger,
    isOffered: words === '' || !isSettled || options.length > 0 || isError,
    count: Math.max(1, options.length),
    take: (active) => {
      choose(active);
      // While they are being looked for, Enter must not send the words to the visitor.
      return options.length > 0 || (words !== '' && !isSettled);
    },
    onLeave: () => undefined,
  });
  const choose = (index: number) => {
    const article = options[index];
    if (article && trigger) editor.insert(linkTo(article), trigger.from);
  };
  const found = options.length > 0 ? 'open' : isError ? 'failed' : 'loading';
  return {
    ...menu,
    state: !menu.isOpen ? 'closed' : words === '' ? 'hint' : found,
    options,
    choose,
    retry: () => void refetch(),
  };
}

/** Two '/' at the start of the text or after a blank, and what follows them up to the caret. */
function slashesAt(text: string, caret: number): Trigger | null {
  const word = SLASHES.exec(text.slice(0, caret))?.[1];
  return word === undefined ? null : { from: caret - word.length - 2, word };
}

/** A named link, as the light formatting of messages has it. */
function linkTo({ title, url }: ArticleLink): string {
  return `[${title.replace(/[[\]]/g, '')}](${new URL(url, location.origin).href}) `;
}
