import { ArrowRight, Hammer } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Button } from '../../ui/Button.tsx';

interface BeingBuiltProps {
  title: string;
  /** What will be here. */
  text: string;
  /** The way onward. */
  onward: { to: string; label: string };
}

/** A screen that does not exist yet, and says so. */
export function BeingBuiltPage({ title, text, onward }: BeingBuiltProps) {
  return (
    <div className="w-full max-w-5xl px-4 py-6 sm:p-8">
      <h1 className="text-2xl font-semibold">{title}</h1>
      <section className="mt-6 flex gap-5 rounded-card border bg-surface p-6 max-sm:flex-col">
        <span className="inline-flex size-11 shrink-0 items-center justify-center rounded-full bg-accent-soft text-accent">
          <Hammer size={20} aria-hidden />
        </span>
        <div>
          <h2 className="text-base font-semibold">This screen is still being built</h2>
          <p className="max-w-prose pt-1 pb-5 text-muted">{text}</p>
          <Button asChild variant="secondary">
            <Link to={onward.to}>
              {onward.label} <ArrowRight size={16} aria-hidden />
            </Link>
          </Button>
        </div>
      </section>
    </div>
  );
}
