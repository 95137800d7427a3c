import { Search } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { isComposing } from '../../../lib/composing.ts';
import { Input } from '../../../ui/Input.tsx';

/** So much stillness after a key, and the words are looked for. */
const TYPED_AFTER_MS = 300;

interface SearchBoxProps {
  label: string;
  placeholder: string;
  value: string;
  onSearch: (words: string) => void;
  /** Whether it also looks while somebody types; else with Enter only. */
  live?: boolean;
  field?: RefObject<HTMLInputElement | null>;
}

/** What a list is searched for. */
export function SearchBox({ label, placeholder, value, onSearch, live = false, field }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const [given, setGiven] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // Changed from outside, as by 'Show all chats'.
  if (given !== value) {
    setGiven(value);
    setText(value);
  }
  const search = (words: string) => {
    clearTimeout(timer.current);
    setGiven(words);
    onSearch(words);
  };
  const type = (words: string) => {
    setText(words);
    clearTimeout(timer.current);
    // The cross of the field empties it without a key.
    if (words === '') search('');
    else if (live) timer.current = setTimeout(() => search(words), TYPED_AFTER_MS);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !isComposing(event.nativeEvent)) search(text);
  };
  return (
    <div className="relative min-w-0 flex-1">
      <Search size={16} aria-hidden className="pointer-events-none absolute top-2.5 left-3 text-muted" />
      <Input
        ref={field}
        type="search"
        enterKeyHint="search"
        aria-label={label}
        placeholder={placeholder}
        value={text}
        onChange={(event) => type(event.target.value)}
        onKeyDown={press}
        className="h-9! pl-9!"
      />
    </div>
  );
}
