import type { CannedReply } from 'server/contract';
import { useCannedReplies } from '#features/replies';
import type { Editor } from './editor.ts';
import { type Suggestions, type Trigger, useSuggestions } from './suggestions.ts';

const SHOWN_MAX = 8;
const SLASH = /(?:^|\s)\/([\p{L}\p{M}\p{N}_-]*)$/u;

interface CannedReplyOptions {
  siteId: string;
  editor: Editor;
  /** Replaces the '/' and the word by the reply. */
  onChoose: (reply: CannedReply, from: number) => void;
  onManage: () => void;
}

/** The state of the menu that a '/' opens. */
export interface CannedReplyState extends Suggestions {
  state: 'closed' | 'loading' | 'failed' | 'open';
  /** The option after the last reply is 'Manage canned replies'. */
  options: readonly CannedReply[];
  choose: (index: number) => void;
  retry: () => void;
}

/** Opens while a '/' and the start of a word stand before the caret. */
export function useCannedReplyMenu({ siteId, editor, onChoose, onManage }: CannedReplyOptions): CannedReplyState {
  const slash = slashAt(editor.draft, editor.caret);
  const { data, isError, refetch } = useCannedReplies(siteId, slash !== null);
  const options = slash && data ? matching(data, slash.word) : [];
  // A path or a date with a '/' in it opens no menu.
  const hasNoMatch = data !== undefined && options.length === 0 && slash?.word !== '';
  const menu = useSuggestions({
    trigger: slash,
    isOffered: !hasNoMatch,
    count: options.length + 1,
    take: (active) => {
      if (isError && !data) return false;
      // While the replies are loading, Enter must not send the '/' to the visitor.
      if (data) choose(active);
      return true;
    },
    onLeave: editor.removeOffered,
  });
  const choose = (index: number) => {
    const reply = options[index];
    if (reply && slash) {
      onChoose(reply, slash.from);
      return;
    }
    menu.close();
    editor.removeOffered();
    onManage();
  };
  return {
    ...menu,
    state: !menu.isOpen ? 'closed' : isError ? 'failed' : data ? 'open' : 'loading',
    options,
    choose,
    retry: () => void refetch(),
  };
}

/** A '/' at the start of the text or after a blank, and the word that follows it up to the caret. */
function slashAt(text: string, caret: number): Trigger | null {
  const word = SLASH.exec(text.slice(0, caret))?.[1];
  return word === undefined ? null : { from: caret - word.length - 1, word };
}

/** The replies for a word: first those whose shortcut begins with it, then those that contain it. */
function matching(replies: readonly CannedReply[], word: string): CannedReply[] {
  const wanted = word.normalize('NFC').toLowerCase();
  const prefixed = replies.filter(({ shortcut }) => shortcut.startsWith(wanted));
  const containing = replies.filter(
    ({ shortcut, content }) =>
      !shortcut.startsWith(wanted) && (shortcut.includes(wanted) || content.toLowerCase().includes(wanted)),
  );
  return [...prefixed, ...containing].slice(0, SHOWN_MAX);
}
