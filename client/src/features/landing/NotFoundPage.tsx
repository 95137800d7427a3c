import { Logo } from '../../shared/Logo.tsx';
import { Button } from '../../ui/Button.tsx';

/** /404 */
export default function NotFoundPage() {
  return (
    <main className="mx-auto flex min-h-dvh max-w-lg flex-col items-start justify-center px-6 py-16">
      <Logo size={40} />
      <h1 className="pt-8 text-2xl font-semibold">Page Not Found</h1>
      <p className="pt-2 pb-6 text-base text-muted">
        There is no page at this address. It may have moved, or the link may be incomplete.
      </p>
      <Button asChild>
        <a href="/">Go Home</a>
      </Button>
    </main>
  );
}
