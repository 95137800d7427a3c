import { useQuery } from '@tanstack/react-query';
import {
  type EmojiData,
  EmojiPicker,
  type EmojiPickerListCategoryHeaderProps,
  type EmojiPickerListEmojiProps,
  type EmojiPickerListRowProps,
} from 'frimousse';
import { useCallback } from 'react';
import { cx } from '../../../lib/cx.ts';
import { keys } from '../../../lib/query.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { readEmoji } from './emoji.ts';

interface PanelProps {
  onChoose: (emoji: string) => void;
}

/** All emoji by group, with a search; arrows move, Enter chooses. */
export function EmojiPanel({ onChoose }: PanelProps) {
  const { data, isError, refetch } = useQuery({
    queryKey: keys.emoji,
    queryFn: ({ signal }) => readEmoji(signal),
    staleTime: Number.POSITIVE_INFINITY,
    // Whoever waits for it can ask again.
    retry: false,
  });
  if (data) return <Picker data={data} onChoose={onChoose} />;
  if (isError) return <ErrorState what="The emoji could not be loaded." onRetry={() => void refetch()} />;
  return <p className="flex h-80 items-center justify-center text-muted">Loading…</p>;
}

function Picker({ data, onChoose }: PanelProps & { data: EmojiData }) {
  const resolve = useCallback(() => data, [data]);
  return (
    <EmojiPicker.Root
      resolveEmojiData={resolve}
      columns={9}
      onEmojiSelect={({ emoji }) => onChoose(emoji)}
      className="flex h-80 flex-col"
    >
      <EmojiPicker.Search
        autoFocus
        aria-label="Search emoji"
        placeholder="Search"
        className="m-2 h-9 shrink-0 rounded-control border border-edge bg-surface px-3 text-base sm:text-sm"
      />
      <EmojiPicker.Viewport className="relative min-h-0 flex-1 outline-hidden">
        <EmojiPicker.Empty className="flex h-full items-center justify-center text-muted">
          No emoji found
        </EmojiPicker.Empty>
        <EmojiPicker.List className="pb-2 select-none" components={{ CategoryHeader, Row, Emoji }} />
      </EmojiPicker.Viewport>
      <div className="flex h-10 shrink-0 items-center justify-between gap-2 border-t px-3 text-xs text-muted">
        <EmojiPicker.ActiveEmoji>
          {({ emoji }) => <span className="truncate">{emoji ? emoji.label : 'Choose an emoji'}</span>}
        </EmojiPicker.ActiveEmoji>
        <EmojiPicker.SkinToneSelector
          aria-label="Skin tone"
          className="size-8 shrink-0 rounded-control text-lg hover:bg-text/5"
        />
      </div>
    </EmojiPicker.Root>
  );
}

function CategoryHeader({ category, ...props }: EmojiPickerListCategoryHeaderProps) {
  return (
    <div {...props} className="bg-raised px-3 pt-2 pb-1 text-xs font-medium text-muted">
      {category.label}
    </div>
  );
}

/** The picker finds rows by an index from 0, which no screen reader knows: the first does without. */
function Row(props: EmojiPickerListRowProps) {
  // biome-ignore lint/a11y/useAriaPropsSupportedByRole: the role comes with the props
  return <div {...props} aria-rowindex={props['aria-rowindex'] || undefined} className="scroll-my-2 px-2" />;
}

function Emoji({ emoji, ...props }: EmojiPickerListEmojiProps) {
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: the role comes with the props
    <button
      {...props}
      aria-colindex={(props['aria-colindex'] ?? 0) + 1}
      type="button"
      className={cx(
        'flex h-9 flex-1 items-center justify-center rounded-control text-xl',
        emoji.isActive && 'bg-accent-soft',
      )}
    >
      {emoji.emoji}
    </button>
  );
}
