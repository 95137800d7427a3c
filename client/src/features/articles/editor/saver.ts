import { type Article, type ArticleLanguage, type ArticleText, type ArticleTextBody, slugOf } from 'server/contract';
import { drafts } from '../../../lib/drafts.ts';
import { ApiError, isFinal } from '../../../lib/http.ts';
import { isSame, isSameKind, readJson } from '../../../lib/json.ts';

/** Debounce of the autosave: the pause after the last key. */
const PAUSE_MS = 1_000;
/** The pause between two tries while the server cannot be reached. */
const AGAIN_MS = 5_000;

/** What is written in one language. */
export type TextValues = Pick<ArticleText, 'title' | 'text' | 'description' | 'alsoAsked' | 'slug'>;
type Field = keyof TextValues;
type Base = TextValues & Pick<ArticleText, 'rev'>;

const NOTHING: Base = { title: '', text: '', description: '', alsoAsked: [], slug: '', rev: 0 };
const FIELDS = ['title', 'text', 'description', 'alsoAsked', 'slug'] as const satisfies readonly Field[];

/** What is changed and not saved. */
interface Draft {
  mine: Partial<TextValues>;
  /** The values that these were changed from. */
  from: Partial<TextValues>;
  /** The `rev` on the server that they are changes of. */
  rev: number;
}

/** What the screen shows of a text. */
export interface SaverState {
  values: TextValues;
  phase: 'saved' | 'saving' | 'failed' | 'conflict';
  /** Why it is not saved. */
  failure: unknown;
  /** What somebody else has changed as well, which the user has to decide. */
  conflicts: { field: Field; mine: string; theirs: string }[];
}

export type Saver = ReturnType<typeof createSaver>;

interface SaverOptions {
  draftKey: string;
  base: Base;
  put: (body: ArticleTextBody) => Promise<Base>;
  /** Reads what somebody else has saved. */
  read: () => Promise<Base>;
}

/** The text of an article as the server has it; of a language without one, an empty text. */
export function baseOf({ texts }: Pick<Article, 'texts'>, lang: ArticleLanguage): Base {
  const { title, text, description, alsoAsked, slug, rev } = texts.find((each) => each.lang === lang) ?? NOTHING;
  return { title, text, description, alsoAsked, slug, rev };
}

/**
 * Autosaves a text, debounced. It outlives its fields: what is unsaved when they are unmounted is saved then. Until the server has it,
 * it is a draft in this browser. Changes by others are merged field by field; where both have changed the same field, nothing is saved
 * before the user decides.
 */
