import { ArrowRight, Globe, Inbox } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useAuth } from '../../lib/auth.tsx';
import { Button } from '../../ui/Button.tsx';
import { useUnreadChats } from '../chats/api.ts';
import { useSites } from '../sites/api.ts';

/** /dashboard */
export default function HomePage() {
  const { user } = useAuth();
  const sites = useSites().data ?? [];
  const unread = useUnreadChats().length;
  return (
    <div className="w-full max-w-5xl px-4 py-6 sm:p-8">
      <section className="rounded-card border bg-surface p-6 sm:p-8">
        <h1 className="text-2xl font-semibold">Welcome back!</h1>
        <p className="pt-1 text-base wrap-anywhere text-muted">
          {user?.name}, {greeting(sites.length, unread)}
        </p>
        {sites.length === 0 && <FirstSteps />}
      </section>
      {sites.length > 0 && (
        <div className="grid gap-4 pt-4 sm:grid-cols-2">
          <Door to="/dashboard/inbox" icon={<Inbox size={20} aria-hidden />} title="Chat Inbox">
            {unread === 0 ? 'Everything is read.' : plural(unread, 'chat has', 'chats have')}
            {unread > 0 && ' something new to read.'}
          </Door>
          <Door to="/dashboard/sites" icon={<Globe size={20} aria-hidden />} title="Sites">
            {plural(sites.length, 'website', 'websites')}, {sites.filter((site) => site.widgetEnabled).length} with the
            widget switched on.
          </Door>
        </div>
      )}
      <p className="pt-6 text-muted">
        Figures, charts and recent activity will be on this screen; they are still being built.
      </p>
    </div>
  );
}

function greeting(sites: number, unread: number): string {
  if (sites === 0) return 'your inbox is ready. Three steps, and visitors can write to you.';
  return unread === 0 ? 'nobody is waiting for an answer you have not seen.' : 'your visitors have written to you.';
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

const STEPS = ['Add your website', 'Paste its line of code into your pages', 'Answer the first visitor from the inbox'];

function FirstSteps() {
  return (
    <>
      <ol className="flex flex-col gap-3 pt-6">
        {STEPS.map((step, index) => (
          <li key={step} className="flex items-center gap-3">
            <span className="inline-flex size-7 items-center justify-center rounded-full border text-xs font-semibold tabular-nums">
              {index + 1}
            </span>
            {step}
          </li>
        ))}
      </ol>
      <Button asChild className="mt-6">
        <Link to="/dashboard/sites/new">Add your website</Link>
      </Button>
    </>
  );
}

function Door({ to, icon, title, children }: { to: string; icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <Link to={to} className="group flex items-start gap-4 rounded-card border bg-surface p-5 hover:border-edge">
      <span className="inline-flex size-10 shrink-0 items-center justify-center rounded-full bg-accent-soft text-accent">
        {icon}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block text-base font-semibold">{title}</span>
        <span className="text-muted">{children}</span>
      </span>
      <ArrowRight size={18} aria-hidden className="mt-1 text-muted group-hover:text-text" />
    </Link>
  );
}
