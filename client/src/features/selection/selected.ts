import { BULK_MAX, type Chat, can, type Site } from 'server/contract';
import { msg } from '../../lib/i18n.ts';
import type { Shortcut } from '../../lib/keyboard.ts';

/** The keys of a selection in the inbox; two of them are for the open chat while nothing is selected. */
export const SELECTION_SHORTCUTS = {
  select: { keys: ['x'], does: msg('Select the chat, or no longer') },
  close: { keys: ['e'], does: msg('Close the selected chats') },
  tag: { keys: ['l'], does: msg('Tag the selected chats') },
  transfer: { keys: ['t'], does: msg('Assign the selected chats') },
  clear: { keys: ['Escape'], does: msg('Select nothing') },
} satisfies Record<string, Shortcut>;

/** The chats that an agent has selected, never none. */
export interface Selected {
  ids: ReadonlySet<string>;
  /** The one that was selected last: a range begins there. */
  last: string | null;
}

/** A list with its selection. */
export interface Picking {
  /** The loaded chats in the order of the screen; undefined: none yet. */
  chats: readonly Chat[] | undefined;
  sites: readonly Site[];
  /** undefined: nothing is selected. */
  selected: Selected | undefined;
  onSelect: (selected: Selected | undefined) => void;
}

/** Whether the user may answer a chat, and so change and select it. */
export function mayAnswer({ site }: Chat, sites: readonly Site[]): boolean {
  const known = sites.find(({ _id }) => _id === site._id);
  return known !== undefined && can(known, 'chats.reply');
}

/** The chats that 'select all' would select. */
export function selectableOf({ chats = [], sites }: Picking): Chat[] {
  return chats.filter((chat) => mayAnswer(chat, sites)).slice(0, BULK_MAX);
}

/** The selected chats that are still in the list. */
export function chosenOf({ chats = [], sites, selected }: Picking): Chat[] {
  if (!selected) return [];
  return chats.filter((chat) => selected.ids.has(chat._id) && mayAnswer(chat, sites));
}

/** These chats as a selection; one call changes no more than `BULK_MAX`. */
export function selectionOf(ids: Iterable<string>, last: string | null = null): Selected | undefined {
  const kept = new Set([...ids].slice(0, BULK_MAX));
  return kept.size > 0 ? { ids: kept, last } : undefined;
}

/** Selects a chat or no longer selects it; as a range, together with all between it and the one before. */
export function toggled(picking: Picking, id: string, isRange: boolean): Selected | undefined {
  const { chats = [], sites, selected } = picking;
  const ids = new Set(selected?.ids);
  const isOn = !ids.has(id);
  const all = chats.filter((chat) => mayAnswer(chat, sites)).map(({ _id }) => _id);
  const [from, to] = [all.indexOf(selected?.last ?? ''), all.indexOf(id)];
  const range = isRange && from >= 0 ? all.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
  for (const each of range) {
    if (isOn) ids.add(each);
    else ids.delete(each);
  }
  return selectionOf(ids, id);
}
