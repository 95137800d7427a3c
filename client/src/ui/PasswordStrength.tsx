import { PASSWORD_MIN_BYTES } from 'server/contract';
import { cx } from '../lib/cx.ts';

const LONG = 12;
const LONGER = 16;
const WORDS = ['Too short', 'Weak', 'Fair', 'Good', 'Strong'] as const;

/** A rough word on how hard a password is to guess; the server has the last one. */
export function PasswordStrength({ password }: { password: string }) {
  const score = strengthOf(password);
  return (
    <span className="flex items-center gap-3">
      <span aria-hidden className="flex flex-1 gap-1">
        {[1, 2, 3, 4].map((step) => (
          <span
            key={step}
            className={cx(
              'h-1 flex-1 rounded-full transition-colors',
              score < step && 'bg-line',
              score >= step && (score < 3 ? 'bg-waiting' : 'bg-success'),
            )}
          />
        ))}
      </span>
      <span aria-live="polite" className="w-16 text-right">
        {password === '' ? `${PASSWORD_MIN_BYTES} or more` : WORDS[score]}
      </span>
    </span>
  );
}

function strengthOf(password: string): 0 | 1 | 2 | 3 | 4 {
  if (password.length < PASSWORD_MIN_BYTES) return 0;
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(password)).length;
  const varied = new Set(password).size > password.length / 2;
  if (!varied) return 1;
  if (password.length >= LONGER || (password.length >= LONG && kinds >= 3)) return 4;
  if (password.length >= LONG || kinds === 4) return 3;
  return kinds >= 2 ? 2 : 1;
}
