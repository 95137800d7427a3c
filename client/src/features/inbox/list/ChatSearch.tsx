import { isComposing } from 'browser/isComposing';
import { Search } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { Input } from '../../../ui/Input.tsx';

const DEBOUNCE_MS = 300;

interface ChatSearchProps {
  label: string;
  placeholder: string;
  value: string;
  onSearch: (words: string) => void;
  /** Whether it searches while the user types, debounced; else with Enter only. */
  live?: boolean;
  inputRef?: RefObject<HTMLInputElement | null>;
}

/** The search field above a list of chats. */
export function ChatSearch({ label, placeholder, value, onSearch, live = false, inputRef }: ChatSearchProps) {
  const [text, setText] = useState(value);
  const [searched, setSearched] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // Changed from outside, as by 'Show all chats'.
  if (searched !== value) {
    setSearched(value);
    setText(value);
  }
  const search = (words: string) => {
    clearTimeout(timer.current);
    setSearched(words);
    onSearch(words);
  };
  const onChange = (words: string) => {
    setText(words);
    clearTimeout(timer.current);
    // The field's own clear button sends no Enter.
    if (words === '') search('');
    else if (live) timer.current = setTimeout(() => search(words), DEBOUNCE_MS);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !isComposing(event.nativeEvent)) search(text);
  };
  return (
    <div className="relative min-w-0 flex-1">
      <Search size={16} aria-hidden className="pointer-events-none absolute top-2.5 start-3 text-muted" />
      <Input
        ref={inputRef}
        type="search"
        enterKeyHint="search"
        aria-label={label}
        placeholder={placeholder}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-9! ps-9!"
      />
    </div>
  );
}
