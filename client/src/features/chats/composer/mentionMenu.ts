import { useRef } from 'react';
import type { Site } from 'server/contract';
import { splitMentions } from '../model/mentions.ts';
import type { Editor } from './editor.ts';
import { type Trigger, useSuggestions } from './suggestions.ts';

const SHOWN_MAX = 8;

type Teammate = Site['team'][number]['userId'];

interface MentionOptions {
  /** Only notes have mentions. */
  isNote: boolean;
  team: Site['team'];
  userId: string;
  editor: Editor;
}

/** The state of the menu that an '@' opens. */
export type MentionState = ReturnType<typeof useMentionMenu>;

/** Opens while an '@' and the start of a teammate's name stand before the caret. */
export function useMentionMenu({ isNote, team, userId, editor }: MentionOptions) {
  const chosen = useRef<Teammate[]>([]);
  const teammates = team.map((entry) => entry.userId).filter(({ _id }) => _id !== userId);
  const trigger = isNote ? atSign(editor.draft, editor.caret) : null;
  const options = trigger ? matching(teammates, trigger.word) : [];
  const choose = (index: number) => {
    const teammate = options[index];
    if (!teammate || !trigger) return;
    chosen.current.push(teammate);
    // The name may be the beginning of another one.
    menu.close();
    editor.insert(`@${teammate.name} `, trigger.from);
  };
  const menu = useSuggestions({
    trigger,
    isOffered: options.length > 0,
    count: options.length,
    take: (active) => {
      choose(active);
      return true;
    },
    onLeave: editor.removeOffered,
  });
  return {
    ...menu,
    options,
    choose,
    /** The ids of the teammates whom a text mentions, typed or chosen. Of those of the same name, the chosen one is meant. */
    mentionedIn: (note: string) => {
      const parts = splitMentions(note, [...chosen.current, ...teammates]);
      return [...new Set(parts.flatMap(({ person }) => person?._id ?? []))];
    },
  };
}

/** An '@' that no word stands before, and what follows it up to the caret: names have blanks. */
function atSign(text: string, caret: number): Trigger | null {
  const before = text.slice(0, caret);
  const from = before.lastIndexOf('@');
  return from < 0 || /[\p{L}\p{N}]$/u.test(before.slice(0, from)) ? null : { from, word: before.slice(from + 1) };
}

/** Those of whose names a word begins so. */
function matching(teammates: readonly Teammate[], word: string): Teammate[] {
  const wanted = ` ${word.toLowerCase()}`;
  return teammates.filter(({ name }) => ` ${name.toLowerCase()}`.includes(wanted)).slice(0, SHOWN_MAX);
}
