import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Logo } from '../../shared/Logo.tsx';
import { ThemeSwitch } from '../../ui/ThemeSwitch.tsx';

/** The page around the two forms for guests: one column, the way back above, the other form's link below. */
export function AuthFrame({
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
          <ArrowLeft size={16} aria-hidden /> Back to main page
        </Link>
        <ThemeSwitch />
      </header>
      <main className="mx-auto flex w-full max-w-[26rem] flex-1 flex-col px-4 pt-[4vh] pb-16">
        <span className="-ml-1">
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
