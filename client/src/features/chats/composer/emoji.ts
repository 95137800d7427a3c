import emojiUrl from 'emojibase-data/en/data.json?url';
import namesUrl from 'emojibase-data/en/messages.json?url';
import type { EmojiData } from 'frimousse';

/** Newer ones are empty boxes on systems that are a few years old. */
const NEWEST_VERSION = 15;
/** Parts that others are made of: nobody sends them alone. */
const PARTS = 'component';
const TONES = ['none', 'light', 'medium-light', 'medium', 'medium-dark', 'dark'] as const;

type Tone = Exclude<(typeof TONES)[number], 'none'>;

/** An emoji as emojibase-data writes it, as far as it is read here. */
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
 * Reads all emoji from files of our own, which the browser keeps by their immutable names. The picker's own way would put
 * half a megabyte into the storage that unsent messages need.
 */
export async function readEmoji(signal: AbortSignal): Promise<EmojiData> {
  const [all, names] = await Promise.all([read<Source[]>(emojiUrl, signal), read<Names>(namesUrl, signal)]);
  const groups = names.groups.filter(({ key }) => key !== PARTS);
  const known = new Set(groups.map(({ order }) => order));
  return {
    locale: 'en',
    categories: groups.map(({ order, message }) => ({ index: order, label: capital(message) })),
    skinTones: skinTonesOf(names),
    emojis: all.flatMap(({ emoji, label, group, tags = [], version, skins }) =>
      group !== undefined && known.has(group) && version <= NEWEST_VERSION
        ? [{ emoji, category: group, label: capital(label), version, tags, skins: skins && skinsOf(skins, emoji) }]
        : [],
    ),
  };
}

async function read<Data>(url: string, signal: AbortSignal): Promise<Data> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error('The emoji could not be loaded.');
  return response.json();
}

function skinTonesOf({ skinTones }: Names): Record<Tone, string> {
  const named = new Map(skinTones.map(({ key, message }) => [key, capital(message)]));
  return eachTone((tone) => named.get(tone) ?? tone);
}

/** The emoji in each skin tone; a pair is the same in both, or has no such form. */
function skinsOf(skins: NonNullable<Source['skins']>, plain: string): Record<Tone, string> {
  const byTone = new Map(skins.map(({ emoji, tone }) => [tone, emoji]));
  return eachTone((tone) => byTone.get(TONES.indexOf(tone)) ?? plain);
}

function eachTone(valueFor: (tone: Tone) => string): Record<Tone, string> {
  return {
    light: valueFor('light'),
    'medium-light': valueFor('medium-light'),
    medium: valueFor('medium'),
    'medium-dark': valueFor('medium-dark'),
    dark: valueFor('dark'),
  };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
