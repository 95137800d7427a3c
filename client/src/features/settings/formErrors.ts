import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import toast from 'react-hot-toast';
import { ApiError, failureText } from '../../lib/http.ts';

/**
 * Shows a refusal at the fields it names (`data.email` or `email`), else in a toast; nothing typed is lost.
 * @param fields the fields that the form draws
 */
export function showFormErrors<Values extends FieldValues>(
  { setError }: UseFormReturn<Values>,
  fields: readonly FieldPath<Values>[],
  failure: unknown,
  fallback: string,
): void {
  const said = failure instanceof ApiError ? failure.errors : [];
  const wrong = fields.flatMap((name) => {
    const message = said.find(({ path }) => path === name || path === `data.${name}`)?.msg;
    return message === undefined ? [] : [{ name, message }];
  });
  for (const [index, { name, message }] of wrong.entries()) setError(name, { message }, { shouldFocus: index === 0 });
  if (wrong.length === 0) toast.error(failureText(failure, fallback));
}
