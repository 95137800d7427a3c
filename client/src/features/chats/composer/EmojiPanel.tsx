import { useQuery } from '@tanstack/react-query';
import emojiUrl from 'emojibase-data/en/data.json?url';
import namesUrl from 'emojibase-data/en/messages.json?url';
import {
  type EmojiData,
  EmojiPicker,
  type EmojiPickerListCategoryHeaderProps,
  type EmojiPickerListEmojiProps,
  type EmojiPickerListRowProps,
} from 'frimousse';
import { useCallback, useState } from 'react';
import { cx } from '../../../lib/cx.ts';
import { t } from '../../../lib/i18n.ts';
import { keys } from '../../../lib/query.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';

/** Newer emoji are empty boxes on systems that are a few years old. */
const NEWEST_VERSION = 15;
/** Emoji of earlier versions are the best known. */
const LATER_VERSION = 2;
/** The group of parts that emoji are composed of, such as skin tones. */
const PARTS = 'component';
/** Stands before each word that the search finds. */
const WORD = '^';
const TONES = ['none', 'light', 'medium-light', 'medium', 'medium-dark', 'dark'] as const;

interface EmojiPanelProps {
  onChoose: (emoji: string) => void;
}

/** All emoji by group, with a search. */
export function EmojiPanel({ onChoose }: EmojiPanelProps) {
  const { data, isError, refetch } = useQuery({
    queryKey: keys.emoji,
    queryFn: ({ signal }) => readEmoji(signal),
    staleTime: Number.POSITIVE_INFINITY,
    // The user can try again.
    retry: false,
  });
  if (data) return <Picker data={data} onChoose={onChoose} />;
  if (isError) return <ErrorState what={t('The emoji could not be loaded.')} onRetry={() => void refetch()} />;
  return <p className="flex h-80 items-center justify-center text-muted">{t('Loading…')}</p>;
}

/**
 * Shows the emoji. The picker's own search finds a text anywhere in a word, pancakes for 'cake'; so it gets the text of our
 * field with the mark that stands before each word in the data.
 */
function Picker({ data, onChoose }: EmojiPanelProps & { data: EmojiData }) {
  const [query, setQuery] = useState('');
  const resolve = useCallback(() => data, [data]);
  return (
    <EmojiPicker.Root
      resolveEmojiData={resolve}
      columns={9}
      onEmojiSelect={({ emoji }) => onChoose(emoji)}
      className="flex h-80 flex-col"
    >
      <EmojiPicker.Search hidden value={query.trim() && WORD + query.trim()} />
      <input
        // The picker's keys work in a field with this mark.
        frimousse-search=""
        // biome-ignore lint/a11y/noAutofocus: the picker was opened to choose one
        autoFocus
        type="search"
        autoComplete="off"
        value={query}
        onChange={({ target }) => setQuery(target.value)}
        aria-label={t('Search emoji')}
        placeholder={t('Search')}
        className="m-2 h-9 shrink-0 rounded-control border border-edge bg-surface px-3 text-base sm:text-sm"
      />
      <EmojiPicker.Viewport className="relative min-h-0 flex-1 outline-hidden">
        <EmojiPicker.Empty className="flex h-full items-center justify-center text-muted">
          {t('No emoji found')}
        </EmojiPicker.Empty>
        <EmojiPicker.List className="pb-2 select-none" components={{ CategoryHeader, Row, Emoji }} />
      </EmojiPicker.Viewport>
      <div className="flex h-10 shrink-0 items-center justify-between gap-2 border-t px-3 text-xs text-muted">
        <EmojiPicker.ActiveEmoji>
          {({ emoji }) => <span className="truncate">{emoji ? emoji.label : t('Choose an emoji')}</span>}
        </EmojiPicker.ActiveEmoji>
        <EmojiPicker.SkinToneSelector
          aria-label={t('Skin tone')}
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

/** The picker needs an `aria-rowindex` from 0, which ARIA does not allow: the first row goes without. */
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

type Tone = Exclude<(typeof TONES)[number], 'none'>;

/** An emoji of emojibase-data, as far as it is used here. */
interface Source {
  emoji: string;
  label: string;
  group?: number;
  tags?: string[];
  version: number;
  skins?: { emoji: string; tone: number | number[] }[];
}

/** The names of groups and skin tones. */
interface Names {
  groups: { key: string; message: string; order: number }[];
  skinTones: { key: Tone; message: string }[];
}

/**
 * Loads the emoji from this server's own immutable files. The picker's own loader would cache half a megabyte in local
 * storage, which unsent messages need.
 */
async function readEmoji(signal: AbortSignal): Promise<EmojiData> {
  const [all, names] = await Promise.all([read<Source[]>(emojiUrl, signal), read<Names>(namesUrl, signal)]);
  const groups = names.groups.filter(({ key }) => key !== PARTS);
  const known = new Set(groups.map(({ order }) => order));
  return {
    locale: 'en',
    categories: groups.map(({ order, message }) => ({ index: order, label: capitalized(message) })),
    skinTones: skinTonesOf(names),
    emojis: all.flatMap(({ emoji, label, group, tags = [], version, skins }) =>
      group !== undefined && known.has(group) && version <= NEWEST_VERSION
        ? [
            {
              emoji,
              category: group,
              label: capitalized(label),
              version,
              tags: wordsOf(label, tags, version),
              skins: skins && skinsOf(skins, emoji),
            },
          ]
        : [],
    ),
  };
}

/** What the search finds an emoji by. The picker puts first what has a word most often: short names, and the best known. */
function wordsOf(label: string, tags: string[], version: number): string[] {
  const words = label.toLowerCase().split(/[\s:,]+/);
  const isShort = words.length <= 2;
  const isOld = version < LATER_VERSION;
  const found = [label.toLowerCase(), ...words, ...(isShort ? words : []), ...(isOld ? words : []), ...tags];
  return found.map((word) => WORD + word);
}

async function read<Data>(url: string, signal: AbortSignal): Promise<Data> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error('The emoji could not be loaded.');
  return response.json();
}

function skinTonesOf({ skinTones }: Names): Record<Tone, string> {
  const named = new Map(skinTones.map(({ key, message }) => [key, capitalized(message)]));
  return eachTone((tone) => named.get(tone) ?? tone);
}

/** The emoji in each skin tone; two people have the same tone, or the emoji has no such form. */
function skinsOf(skins: NonNullable<Source['skins']>, plain: string): Record<Tone, string> {
  const byTone = new Map(skins.map(({ emoji, tone }) => [tone, emoji]));
  return eachTone((tone) => byTone.get(TONES.indexOf(tone)) ?? plain);
}

function eachTone(valueFor: (tone: Tone) => string): Record<Tone, string> {
  const tones = TONES.filter((tone) => tone !== 'none');
  return Object.fromEntries(tones.map((tone) => [tone, valueFor(tone)])) as Record<Tone, string>;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
