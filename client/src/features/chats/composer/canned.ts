import { type KeyboardEvent, useState } from 'react';
import type { CannedReply } from 'server/contract';
import { matching, slashAt, useReplies } from './cannedReplies.ts';

interface CannedProps {
  siteId: string;
  text: string;
  caret: number;
  /** Whether the user may write them. */
  mayEdit: boolean;
  /** Puts a reply where its '/' and word stand. */
  onChoose: (reply: CannedReply, from: number) => void;
  /** The list is left without a choice. */
  onLeave: () => void;
  onManage: () => void;
}

/** The list that a '/' opens. */
export interface Canned {
  state: 'closed' | 'loading' | 'failed' | 'open';
  options: readonly CannedReply[];
  /** Which option Enter takes; one after the last: 'Manage canned replies'. */
  active: number;
  choose: (index: number) => void;
  retry: () => void;
  /** Takes the keys that belong to the list. */
  onKeyDown: (event: KeyboardEvent) => boolean;
}

/** Finds canned replies while a '/' and a word stand before the caret. */
export function useCanned({ siteId, text, caret, mayEdit, onChoose, onLeave, onManage }: CannedProps): Canned {
  const slash = slashAt(text, caret);
  const { data, isError, refetch } = useReplies(siteId, slash !== null);
  const [left, setLeft] = useState<number | null>(null);
  const [chosen, setChosen] = useState({ word: '', index: 0 });
  if (left !== null && slash?.from !== left) setLeft(null);

  const options = slash && data ? matching(data, slash.word) : [];
  const count = options.length + (mayEdit ? 1 : 0);
  // Whoever types another path or date with a '/' is left alone.
  const isNothing = data !== undefined && options.length === 0 && slash?.word !== '';
  const isOpen = slash !== null && left !== slash.from && !isNothing;
  const active = chosen.word === slash?.word ? Math.min(chosen.index, count - 1) : 0;

  const choose = (index: number) => {
    if (!slash) return;
    const reply = options[index];
    if (reply) {
      onChoose(reply, slash.from);
      return;
    }
    setLeft(slash.from);
    onLeave();
    onManage();
  };
  const move = (step: number) =>
    setChosen({ word: slash?.word ?? '', index: count === 0 ? 0 : (active + step + count) % count });

  const act = (key: string): boolean => {
    switch (key) {
      case 'ArrowDown':
        move(1);
        return true;
      case 'ArrowUp':
        move(-1);
        return true;
      case 'Escape':
        setLeft(slash?.from ?? null);
        onLeave();
        return true;
      case 'Enter':
      case 'Tab':
        if (isError && !data) return false;
        // While they are on their way, or there are none, the key must not send the '/' to the visitor.
        if (data && count > 0) choose(active);
        return true;
      default:
        return false;
    }
  };
  return {
    state: !isOpen ? 'closed' : isError ? 'failed' : data ? 'open' : 'loading',
    options,
    active,
    choose,
    retry: () => void refetch(),
    onKeyDown: (event) => {
      if (!isOpen || event.shiftKey || !act(event.key)) return false;
      event.preventDefault();
      return true;
    },
  };
}
