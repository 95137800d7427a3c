import { type ComponentProps, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useDraft } from '../../../lib/drafts.ts';

const MAX_HEIGHT_PX = 200;

/** The draft in a text field, its caret, and what buttons insert at the caret. */
export type Editor = ReturnType<typeof useEditor>;

/** Binds a text field to a draft, which other tabs and links may change as well. @param onWrite called with what is typed here */
export function useEditor(field: RefObject<HTMLTextAreaElement | null>, key: string, onWrite: (text: string) => void) {
  const [kept, setDraft] = useDraft(key);
  // While an input method composes, nothing else may touch the field: the composition would be lost.
  const [composed, setComposed] = useState<string | null>(null);
  const draft = composed ?? kept;
  const [caret, setCaret] = useState(draft.length);
  const offered = useRef<{ from: number; text: string } | null>(null);
  const known = useRef({ key, text: draft });
  useAutoHeight(field, draft);

  // The browser puts the caret behind a text from elsewhere.
  useLayoutEffect(() => {
    const { text, key: before } = known.current;
    known.current = { key, text: draft };
    const area = field.current;
    if (!area || (text === draft && before === key)) return;
    const at = before === key ? movedCaret(text, draft, caret) : draft.length;
    if (area === document.activeElement) area.setSelectionRange(at, at);
    setCaret(area.selectionEnd);
  }, [field, key, draft, caret]);

  const write = (text: string, at: number) => {
    known.current = { key, text };
    setDraft(text);
    if (composed !== null) setComposed(text);
    setCaret(at);
    onWrite(text);
  };
  const replace = (from: number, to: number, text: string) => {
    const area = field.current;
    if (!area) return;
    const at = from + text.length;
    // By `value`, which React tracks. After `setRangeText` it would miss a key that restores the text from before.
    area.value = draft.slice(0, from) + text + draft.slice(to);
    area.setSelectionRange(at, at);
    write(area.value, at);
    area.focus();
  };
  /** Replaces the selection, or with `from` the text between that and the caret. */
  const insert = (text: string, from?: number) => {
    const area = field.current;
    if (!area) return;
    replace(from ?? area.selectionStart, from === undefined ? area.selectionEnd : caret, text);
  };
  /** Inserts the sign that opens a menu. */
  const offer = (sign: '/' | '@') => {
    const from = field.current?.selectionStart ?? draft.length;
    const text = /(^|\s)$/.test(draft.slice(0, from)) ? sign : ` ${sign}`;
    offered.current = { from, text };
    insert(text);
  };
  /** Removes the sign that a button inserted; one that the user typed stays. */
  const removeOffered = () => {
    const sign = offered.current;
    offered.current = null;
    if (sign && draft.slice(sign.from, caret) === sign.text) replace(sign.from, caret, '');
  };
  const props: ComponentProps<'textarea'> = {
    value: draft,
    onChange: ({ target }) => write(target.value, target.selectionEnd),
    onSelect: ({ currentTarget }) => setCaret(currentTarget.selectionEnd),
    onCompositionStart: ({ currentTarget }) => setComposed(currentTarget.value),
    onCompositionEnd: ({ currentTarget }) => {
      write(currentTarget.value, currentTarget.selectionEnd);
      setComposed(null);
    },
  };
  return { draft, caret, write, insert, offer, removeOffered, props };
}

/** Where the caret belongs after the text was changed from elsewhere: it stays with the words that it stood behind or before. */
function movedCaret(before: string, after: string, caret: number): number {
  if (caret === before.length) return after.length;
  if (after.startsWith(before.slice(0, caret))) return caret;
  if (after.endsWith(before.slice(caret))) return after.length - (before.length - caret);
  return Math.min(caret, after.length);
}

/** The field grows with its text, up to a limit. */
function useAutoHeight(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is the change to react to
  useLayoutEffect(() => {
    const area = field.current;
    if (!area) return;
    area.style.height = 'auto';
    area.style.height = `${Math.min(area.scrollHeight, MAX_HEIGHT_PX)}px`;
  }, [field, text]);
}
