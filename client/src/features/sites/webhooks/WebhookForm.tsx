import { useForm } from 'react-hook-form';
import { WEBHOOK_EVENTS, WEBHOOK_URL_MAX_LENGTH, type WebhookBody } from 'server/contract';
import { ApiError, failureText } from '../../../lib/http.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Input } from '../../../ui/Input.tsx';
import { EVENT_WORDS } from './words.ts';

interface WebhookFormProps {
  values: WebhookBody;
  submitLabel: string;
  /** Saves; throws what the server refuses. */
  onSubmit: (values: WebhookBody) => Promise<void>;
  onCancel: () => void;
}

/** Address and events of a webhook. */
export function WebhookForm({ values, submitLabel, onSubmit, onCancel }: WebhookFormProps) {
  const { register, handleSubmit, setError, formState } = useForm<WebhookBody>({ defaultValues: values });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async (given) => {
    try {
      await onSubmit(given);
    } catch (failure) {
      const said = failure instanceof ApiError ? failure.errors : [];
      for (const { path, msg } of said) if (path === 'url' || path === 'events') setError(path, { message: msg });
      if (said.length === 0) setError('root', { message: failureText(failure, 'The webhook could not be saved.') });
    }
  });
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5 pt-4">
      <Field
        label="Address"
        hint="Begins with https:// and can be reached from the internet."
        error={errors.url?.message}
      >
        <Input
          type="url"
          inputMode="url"
          dir="ltr"
          autoComplete="off"
          maxLength={WEBHOOK_URL_MAX_LENGTH}
          placeholder="https://example.com/parley"
          {...register('url', { required: 'Enter the address of your program' })}
        />
      </Field>
      <fieldset className="min-w-0">
        <legend className="pb-2 font-medium">Events</legend>
        <div className="flex flex-col gap-3">
          {WEBHOOK_EVENTS.map((event) => (
            <Checkbox
              key={event}
              value={event}
              label={EVENT_WORDS[event][0]}
              hint={EVENT_WORDS[event][1]}
              {...register('events', { validate: (chosen) => chosen.length > 0 || 'Choose at least one event' })}
            />
          ))}
        </div>
        {errors.events && (
          <p role="alert" className="pt-2 text-xs font-medium text-danger">
            {errors.events.message}
          </p>
        )}
      </fieldset>
      {errors.root && (
        <p role="alert" className="rounded-control bg-danger-soft px-3 py-2 text-danger">
          {errors.root.message}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" busy={isSubmitting}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}
