import { type KeyboardEvent, useState } from 'react';

/** The sign that opens a menu of suggestions, with the text between it and the caret. */
export interface Trigger {
  /** The index of the sign. */
  from: number;
  word: string;
}

interface SuggestionOptions {
  /** Null: no sign stands before the caret. */
  trigger: Trigger | null;
  /** Whether there is anything to show for the word. */
  isOffered: boolean;
  /** The number of options. */
  count: number;
  /** Enter or Tab: takes the active option. @returns whether the key was for the menu */
  take: (active: number) => boolean;
  /** Escape: closed without a choice. */
  onLeave: () => void;
}

/** The state of a menu of suggestions. The focus stays in the text field, as `aria-activedescendant` wants it. */
export type Suggestions = ReturnType<typeof useSuggestions>;

/** A menu that is open while a sign and the start of a word stand before the caret, until Escape. */
export function useSuggestions({ trigger, isOffered, count, take, onLeave }: SuggestionOptions) {
  const [closedAt, setClosedAt] = useState<number | null>(null);
  const [highlight, setHighlight] = useState({ word: '', index: 0 });
  if (closedAt !== null && trigger?.from !== closedAt) setClosedAt(null);
  const isOpen = isOffered && trigger !== null && closedAt !== trigger.from;
  /** The index of the option that Enter takes. */
  const active = highlight.word === trigger?.word ? Math.min(highlight.index, count - 1) : 0;
  /** Closes it until another sign is typed. */
  const close = () => setClosedAt(trigger?.from ?? null);
  const handleKey = (key: string): boolean => {
    switch (key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        const step = key === 'ArrowDown' ? 1 : -1;
        setHighlight({ word: trigger?.word ?? '', index: (active + step + count) % count });
        return true;
      }
      case 'Escape':
        close();
        onLeave();
        return true;
      case 'Enter':
      case 'Tab':
        return take(active);
      default:
        return false;
    }
  };
  return {
    isOpen,
    active,
    close,
    /** @returns whether the key was for the menu */
    onKeyDown: (event: KeyboardEvent): boolean => {
      if (!isOpen || event.shiftKey || !handleKey(event.key)) return false;
      event.preventDefault();
      return true;
    },
  };
}
