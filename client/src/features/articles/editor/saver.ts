import { type Article, type ArticleLanguage, type ArticleText, type ArticleTextBody, slugOf } from 'server/contract';
import { drafts } from '../../../lib/drafts.ts';
import { ApiError, isFinal } from '../../../lib/http.ts';
import { isSame, isSameKind, readJson } from '../../../lib/json.ts';

/** How long nothing is typed before it is saved. */
const PAUSE_MS = 1_000;
/** How often it is tried again while the server cannot be reached. */
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
  /** The state on the server that they are changes of. */
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
 * Saves what is typed into a text, a pause after the last key. It outlives its fields: what is typed when they go is saved then. Until
 * the server has it, it is a draft of this browser. What somebody else saves is taken over where the user has changed nothing; where
 * both have changed the same, nothing is saved before the user decides.
 */
export function createSaver({ draftKey, base: first, put, read }: SaverOptions) {
  let base = first;
  let draft = stored(draftKey) ?? { mine: {}, from: {}, rev: base.rev };
  let failure: unknown = null;
  let running: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDiscarded = false;
  /** Stand in the text for pictures that are being uploaded; the server never sees them. */
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
  /** Goes on from what the server has now. */
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
      // What the server has made of it, where it is more than blanks at the ends, unless something else was typed meanwhile.
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
  // Of an earlier visit.
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

/** Whether the server would make the same of both, whatever somebody who goes on typing sees. */
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

/** Any script or release may have written it: what is not of the kind expected is left out. */
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
