import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import {
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  get,
  set,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import { drafts, useDraft } from '../../lib/drafts.ts';
import { ApiError } from '../../lib/http.ts';
import { isSame } from '../../lib/json.ts';
import { type Change, type Changes, changesOf, conflictsOf, draftOf, withChanges } from './changes.ts';

/** Saves again, merged, when others have changed other things meanwhile; more often than this means that something is wrong. */
const TRIES_MAX = 3;

interface SettingsFormOptions<Values extends FieldValues, Saved> {
  /** Names the user and what is set. */
  draftKey: string;
  /** As the server has them; the same object until they are others. */
  values: Values;
  /** What is changed, kept and saved, each by itself. Other fields, such as passwords, are in no draft. */
  fields: readonly FieldPath<Values>[];
  /** @param base what the changes are made to: the values as the server has them @param changed the fields to save */
  save: (values: Values, base: Values, changed: FieldPath<Values>[]) => Promise<Saved>;
  /** Reads the values again, once the server has refused to overwrite what somebody else has saved. */
  reload?: () => Promise<Values>;
  onSaved: (saved: Saved) => void | Promise<void>;
  /** @param first the first field that the server refuses, which shows why */
  onFailed: (failure: unknown, first: FieldPath<Values> | undefined) => void | Promise<void>;
  /** It was not sent: fields are wrong, this one first. */
  onInvalid?: (first: FieldPath<Values>) => void;
}

export type SettingsForm<Values extends FieldValues> = ReturnType<typeof useSettingsForm<Values, unknown>>;

/**
 * A form of settings. What is not saved is a draft, in all tabs, until it is saved, discarded or undone by hand. Fields that the
 * user has not touched follow the server. What others save meanwhile is merged when the form is saved; where that is impossible,
 * the user is asked.
 */
export function useSettingsForm<Values extends FieldValues, Saved>(options: SettingsFormOptions<Values, Saved>) {
  const { draftKey, values, fields } = options;
  /** Those that are kept in no draft. */
  const others = Object.keys(values).filter(
    (name) => !fields.some((field) => isOf(name, field)),
  ) as FieldPath<Values>[];
  const [draft] = useDraft(draftKey);
  const changes = useMemo(() => changesOf(draft, values, fields), [draft, values, fields]);
  const form = useForm<Values>({ defaultValues: withChanges(values, changes) as DefaultValues<Values> });
  const { subscribe, getValues, setValue } = form;
  /** What the fields show: these values, with the changes of this draft. */
  const shown = useRef({ draft, values });
  const isFollowing = useRef(false);

  function keep(next: Changes): void {
    shown.current.draft = draftOf(next);
    drafts.write(draftKey, shown.current.draft);
  }

  const onTyped = useEffectEvent(() => {
    if (isFollowing.current) return;
    const known = changesOf(drafts.read(draftKey), values, fields);
    const all = fields.map((field): [string, Change] => {
      const change = { mine: getValues(field), base: get(values, field) };
      return [field, { ...change, ...(known[field] && { base: known[field].base }) }];
    });
    keep(Object.fromEntries(all.filter(([field, { mine }]) => !isSame(mine, get(values, field)))));
  });
  useEffect(() => subscribe({ formState: { values: true }, callback: onTyped }), [subscribe]);

  // The server has other values, or the draft was changed in another tab.
  useEffect(() => {
    if (shown.current.draft === draft && shown.current.values === values) return;
    shown.current = { draft, values };
    const wanted = withChanges(values, changesOf(draft, values, fields));
    isFollowing.current = true;
    for (const field of fields) {
      if (!isSame(getValues(field), get(wanted, field))) setValue(field, get(wanted, field));
    }
    isFollowing.current = false;
  }, [draft, values, fields, getValues, setValue]);

  /** @returns null: it is not saved, and the user is asked */
  async function send(typed: Values, base: Values, triesLeft = TRIES_MAX): Promise<{ saved: Saved } | null> {
    const sent = changesOf(drafts.read(draftKey), base, fields);
    const merging = withChanges(base, sent, 'merged');
    for (const name of others) set(merging, name, get(typed, name));
    try {
      const changed = fields.filter((field) => field in sent);
      const saved = await options.save(merging, base, changed);
      // What was typed meanwhile is not saved.
      const later = fields
        .filter((field) => !isSame(getValues(field), get(withChanges(base, sent), field)))
        .map((field): [string, Change] => [field, { mine: getValues(field), base: get(merging, field) }]);
      const left = draftOf(Object.fromEntries(later));
      // What the server made of it may have come already, behind what was typed: then the effect above shows it now.
      if (shown.current.values === base) shown.current.draft = left;
      drafts.write(draftKey, left);
      return { saved };
    } catch (failure) {
      const isStale = failure instanceof ApiError && failure.code === 'SETTINGS_CHANGED';
      if (!isStale || !options.reload || triesLeft === 0) throw failure;
      const fresh = await options.reload();
      const conflicts = conflictsOf(changesOf(drafts.read(draftKey), fresh, fields), fresh);
      return conflicts.length > 0 ? null : send(typed, fresh, triesLeft - 1);
    }
  }

  const submit = form.handleSubmit(async (typed) => {
    try {
      const done = await send(typed, values);
      if (done) await options.onSaved(done.saved);
    } catch (failure) {
      await options.onFailed(failure, showFieldErrors(form, [...fields, ...others], failure));
    }
  }, onInvalid);

  function onInvalid(errors: FieldErrors<Values>): void {
    const first = fields.find((field) => get(errors, field));
    if (first) options.onInvalid?.(first);
  }

  return {
    form,
    submit,
    isDirty: Object.keys(changes).length > 0,
    // What somebody else has changed, too; to save is to choose the own values, which come back tidied while it is being saved.
    conflicts: form.formState.isSubmitting ? [] : conflictsOf(changes, values),
    takeTheirs: (field: FieldPath<Values>) => setValue(field, get(values, field)),
  };
}

/** Shows a refusal at the fields it names; answers the first of them. */
function showFieldErrors<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  fields: readonly FieldPath<Values>[],
  failure: unknown,
): FieldPath<Values> | undefined {
  const errors = failure instanceof ApiError ? failure.errors : [];
  const wrong = fields.flatMap((name) => {
    const message = errors.find(({ path }) => [path, path.replace('data.', '')].some((each) => isOf(name, each)))?.msg;
    return message === undefined ? [] : [{ name, message }];
  });
  for (const { name, message } of wrong) form.setError(name, { message });
  return wrong[0]?.name;
}

const isOf = (field: string, path: string) =>
  path === field || path.startsWith(`${field}[`) || path.startsWith(`${field}.`);
