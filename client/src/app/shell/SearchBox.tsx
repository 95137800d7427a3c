import { isComposing } from 'browser/isComposing';
import { Search as SearchIcon } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Chat, Site } from 'server/contract';
import { cx } from '../../lib/cx.ts';
import { t } from '../../lib/i18n.ts';
import { isMac, useKeys } from '../../lib/keyboard.ts';
import { type SearchResult, useSearchResults } from './searchResults.ts';

interface SearchProps {
  sites: readonly Site[];
  chats: readonly Chat[];
  /** Focuses the field on mount. */
  autoFocus: boolean;
  /** Called when the search has ended, so that phones can hide the box. */
  onDone: () => void;
}

/** The global search (command palette), a combobox with its results below. Ctrl/Cmd+K focuses it from anywhere. */
export function SearchBox({ sites, chats, autoFocus, onDone }: SearchProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const { results, state, remember } = useSearchResults(query, sites, chats);
  useKeys((event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (key.toLowerCase() !== 'k' || !(ctrlKey || metaKey) || altKey || shiftKey) return;
    event.preventDefault();
    input.current?.focus();
  });

  const close = () => {
    setOpen(false);
    setQuery('');
    setAt(0);
    onDone();
  };
  const follow = (result: SearchResult | undefined) => {
    if (!result) return;
    remember(result);
    if (result.newTab) window.open(result.to, '_blank', 'noopener');
    else navigate(result.to, { state: { shownAt: Date.now() } });
    input.current?.blur();
  };
  const press = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && open && results.length > 0) setAt((at + step + results.length) % results.length);
    else if (event.key === 'Enter' && open) follow(results[at]);
    else if (event.key === 'Escape') input.current?.blur();
    else return;
    event.preventDefault();
  };

  return (
    <>
      <SearchIcon size={16} aria-hidden className="pointer-events-none absolute top-3 start-3 text-muted" />
      <input
        ref={input}
        type="search"
        role="combobox"
        aria-label={t('Search')}
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(open && results[at] && { 'aria-activedescendant': `${id}-${at}` })}
        // biome-ignore lint/a11y/noAutofocus: only where somebody has just asked for the box
        autoFocus={autoFocus}
        autoComplete="off"
        placeholder={t('Search chats, sites, or team members...')}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setAt(0);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        // Another window took the focus: what was typed is still wanted.
        onBlur={() => document.activeElement !== input.current && close()}
        onKeyDown={press}
        className="h-10 w-full rounded-control border bg-background pe-14 ps-9 text-ellipsis max-sm:text-base [&::-webkit-search-cancel-button]:hidden"
      />
      <kbd
        aria-hidden
        className="pointer-events-none absolute top-2.5 end-2.5 rounded-small border px-1.5 font-sans text-xs/4.5 text-muted max-lg:hidden"
      >
        {isMac() ? '⌘K' : 'Ctrl K'}
      </kbd>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={t('Results')}
        hidden={!open}
        className="absolute inset-x-0 top-full z-40 mt-1.5 max-h-[min(26rem,70dvh)] animate-enter overflow-y-auto rounded-card border bg-raised p-1 shadow-float"
      >
        {open &&
          results.map((result, index) => (
            <Result
              key={result.group + result.key}
              id={`${id}-${index}`}
              result={result}
              first={results[index - 1]?.group !== result.group}
              active={index === at}
              onPoint={() => setAt(index)}
              onFollow={() => follow(result)}
            />
          ))}
        {open && results.length === 0 && state !== 'searching' && (
          <p className="p-4 text-center text-muted">{t('Nothing found for “{query}”', { query })}</p>
        )}
        {open && state === 'partly' && (
          <p className="px-2.5 py-2 text-xs text-muted">
            {t('The server did not answer. These results are from this page only.')}
          </p>
        )}
      </div>
      <p role="status" className="sr-only">
        {open && query !== '' && SAYINGS[state](results.length)}
      </p>
    </>
  );
}

const SAYINGS = {
  searching: () => t('Searching…'),
  done: (count: number) => t('{count} found', { count }),
  partly: (count: number) => t('{count} found on this page; the server did not answer', { count }),
};

interface ResultProps {
  id: string;
  result: SearchResult;
  /** Of its group. */
  first: boolean;
  active: boolean;
  onPoint: () => void;
  onFollow: () => void;
}

function Result({ id, result, first, active, onPoint, onFollow }: ResultProps) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active) row.current?.scrollIntoView?.({ block: 'nearest' });
  }, [active]);
  return (
    <>
      {first && (
        <p role="presentation" className="px-2.5 pt-2.5 pb-1 text-xs font-medium text-muted">
          {t(result.group)}
        </p>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard by the box, which keeps the focus */}
      <div
        ref={row}
        id={id}
        role="option"
        tabIndex={-1}
        aria-selected={active}
        onPointerMove={onPoint}
        onPointerDown={(event) => event.preventDefault()}
        onClick={onFollow}
        className={cx('flex cursor-default items-baseline gap-2 rounded-control px-2.5 py-2', active && 'bg-text/5')}
      >
        <span className="max-w-[60%] shrink-0 truncate font-medium">{result.title}</span>
        <span className="truncate text-muted">{result.text}</span>
      </div>
    </>
  );
}
