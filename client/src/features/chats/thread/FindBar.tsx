import { useInfiniteQuery } from '@tanstack/react-query';
import { isComposing } from 'browser/isComposing';
import { ChevronDown, ChevronUp, Search, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react';
import { SEARCH_MAX_LENGTH } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { t } from '../../../lib/i18n.ts';
import { keys } from '../../../lib/query.ts';
import { useDebounced } from '../../../lib/timing.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Input } from '../../../ui/Input.tsx';

const DEBOUNCE_MS = 250;

interface FindBarProps {
  chatId: string;
  /** The seq of the message that is shown. */
  at: number | null;
  onShow: (at: number) => void;
  onClose: () => void;
}

/** The search within a chat: the newest hit is shown first, and one steps from it to the older ones. */
export function FindBar({ chatId, at, onShow, onClose }: FindBarProps) {
  const [typed, setTyped] = useState('');
  const words = useDebounced(typed.trim(), DEBOUNCE_MS);
  const finds = useFinds(chatId, words);
  const { seqs } = finds;
  const index = at === null ? -1 : seqs.indexOf(at);
  const newest = seqs[0];
  const show = useEffectEvent(() => {
    if (newest !== undefined) onShow(newest);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words have other hits, though the newest may be the same
  useEffect(() => show(), [words, newest]);

  const step = (by: 1 | -1) => {
    const from = index < 0 && by < 0 ? 0 : index;
    const next = seqs.at((from + by + seqs.length) % seqs.length);
    if (next !== undefined) onShow(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Escape') onClose();
    else if (event.key === 'ArrowUp' || (event.key === 'Enter' && !event.shiftKey)) step(1);
    else if (event.key === 'ArrowDown' || event.key === 'Enter') step(-1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search className="flex shrink-0 items-center gap-1 border-b bg-surface px-2 py-2 sm:px-4">
      <div className="relative min-w-0 flex-1">
        <Search size={16} aria-hidden className="pointer-events-none absolute top-2.5 start-3 text-muted" />
        <Input
          autoFocus
          type="search"
          enterKeyHint="search"
          autoComplete="off"
          aria-label={t('Search in the chat')}
          placeholder={t('Search in this chat')}
          maxLength={SEARCH_MAX_LENGTH}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={onKeyDown}
          className="h-9! ps-9!"
        />
      </div>
      <p role="status" className="shrink-0 px-1 text-xs whitespace-nowrap text-muted tabular-nums">
        {words !== '' && stateText(finds, index)}
      </p>
      <IconButton label={t('Older hit')} size="sm" disabled={seqs.length === 0} onClick={() => step(1)}>
        <ChevronUp size={18} aria-hidden />
      </IconButton>
      <IconButton label={t('Newer hit')} size="sm" disabled={seqs.length === 0} onClick={() => step(-1)}>
        <ChevronDown size={18} aria-hidden />
      </IconButton>
      <IconButton label={t('Close the search')} size="sm" onClick={onClose}>
        <X size={18} aria-hidden />
      </IconButton>
    </search>
  );
}

interface Finds {
  /** Newest first. */
  seqs: readonly number[];
  state: 'searching' | 'done' | 'failed';
}

function stateText({ seqs, state }: Finds, index: number): string {
  const found = `${seqs.length}${state === 'searching' ? '+' : ''}`;
  if (seqs.length > 0)
    return index < 0 ? t('{found} found', { found }) : t('{at} of {found}', { at: index + 1, found });
  if (state === 'failed') return t('The search failed');
  return state === 'searching' ? t('Searching…') : t('Nothing found');
}

/** The hits in the whole chat, which the server searches in parts. */
function useFinds(chatId: string, words: string): Finds {
  const query = useInfiniteQuery({
    queryKey: keys.find(chatId, words),
    queryFn: ({ pageParam, signal }) =>
      call('GET /chats/:id/search', {
        params: { id: chatId },
        query: { q: words, ...(pageParam !== null && { before: pageParam }) },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    enabled: words !== '',
    // There may be new messages.
    staleTime: 0,
    gcTime: 0,
  });
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  const seqs = query.data?.pages.flatMap((page) => page.seqs) ?? [];
  return { seqs, state: isError ? 'failed' : isFetching || hasNextPage ? 'searching' : 'done' };
}
