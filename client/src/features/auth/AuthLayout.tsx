import { ArrowLeft, CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { t } from '../../lib/i18n.ts';
import { Logo } from '../../shared/Logo.tsx';
import { ThemeSwitch } from '../../ui/ThemeSwitch.tsx';

/** The layout of the pages for guests: one column with a form and the links around it. */
export function AuthLayout({
  title,
  text,
  children,
  footer,
}: {
  title: string;
  text: string;
  children: ReactNode;
  footer: ReactNode;
}) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex items-center justify-between p-4 sm:px-6">
        <Link
          to="/"
          className="inline-flex h-10 items-center gap-2 rounded-control px-2 font-medium text-muted hover:text-text"
        >
          <ArrowLeft size={16} aria-hidden className="rtl:-scale-x-100" /> {t('Back to main page')}
        </Link>
        <ThemeSwitch />
      </header>
      <main className="mx-auto flex w-full max-w-[26rem] flex-1 flex-col px-4 pt-[4vh] pb-16">
        <span className="-ms-1">
          <Logo size={36} />
        </span>
        <h1 className="pt-6 text-2xl font-semibold">{title}</h1>
        <p className="pt-1 pb-8 text-muted">{text}</p>
        {children}
        <p className="pt-6 text-muted">{footer}</p>
      </main>
    </div>
  );
}

/** One error, with an id for the `aria-describedby` of its field. */
export interface FormError {
  id: string;
  text: string;
}

/** The errors above a form. The live region is always rendered, so that screen readers announce changes. */
export function FormErrors({ errors }: { errors: readonly FormError[] }) {
  return (
    <div role="alert">
      {errors.length > 0 && (
        <div className="mb-5 flex animate-enter gap-2.5 rounded-control border border-danger/30 bg-danger-soft px-3 py-2.5 text-danger">
          <CircleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
          <ul className="flex min-w-0 flex-col gap-1 wrap-anywhere">
            {errors.map(({ id, text }) => (
              <li key={id} id={id}>
                {text}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

/** What the navigation state of somebody who comes from an invite knows; empty for others. */
export function textFrom(state: unknown, name: 'invite' | 'email'): string {
  const text: unknown = Object(state)[name];
  return typeof text === 'string' ? text : '';
}
