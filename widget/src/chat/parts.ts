import type * as Alert from '../alert/alert.ts';
import type * as Commands from '../commands/commands.ts';
import type * as Emoji from '../emoji/emoji.ts';
import type * as Files from '../files/files.ts';
import type * as Form from '../form/form.ts';
import type { MoreWords } from '../languages/more.ts';
import type * as Live from '../live/live.ts';
import type * as Polling from '../live/polling.ts';
import type * as Erasure from '../menu/erasure.ts';
import type * as Menu from '../menu/menu.ts';
import type { Words } from './words.ts';

/** English is in the chat itself. */
export type OtherLanguage = 'ar' | 'de' | 'es' | 'fa' | 'fr' | 'hi' | 'ja' | 'pt' | 'ru' | 'tr' | 'zh';
export type LanguageName = 'en' | OtherLanguage;

/** The words of each language: those of the chat itself, and those of its parts. */
type Languages = Record<OtherLanguage, { words: Words }> & Record<`more-${LanguageName}`, { more: MoreWords }>;

/** The parts of the chat that are fetched when somebody needs them. */
export interface Parts extends Languages {
  live: typeof Live;
  polling: typeof Polling;
  commands: typeof Commands;
  form: typeof Form;
  emoji: typeof Emoji;
  files: typeof Files;
  menu: typeof Menu;
  erasure: typeof Erasure;
  alert: typeof Alert;
}

/** Fetches a part; `attempt` grows, because browsers remember that an address failed. */
export type LoadPart = <Name extends keyof Parts>(name: Name, attempt: number) => Promise<Parts[Name]>;

/** Fetches a part as often as it is asked for: a failure is not remembered. */
export type Fetch = <Name extends keyof Parts>(name: Name) => Promise<Parts[Name]>;

/** Counts the failures of each part, for the next attempt. */
export function createFetch(load: LoadPart): Fetch {
  const failures = new Map<keyof Parts, number>();
  return async (name) => {
    const attempt = failures.get(name) ?? 0;
    try {
      return await load(name, attempt);
    } catch (error) {
      failures.set(name, attempt + 1);
      throw error;
    }
  };
}
