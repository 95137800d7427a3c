import { ATTRIBUTE_NAME_MAX_LENGTH, ATTRIBUTE_TEXT_MAX_LENGTH, ATTRIBUTES_MAX } from 'server/contract';
import type { Calls } from '../host.ts';
import type { ParleyApi, ParleyAttributes, ParleyEvents } from '../parley.d.ts';

type Listener<Event extends keyof ParleyEvents> = (detail: ParleyEvents[Event]) => void;

/** The attribute with the name of the last event that the page reported. */
const EVENT_ATTRIBUTE = 'last event';

/** Calls Parley, or queues the call until `widget.js` has run: the two scripts may come in either order. */
export function call<Name extends keyof Calls>(name: Name, ...args: Parameters<Calls[Name]>): void {
  push([name, ...args]);
}

export function on<Event extends keyof ParleyEvents>(event: Event, listener: Listener<Event>): void {
  push(['on', event, listener]);
}

function push(entry: unknown[]): void {
  const there = window.Parley as Pick<ParleyApi, 'push'> | undefined;
  // Browsers also make `window.Parley` for an element with this id.
  if (typeof there?.push === 'function') there.push(entry);
  else window.Parley = [entry];
}

export function isOpen(): boolean {
  const there = window.Parley as Partial<ParleyApi> | undefined;
  return there?.isOpen?.() ?? false;
}

/** Whether somebody is online, as the launcher shows it; false as long as there is no launcher. */
export function isOnline(): boolean {
  return !!document.querySelector('parley-widget')?.shadowRoot?.querySelector('.online-true');
}

/** What the other chats let a page ask about the conversation, followed from the script's start on. */
export interface Conversation {
  unread: number;
  /** Whether a chat has begun, or a message has come, on this page. */
  isOngoing: boolean;
}

export function followConversation(): Conversation {
  const conversation: Conversation = { unread: 0, isOngoing: false };
  on('unread', (count) => {
    conversation.unread = count;
  });
  for (const event of ['chat:started', 'message:sent', 'message:received'] as const)
    on(event, () => {
      conversation.isOngoing = true;
    });
  on('chat:closed', () => {
    conversation.isOngoing = false;
  });
  return conversation;
}

/** Passes attributes on. Parley keeps texts, numbers and booleans; all else is left out, and what is too long is cut. */
export function setAttributes(values: unknown): void {
  const attributes = attributesOf(values);
  if (Object.keys(attributes).length > 0) call('setAttributes', attributes);
}

function attributesOf(values: unknown): ParleyAttributes {
  const kept = Object.entries(values ?? {}).flatMap(([name, value]): [string, string | number | boolean | null][] => {
    const key = name.trim().slice(0, ATTRIBUTE_NAME_MAX_LENGTH);
    if (typeof value === 'string') return key ? [[key, value.slice(0, ATTRIBUTE_TEXT_MAX_LENGTH)]] : [];
    const isKept = typeof value === 'boolean' || value === null || Number.isFinite(value);
    return key && isKept ? [[key, value]] : [];
  });
  return Object.fromEntries(kept.slice(0, ATTRIBUTES_MAX));
}

/** Parley has no events of pages: the team sees the name of the last one among the attributes. */
export function reportEvent(name: unknown): void {
  setAttributes({ [EVENT_ATTRIBUTE]: name });
}

/** A text, or a number as a text; undefined for all else and for nothing. */
export function textOf(value: unknown): string | undefined {
  return (typeof value === 'string' || typeof value === 'number') && value !== '' ? `${value}` : undefined;
}

/** What a page gave as a callback; a function that does nothing if it is none. */
export function callbackOf(value: unknown): (...args: unknown[]) => void {
  return typeof value === 'function' ? (...args) => value(...args) : () => {};
}

/** An entry of a table by the name that a page gave; undefined for inherited names. */
export function entryOf<Entry>(table: Record<string, Entry>, name: unknown): Entry | undefined {
  return Object.keys(table).includes(`${name}`) ? table[`${name}`] : undefined;
}

/** Says who the visitor is. What is empty is left out. */
export function identify(who: { id?: unknown; name?: unknown; email?: unknown; phone?: unknown }): void {
  const known = Object.entries(who).flatMap(([key, value]) => {
    const text = textOf(value);
    return text === undefined ? [] : [[key, text]];
  });
  if (known.length > 0) call('identify', Object.fromEntries(known));
}

/** @returns a function that warns of a call without a counterpart, once for each name */
export function createWarning(api: string): (name: string) => void {
  const warned = new Set<string>();
  return (name) => {
    if (warned.has(name)) return;
    warned.add(name);
    console.warn(`Parley: ${api} ${name} does nothing here.`);
  };
}
