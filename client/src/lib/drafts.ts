import { createDrafts, type Drafts } from 'browser/drafts';
import { useSyncExternalStore } from 'react';
import { isSame, isSameKind, readJson } from './json.ts';
import { localStore } from './storage.ts';

const PREFIX = 'parley_draft:';
/** When each draft was last written. Beside the drafts, whose values are plain text in every release. */
const TIMES_KEY = 'parley_draft_times';
const TIMES_EVERY_MS = 60 * 60 * 1_000;
/** What nobody has touched for so long is not wanted any more. */
const KEPT_FOR_MS = 30 * 24 * 60 * 60 * 1_000;
const KEPT_MAX = 200;

const stored = createDrafts(localStore, PREFIX);

/** All that the user typed and did not send. Keys begin with the user's id: nobody sees another user's drafts. */
export const drafts: Drafts = {
  ...stored,
  write: (key, text) => {
    stored.write(key, text);
    if (text !== '') forgetOld(key);
  },
};

/** A draft as it is in all tabs, and what keeps another text. */
export function useDraft(key: string): [text: string, setText: (text: string) => void] {
  const text = useSyncExternalStore(drafts.watch, () => drafts.read(key));
  return [text, (next) => drafts.write(key, next)];
}

/**
 * The draft of a form: the values as the server has them, with those that the user has changed and not saved. What others change
 * meanwhile shows in the other values. Not a draft any more once every value is the server's again.
 * @param base the values as the server has them
 */
export function useDraftValues<Values extends object>(
  key: string,
  base: Values,
): [values: Values, change: (changed: Partial<Values>) => void, isDraft: boolean] {
  const [text] = useDraft(key);
  const values = { ...base, ...parse(text, base) };
  const change = (changed: Partial<Values>) => {
    // From the store, not from the last render: two changes may come in one event.
    const all = Object.entries({ ...parse(drafts.read(key), base), ...changed });
    const own = all.filter(([name, value]) => !isSame(value, Reflect.get(base, name)));
    // What is no value of the form, such as the version that was seen, makes no draft.
    const isChanged = own.some(([name]) => name in base);
    drafts.write(key, isChanged ? JSON.stringify(Object.fromEntries(own)) : '');
  };
  return [values, change, !isSame(values, base)];
}

/** Ends a draft that was sent, unless it was changed meanwhile, here or in another tab. @param sent the draft when it was sent */
export function endDraft(key: string, sent: string): void {
  if (drafts.read(key) === sent) drafts.write(key, '');
}

/** The changed values of a draft. Any script or release may have written it: what is not of the kind expected is left out. */
function parse<Values extends object>(text: string, base: Values): Partial<Values> {
  const fitting = Object.entries(readJson(text)).filter(
    ([name, value]) => !(name in base) || isSameKind(value, Reflect.get(base, name)),
  );
  return Object.fromEntries(fitting) as Partial<Values>;
}

/** Notes that a draft was written, and forgets those that are too old or too many, the oldest first. */
function forgetOld(written: string): void {
  const now = Date.now();
  const times = readJson(localStore.get(TIMES_KEY)) as Record<string, number>;
  if (now - (times[written] ?? 0) < TIMES_EVERY_MS) return;
  const byAge = stored
    .keys('')
    // Those of releases that noted no time count from now on.
    .map((key): [string, number] => [key, key === written ? now : (times[key] ?? now - TIMES_EVERY_MS)])
    .sort(([, one], [, other]) => other - one);
  const kept = byAge.filter(([, at], index) => index < KEPT_MAX && now - at < KEPT_FOR_MS);
  localStore.set(TIMES_KEY, JSON.stringify(Object.fromEntries(kept)));
  for (const each of byAge) if (!kept.includes(each)) stored.write(each[0], '');
}
