import { useEffect, useRef } from 'react';
import { type DefaultValues, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form';
import { useAuth } from '../lib/auth.tsx';
import { drafts, useDraft, useDraftValues } from '../lib/drafts.ts';

/**
 * A form in a dialog whose values are a draft until they are saved: whatever closes the dialog, they are there when it opens again.
 * @param name tells the draft from all others of the user
 * @param base the values as the server has them
 */
export function useDraftForm<Values extends FieldValues>(
  name: string,
  base: Values,
): { form: UseFormReturn<Values>; draftKey: string } {
  const { user } = useAuth();
  const draftKey = `${user?._id}:${name}`;
  const [values, keep] = useDraftValues(draftKey, base);
  const [draft] = useDraft(draftKey);
  const shown = useRef(draft);
  const form = useForm<Values>({ defaultValues: values as DefaultValues<Values> });
  useEffect(() =>
    form.subscribe({
      formState: { values: true },
      // Without a name it tells of the form, such as that it was saved: its draft has ended.
      callback: ({ name: field, values: now }) => {
        if (field === undefined) return;
        keep(now);
        shown.current = drafts.read(draftKey);
      },
    }),
  );
  // Discarded, brought back, or changed in another tab.
  useEffect(() => {
    if (draft !== shown.current) form.reset(values);
    shown.current = draft;
  });
  return { form, draftKey };
}
