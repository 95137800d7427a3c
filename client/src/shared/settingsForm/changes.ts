import { type FieldPath, type FieldValues, get, set } from 'react-hook-form';
import { isSame, isSameKind, readJson } from '../../lib/json.ts';
import { merged } from './merge.ts';

/** What the user has typed into a field and not saved, and the value that it was made from. */
export interface Change {
  mine: unknown;
  base: unknown;
}

/** By field. */
export type Changes = Record<string, Change>;

/** The changes as a draft; '' for none. */
export function draftOf(changes: Changes): string {
  return Object.keys(changes).length > 0 ? JSON.stringify(changes) : '';
}

/** The changes in a draft. Any script or release may have written it: what does not fit the form is left out. */
export function changesOf<Values extends FieldValues>(
  draft: string,
  values: Values,
  fields: readonly FieldPath<Values>[],
): Changes {
  const drafted = readJson(draft) as Partial<Changes>;
  const kept = fields.flatMap((field): [string, Change][] => {
    const change = drafted[field];
    const theirs: unknown = get(values, field);
    return change?.mine !== undefined && fits(change.mine, theirs) && !isSame(change.mine, theirs)
      ? [[field, change]]
      : [];
  });
  return Object.fromEntries(kept);
}

function fits(mine: unknown, theirs: unknown): boolean {
  return mine === null || theirs === null || isSameKind(mine, theirs);
}

/** The values with the changes in them: as the user typed them, or merged with what others have saved, where possible. */
export function withChanges<Values extends FieldValues>(
  values: Values,
  changes: Changes,
  how: 'typed' | 'merged' = 'typed',
): Values {
  const all = structuredClone(values);
  for (const [field, { mine, base }] of Object.entries(changes)) {
    const both = how === 'merged' && !isSame(mine, base) ? merged(base, mine, get(values, field)) : null;
    set(all, field, both ? both.value : mine);
  }
  return all;
}

/** The fields which others have changed in a way that only the user can merge. */
export function conflictsOf<Values extends FieldValues>(
  changes: Changes,
  values: Values,
): { field: FieldPath<Values>; theirs: unknown }[] {
  return Object.entries(changes).flatMap(([name, { mine, base }]) => {
    const theirs: unknown = get(values, name);
    // Undone by hand, on top of what others have saved.
    const isUndone = isSame(mine, base);
    return isUndone || !merged(base, mine, theirs) ? [{ field: name as FieldPath<Values>, theirs }] : [];
  });
}
