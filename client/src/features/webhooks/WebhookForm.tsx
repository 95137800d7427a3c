import { type UseFormRegister, useForm, useWatch } from 'react-hook-form';
import {
  BOT_TOKEN_MAX_LENGTH,
  TELEGRAM_API_URL,
  TELEGRAM_CHAT_MAX_LENGTH,
  WEBHOOK_EVENTS,
  WEBHOOK_URL_MAX_LENGTH,
  type WebhookBody,
} from 'server/contract';
import { ApiError, failureText } from '../../lib/http.ts';
import { t } from '../../lib/i18n.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Field } from '../../ui/Field.tsx';
import { FormButtons } from '../../ui/FormButtons.tsx';
import { Input } from '../../ui/Input.tsx';
import { KIND_ORDER, KINDS } from './kinds.ts';
import { EVENT_WORDS } from './words.ts';

type Values = Required<WebhookBody>;

interface WebhookFormProps {
  values: WebhookBody;
  /** An existing webhook stays of its kind, and its bot's token where none is entered. */
  isNew?: boolean;
  submitLabel: string;
  /** Saves; throws what the server refuses. */
  onSubmit: (values: WebhookBody) => Promise<void>;
  onCancel: () => void;
}

/** Target and events of a webhook. */
export function WebhookForm({ values, isNew = false, submitLabel, onSubmit, onCancel }: WebhookFormProps) {
  const defaultValues: Values = { kind: 'custom', botToken: '', telegramChat: '', ...values };
  const { control, register, handleSubmit, setError, formState } = useForm<Values>({ defaultValues });
  const kind = useWatch({ control, name: 'kind' });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async (given) => {
    try {
      await onSubmit(bodyOf(given));
    } catch (failure) {
      const errors = failure instanceof ApiError ? failure.errors : [];
      for (const { path, msg } of errors) if (isField(path)) setError(path, { message: msg });
      if (errors.length === 0)
        setError('root', { message: failureText(failure, t('The webhook could not be saved.')) });
    }
  });
  const { hint, placeholder } = KINDS[kind];
  const address = (
    <Field
      label={kind === 'telegram' ? t('Address of the Bot API') : t('Address')}
      hint={t(hint)}
      error={errors.url?.message}
    >
      <Input
        type="url"
        inputMode="url"
        dir="ltr"
        autoComplete="off"
        maxLength={WEBHOOK_URL_MAX_LENGTH}
        placeholder={placeholder}
        {...register('url', {
          validate: (url, form) => form.kind === 'telegram' || url !== '' || t('Enter the address'),
        })}
      />
    </Field>
  );
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5 pt-4">
      {isNew && <KindField register={register} />}
      {kind === 'telegram' && (
        <>
          <Field
            label={t('Bot token')}
            hint={
              isNew
                ? t('In Telegram, write /newbot to @BotFather: it makes a bot and shows its token.')
                : t('It is not shown. Leave this empty to keep it.')
            }
            error={errors.botToken?.message}
          >
            <Input
              dir="ltr"
              autoComplete="off"
              spellCheck={false}
              maxLength={BOT_TOKEN_MAX_LENGTH}
              placeholder="123456789:AA…"
              {...register('botToken', {
                validate: (token, form) => !isNew || form.kind !== 'telegram' || token !== '' || t('Enter the token'),
              })}
            />
          </Field>
          <Field
            label={t('Chat ID')}
            hint={t(
              'Add the bot to the group or channel first. The ID of a group begins with a minus; a public channel has a name with an @.',
            )}
            error={errors.telegramChat?.message}
          >
            <Input
              dir="ltr"
              autoComplete="off"
              spellCheck={false}
              maxLength={TELEGRAM_CHAT_MAX_LENGTH}
              placeholder="-1001234567890"
              {...register('telegramChat', {
                validate: (chat, form) => form.kind !== 'telegram' || chat !== '' || t('Enter the ID of the chat'),
              })}
            />
          </Field>
        </>
      )}
      {address}
      <fieldset className="min-w-0">
        <legend className="pb-2 font-medium">{t('Events')}</legend>
        <div className="flex flex-col gap-3">
          {WEBHOOK_EVENTS.map((event) => (
            <Checkbox
              key={event}
              value={event}
              label={t(EVENT_WORDS[event][0])}
              hint={t(EVENT_WORDS[event][1])}
              {...register('events', { validate: (chosen) => chosen.length > 0 || t('Choose at least one event') })}
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
      <FormButtons label={submitLabel} busy={isSubmitting} onCancel={onCancel} />
    </form>
  );
}

/** What the server is told: of Telegram more than of the others. */
function bodyOf({ kind, url, botToken, telegramChat, events }: Values): WebhookBody {
  if (kind !== 'telegram') return { kind, url, events };
  return { kind, url: url || TELEGRAM_API_URL, ...(botToken && { botToken }), telegramChat, events };
}

const FIELDS = ['kind', 'url', 'botToken', 'telegramChat', 'events'] as const;
const isField = (path: string): path is (typeof FIELDS)[number] => FIELDS.some((field) => field === path);

/** Where the webhook leads; native radio buttons, so that arrow keys choose. */
function KindField({ register }: { register: UseFormRegister<Values> }) {
  return (
    <fieldset className="min-w-0">
      <legend className="pb-2 font-medium">{t('Send to')}</legend>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-3">
        {KIND_ORDER.map((kind) => (
          <label
            key={kind}
            className="flex min-h-10 cursor-pointer items-center justify-center rounded-control border border-edge bg-surface px-3 py-2 text-center font-medium hover:border-muted has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input type="radio" value={kind} className="sr-only" {...register('kind')} />
            {t(KINDS[kind].label)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
