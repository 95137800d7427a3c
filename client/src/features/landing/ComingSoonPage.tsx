import { PublicLayout } from '../../shared/PublicLayout.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import type { ComingSoon } from './comingSoon.ts';

/** A public page of one sentence. One that is still to be written says so. */
export function ComingSoonPage({ title, text, isWhole = false }: Omit<ComingSoon, 'path'>) {
  return (
    <PublicLayout>
      <div className="mx-auto max-w-6xl px-4 py-20 sm:px-6">
        {!isWhole && <Badge tone="accent">Coming soon</Badge>}
        <h1 className="pt-4 text-4xl font-semibold tracking-[-0.03em] sm:text-5xl">{title}</h1>
        <p className="max-w-prose pt-4 pb-8 text-base text-muted">{text}</p>
        <Button asChild variant="secondary">
          <a href="/">Back to main page</a>
        </Button>
      </div>
    </PublicLayout>
  );
}
