import { useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { API_KEY_NAME_MAX_LENGTH, API_KEY_SCOPES, type ApiKeyBody, type ApiKeyScope } from 'server/contract';
import { failureText } from '../../../lib/http.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { useSites } from '../../../shared/sites.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Field } from '../../../ui/Field.tsx';
import { FormButtons } from '../../../ui/FormButtons.tsx';
import { Input } from '../../../ui/Input.tsx';
import { Select } from '../../../ui/Select.tsx';
import { CONFIRMING, ConfirmFields, confirmationOf, showAtFields } from '../ConfirmFields.tsx';
import { SCOPE_WORDS } from './ApiKeyRow.tsx';
import { useCreateApiKey } from './api.ts';

const EXPIRY = { never: msg('Never'), 30: msg('After 30 days'), 90: msg('After 90 days'), 365: msg('After a year') };
type Expiry = 'never' | '30' | '90' | '365';
type Reach = 'all' | 'some';

/** Makes an API key, and then shows it this once. */
export function NewApiKey({ onDone }: { onDone: () => void }) {
  const [key, setKey] = useState<string | null>(null);
  if (key === null) return <ApiKeyForm onMade={setKey} onCancel={onDone} />;
  return (
    <div className="flex flex-col gap-5 pt-4">
      <p>{t('Copy the key now, and keep it like a password: it is not shown again.')}</p>
      <div className="flex flex-col gap-2">
        <Field label={t('API key')}>
          <Input
            readOnly
            autoFocus
            dir="ltr"
            value={key}
            className="font-mono"
            onFocus={({ target }) => target.select()}
          />
        </Field>
        <div>
          <CopyButton text={key} label={t('Copy')} />
        </div>
      </div>
      <div className="flex justify-end">
        <Button onClick={onDone}>{t('Done')}</Button>
      </div>
    </div>
  );
}

function ApiKeyForm({ onMade, onCancel }: { onMade: (key: string) => void; onCancel: () => void }) {
  const create = useCreateApiKey();
  const { data: sites = [] } = useSites();
  const [scope, setScope] = useState<ApiKeyScope>('read');
  const [reach, setReach] = useState<Reach>('all');
  const [expiry, setExpiry] = useState<Expiry>('never');
  const form = useForm({ defaultValues: { name: '', siteIds: [] as string[], ...CONFIRMING } });
  const { register, handleSubmit, setError, formState } = form;
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async ({ name, siteIds, ...typed }) => {
    const body: ApiKeyBody = {
      name,
      scope,
      ...confirmationOf(typed),
      ...(reach === 'some' && { siteIds }),
      ...(expiry !== 'never' && { expiresInDays: Number(expiry) }),
    };
    try {
      onMade((await create.mutateAsync(body)).key);
    } catch (failure) {
      if (!showAtFields(form, failure))
        setError('root', { message: failureText(failure, t('The API key could not be created.')) });
    }
  });

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5 pt-4">
      <Field label={t('Name')} hint={t('The program that will use it.')} error={errors.name?.message}>
        <Input
          autoFocus
          autoComplete="off"
          maxLength={API_KEY_NAME_MAX_LENGTH}
          {...register('name', { validate: (name) => name.trim() !== '' || t('Enter a name') })}
        />
      </Field>
      <Field label={t('Permissions')} hint={t(SCOPE_WORDS[scope][1])}>
        <Select
          value={scope}
          onValueChange={setScope}
          options={API_KEY_SCOPES.map((each) => ({ value: each, label: t(SCOPE_WORDS[each][0]) }))}
        />
      </Field>
      <Field label={t('Websites')}>
        <Select
          value={reach}
          onValueChange={setReach}
          options={[
            { value: 'all', label: t('All my websites, also later ones') },
            { value: 'some', label: t('Only some') },
          ]}
        />
      </Field>
      {reach === 'some' && (
        <fieldset className="min-w-0">
          <legend className="sr-only">{t('Websites that the key is for')}</legend>
          <div className="flex max-h-48 flex-col gap-3 overflow-y-auto rounded-control border p-3">
            {sites.map(({ _id, name }) => (
              <Checkbox
                key={_id}
                value={_id}
                label={<span dir="auto">{name}</span>}
                {...register('siteIds', {
                  validate: (chosen) => chosen.length > 0 || t('Choose at least one website'),
                  shouldUnregister: true,
                })}
              />
            ))}
          </div>
          {errors.siteIds && (
            <p role="alert" className="pt-2 text-xs font-medium text-danger">
              {errors.siteIds.message}
            </p>
          )}
        </fieldset>
      )}
      <Field label={t('Expires')}>
        <Select
          value={expiry}
          onValueChange={setExpiry}
          options={(['never', '30', '90', '365'] as const).map((value) => ({ value, label: t(EXPIRY[value]) }))}
        />
      </Field>
      <FormProvider {...form}>
        <ConfirmFields />
      </FormProvider>
      {errors.root && (
        <p role="alert" className="rounded-control bg-danger-soft px-3 py-2 text-danger">
          {errors.root.message}
        </p>
      )}
      <FormButtons label={t('Create API key')} busy={isSubmitting} onCancel={onCancel} />
    </form>
  );
}
