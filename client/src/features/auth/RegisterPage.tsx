import { type FieldPath, useForm } from 'react-hook-form';
import { Link, useLocation } from 'react-router-dom';
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH, type RegisterBody } from 'server/contract';
import { ApiError } from '../../lib/api.ts';
import { failureText, useAuth } from '../../lib/auth.tsx';
import { passwordFault } from '../../lib/password.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Input } from '../../ui/Input.tsx';
import { PasswordInput } from '../../ui/PasswordInput.tsx';
import { PasswordStrength } from '../../ui/PasswordStrength.tsx';
import { AuthFrame } from './AuthFrame.tsx';
import { ErrorBox } from './ErrorBox.tsx';
import { emailIn } from './invited.ts';

const FIELDS = ['name', 'email', 'password', 'confirmPassword'] as const satisfies FieldPath<RegisterBody>[];
const EMPTY: RegisterBody = { name: '', email: '', password: '', confirmPassword: '' };

/** /register. The guard around it leads on once the account is there. */
export default function RegisterPage() {
  const auth = useAuth();
  const { state } = useLocation();
  const { register, handleSubmit, formState, setError, watch } = useForm<RegisterBody>({
    defaultValues: { ...EMPTY, email: emailIn(state) },
    reValidateMode: 'onSubmit',
  });
  const { errors, isSubmitting: busy } = formState;
  const shown = [...FIELDS, 'root' as const].flatMap((name) => {
    const text = errors[name]?.message;
    return text ? [{ id: `register-${name}`, text }] : [];
  });
  const errorId = (name: keyof RegisterBody) => (errors[name] ? `register-${name}` : undefined);

  const submit = handleSubmit(async (body) => {
    try {
      await auth.register(body);
    } catch (failure) {
      const wrong = FIELDS.flatMap((name) => {
        const message = saidOf(failure, name);
        return message === undefined ? [] : [{ name, message }];
      });
      for (const [index, { name, message }] of wrong.entries()) {
        setError(name, { message }, { shouldFocus: index === 0 });
      }
      if (wrong.length === 0) setError('root', { message: failureText(failure, 'Registration failed') });
    }
  });

  return (
    <AuthFrame
      title="Create your account"
      text="Free forever. No credit card."
      footer={
        <>
          Already have an account?{' '}
          <Link to="/login" state={state} className="font-medium text-accent hover:underline">
            Log in
          </Link>
        </>
      }
    >
      <title>Sign up · Parley</title>
      <ErrorBox errors={shown} />
      <form noValidate onSubmit={submit} className="flex flex-col gap-5">
        <Field label="Full name" errorId={errorId('name')}>
          <Input
            autoComplete="name"
            required
            autoFocus
            maxLength={NAME_MAX_LENGTH}
            {...register('name', { validate: (name) => name.trim() !== '' || 'Enter your full name' })}
          />
        </Field>
        <Field label="Email" errorId={errorId('email')}>
          <Input
            type="email"
            autoComplete="username"
            required
            maxLength={EMAIL_MAX_LENGTH}
            {...register('email', {
              validate: (email) => /^\s*\S+@\S+\s*$/.test(email) || 'Enter an email address like ana@example.com',
            })}
          />
        </Field>
        <Field label="Password" errorId={errorId('password')} hint={<PasswordStrength password={watch('password')} />}>
          <PasswordInput
            autoComplete="new-password"
            required
            {...register('password', { validate: (password) => passwordFault(password) ?? true })}
          />
        </Field>
        <Field label="Confirm password" errorId={errorId('confirmPassword')}>
          <PasswordInput
            autoComplete="new-password"
            required
            {...register('confirmPassword', {
              validate: (repeated, { password }) => repeated === password || 'Passwords do not match',
            })}
          />
        </Field>
        <Button type="submit" busy={busy}>
          {busy ? 'Creating account...' : 'Sign Up'}
        </Button>
      </form>
    </AuthFrame>
  );
}

/** What a refusal says about one field. */
function saidOf(failure: unknown, name: keyof RegisterBody): string | undefined {
  if (!(failure instanceof ApiError)) return undefined;
  if (name === 'email' && failure.code === 'EMAIL_TAKEN') return failure.message;
  return failure.errors.find(({ path }) => path === name)?.msg;
}
