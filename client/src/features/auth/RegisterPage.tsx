import { useQuery } from '@tanstack/react-query';
import { type FieldPath, useForm } from 'react-hook-form';
import { useLocation } from 'react-router-dom';
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH, type RegisterBody } from 'server/contract';
import { ProviderButton, unseenUntilKnown, useProvider } from '#features/oidc';
import { call } from '../../lib/api.ts';
import { useAuth } from '../../lib/auth.tsx';
import { cx } from '../../lib/cx.ts';
import { withDevice } from '../../lib/deviceToken.ts';
import { ApiError, failureText } from '../../lib/http.ts';
import { t } from '../../lib/i18n.ts';
import { keys } from '../../lib/query.ts';
import { rich } from '../../lib/rich.ts';
import { validateEmail } from '../../lib/validate.ts';
import { PasswordStrength, validateNewPassword } from '../../shared/NewPasswordFields.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Input } from '../../ui/Input.tsx';
import { linkTo } from '../../ui/linkTo.tsx';
import { PasswordInput } from '../../ui/PasswordInput.tsx';
import { AuthLayout, FormErrors, textFrom } from './AuthLayout.tsx';

const FIELDS = [
  'name',
  'email',
  'password',
  'confirmPassword',
  'foundingCode',
] as const satisfies FieldPath<RegisterBody>[];
const EMPTY: RegisterBody = { name: '', email: '', password: '', confirmPassword: '' };

/** /register. The guard around it redirects after the registration. */
export default function RegisterPage() {
  const auth = useAuth();
  const { state, hash } = useLocation();
  const needsCode = useNeedsFoundingCode();
  const provider = useProvider();
  const invite = textFrom(state, 'invite');
  const { register, handleSubmit, formState, setError, watch } = useForm<RegisterBody>({
    defaultValues: { ...EMPTY, email: textFrom(state, 'email'), foundingCode: codeIn(hash) },
    reValidateMode: 'onSubmit',
  });
  const { errors, isSubmitting: busy } = formState;
  const shown = [...FIELDS, 'root' as const].flatMap((name) => {
    const text = errors[name]?.message;
    return text ? [{ id: `register-${name}`, text }] : [];
  });
  const errorId = (name: keyof RegisterBody) => (errors[name] ? `register-${name}` : undefined);

  const submit = handleSubmit(async ({ foundingCode, ...form }) => {
    try {
      const asked = { ...form, ...(invite && { invite }), ...(needsCode && foundingCode && { foundingCode }) };
      await auth.register(withDevice(asked));
    } catch (failure) {
      const wrong = FIELDS.flatMap((name) => {
        const message = saidOf(failure, name);
        return message === undefined ? [] : [{ name, message }];
      });
      for (const [index, { name, message }] of wrong.entries()) {
        setError(name, { message }, { shouldFocus: index === 0 });
      }
      if (wrong.length === 0) setError('root', { message: failureText(failure, t('Registration failed')) });
    }
  });

  const codeField = needsCode && (
    <Field
      label={t('Founding code')}
      errorId={errorId('foundingCode')}
      hint={t(
        'The first account administers this server. Parley printed the code at start: look in its terminal or log.',
      )}
    >
      <Input
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        {...register('foundingCode', { validate: (code) => code?.trim() !== '' || t('Enter the founding code') })}
      />
    </Field>
  );

  return (
    <AuthLayout
      title={t('Create your account')}
      text={t('Free forever. No credit card.')}
      footer={rich('Already have an account? <link>Log in</link>', {
        link: linkTo('/login', state),
      })}
    >
      <title>{t('Sign up · Parley')}</title>
      <FormErrors errors={shown} />
      {provider?.only ? (
        <div className="flex flex-col gap-5 pb-5">{codeField}</div>
      ) : (
        <form noValidate onSubmit={submit} className={cx('flex flex-col gap-5', unseenUntilKnown(provider))}>
          <Field label={t('Full name')} errorId={errorId('name')}>
            <Input
              autoComplete="name"
              required
              autoFocus
              maxLength={NAME_MAX_LENGTH}
              {...register('name', { validate: (name) => name.trim() !== '' || t('Enter your full name') })}
            />
          </Field>
          <Field label={t('Email')} errorId={errorId('email')}>
            <Input
              type="email"
              autoComplete="username"
              required
              maxLength={EMAIL_MAX_LENGTH}
              {...register('email', {
                validate: (email) => validateEmail(email) ?? true,
              })}
            />
          </Field>
          <Field
            label={t('Password')}
            errorId={errorId('password')}
            hint={<PasswordStrength password={watch('password')} />}
          >
            <PasswordInput
              autoComplete="new-password"
              required
              {...register('password', { validate: (password) => validateNewPassword(password) ?? true })}
            />
          </Field>
          <Field label={t('Confirm password')} errorId={errorId('confirmPassword')}>
            <PasswordInput
              autoComplete="new-password"
              required
              {...register('confirmPassword', {
                validate: (repeated, { password }) => repeated === password || t('Passwords do not match'),
              })}
            />
          </Field>
          {codeField}
          <Button type="submit" busy={busy}>
            {busy ? t('Creating account...') : t('Sign Up')}
          </Button>
        </form>
      )}
      {provider && (
        <ProviderButton
          provider={provider}
          state={state}
          foundingCode={watch('foundingCode')}
          onFailure={(message) => setError('root', message === null ? {} : { message })}
        />
      )}
    </AuthLayout>
  );
}

/** Whether there is no account yet; the first one needs the founding code. */
function useNeedsFoundingCode(): boolean {
  const { data } = useQuery({ queryKey: keys.registration, queryFn: () => call('GET /auth/registration') });
  return data?.needsFoundingCode ?? false;
}

/** The founding code in the link that Parley printed (`/register#code=…`). */
const codeIn = (hash: string) => new URLSearchParams(hash.slice(1)).get('code') ?? '';

function saidOf(failure: unknown, name: keyof RegisterBody): string | undefined {
  if (!(failure instanceof ApiError)) return undefined;
  if (name === 'email' && failure.code === 'EMAIL_TAKEN') return failure.message;
  if (name === 'foundingCode' && failure.code === 'FOUNDING_CODE_REQUIRED') return failure.message;
  return failure.errors.find(({ path }) => path === name)?.msg;
}