export function createSaver({ draftKey, base: first, put, read }: SaverOptions) {
  let base = first;
  let draft = stored(draftKey) ?? { mine: {}, from: {}, rev: base.rev };
  let failure: unknown = null;
  let running: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDiscarded = false;
  /** Placeholders of pictures that are being uploaded; they are left out of what is saved. */
  const pending = new Set<string>();
  const watchers = new Set<() => void>();

  const clean = <Value>(value: Value): Value =>
    typeof value === 'string'
      ? ([...pending].reduce((text, token) => text.replaceAll(token, ''), value) as Value & string)
      : value;
  const changed = () =>
    FIELDS.filter((field) => field in draft.mine && !isAlike(field, clean(draft.mine[field]), base[field]));
  const conflicting = () =>
    base.rev === draft.rev || running
      ? []
      : changed().filter((field) => !isAlike(field, draft.from[field], base[field]));

  let state = shown();
  function shown(): SaverState {
    const conflicts = conflicting();
    const isOpen = running !== null || changed().length > 0;
    return {
      values: { ...base, ...draft.mine },
      phase: conflicts.length > 0 ? 'conflict' : failure !== null ? 'failed' : isOpen ? 'saving' : 'saved',
      failure,
      conflicts: conflicts.map((field) => ({
        field,
        mine: textOf(clean(draft.mine[field])),
        theirs: textOf(base[field]),
      })),
    };
  }
  function show(): void {
    state = shown();
    const left = changed();
    const kept = { ...draft, mine: Object.fromEntries(left.map((field) => [field, clean(draft.mine[field])])) };
    if (!isDiscarded) drafts.write(draftKey, left.length > 0 ? JSON.stringify(kept) : '');
    for (const watcher of watchers) watcher();
  }
  function later(ms: number): void {
    clearTimeout(timer);
    if (!isDiscarded) timer = setTimeout(() => void save(), ms);
  }
  /** Makes the state of the server the base of further changes. */
  function rebase(): void {
    if (base.rev !== draft.rev && conflicting().length === 0) {
      const mine = changed();
      draft = { mine: pick(draft.mine, mine), from: pick(base, mine), rev: base.rev };
      if (mine.length > 0) later(PAUSE_MS);
    }
    show();
  }
  async function save(): Promise<void> {
    clearTimeout(timer);
    if (running) {
      await running;
      if (failure !== null) return;
    }
    const fields = changed();
    if (isDiscarded || fields.length === 0 || conflicting().length > 0) return;
    const typed = pick(draft.mine, fields);
    failure = null;
    running = send(typed).finally(() => {
      running = null;
      rebase();
    });
    show();
    await running;
  }
  async function send(typed: Partial<TextValues>): Promise<void> {
    const body = Object.fromEntries(Object.entries(typed).map(([field, value]) => [field, clean(value)]));
    try {
      base = await put({ ...body, rev: draft.rev });
      // The server may have changed it (more than blanks at the ends): its text is shown, unless something was typed meanwhile.
      const mine = FIELDS.filter(
        (field) =>
          field in draft.mine &&
          (!isSame(draft.mine[field], typed[field]) || isAlike(field, clean(draft.mine[field]), base[field])),
      );
      draft = { mine: pick(draft.mine, mine), from: pick(base, mine), rev: base.rev };
      if (changed().length > 0) later(PAUSE_MS);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'ARTICLE_CHANGED') await refresh();
      else failure = error;
      if (failure !== null && !isFinal(failure)) later(AGAIN_MS);
    }
  }
  async function refresh(): Promise<void> {
    try {
      base = await read();
    } catch (error) {
      failure = error;
    }
  }
  // A draft of an earlier visit.
  if (changed().length > 0) later(PAUSE_MS);

  return {
    pending,
    state: () => state,
    watch: (watcher: () => void) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    /** Takes what is typed. */
    change: (part: Partial<TextValues>) => {
      const fresh = FIELDS.filter((field) => field in part && !(field in draft.mine));
      draft = { ...draft, mine: { ...draft.mine, ...part }, from: { ...draft.from, ...pick(base, fresh) } };
      failure = null;
      later(PAUSE_MS);
      show();
    },
    /** Takes what the server has now. */
    follow: (now: Base) => {
      if (now.rev < base.rev) return;
      base = now;
      if (!running) rebase();
    },
    /** Saves at once. @returns whether the server has everything */
    flush: async () => {
      await save();
      if (failure === null && changed().length > 0) await save();
      return changed().length === 0;
    },
    /** Decides what both have changed. */
    choose: (side: 'mine' | 'theirs') => {
      const fields = conflicting();
      const kept = FIELDS.filter((field) => field in draft.mine && (side === 'mine' || !fields.includes(field)));
      draft = { mine: pick(draft.mine, kept), from: pick(base, kept), rev: base.rev };
      failure = null;
      if (changed().length > 0) later(0);
      show();
    },
    /** Forgets what is not saved: the text is being deleted. */
    discard: () => {
      isDiscarded = true;
      clearTimeout(timer);
      drafts.write(draftKey, '');
    },
  };
}

function pick(values: Partial<TextValues>, fields: readonly Field[]): Partial<TextValues> {
  return Object.fromEntries(fields.map((field) => [field, values[field]]));
}

/** Whether both are the same to the server, which trims texts. */
function isAlike(field: Field, one: unknown, other: unknown): boolean {
  return isSame(tidy(field, one), tidy(field, other));
}

function tidy(field: Field, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((line) => String(line).trim()).filter(Boolean);
  return field === 'slug' ? slugOf(String(value)) : field === 'text' ? value : String(value).trim();
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join('\n') : String(value ?? '');
}

/** Any script or release may have written this draft: fields of an unexpected type are ignored. */
function stored(key: string): Draft | null {
  const { mine, from, rev } = readJson(drafts.read(key));
  if (typeof rev !== 'number') return null;
  const of = (part: unknown) => {
    const known = readJson(JSON.stringify(part ?? {}));
    return pick(
      known,
      FIELDS.filter((field) => isSameKind(known[field], NOTHING[field])),
    );
  };
  return { mine: of(mine), from: of(from), rev };
}
