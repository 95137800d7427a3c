import { MailX } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router-dom';
import type { InvitePage as Invitation, User } from 'server/contract';
import { useAuth } from '../../lib/auth.tsx';
import { formatDate } from '../../lib/format.ts';
import { ApiError } from '../../lib/http.ts';
import { t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { Logo } from '../../shared/Logo.tsx';
import { useSelectedSiteId } from '../../shared/sites.ts';
import { useAction } from '../../shared/useAction.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { ThemeSwitch } from '../../ui/ThemeSwitch.tsx';
import { useAcceptInvite, useInvitePage } from './api.ts';
import { RoleBadge, roleHint } from './Roles.tsx';

/** /invite/:inviteId: who invites whom to what, for everybody who holds the link. */
export default function InvitePage() {
  const { inviteId = '' } = useParams();
  const { data: invite, error, isPending, refetch } = useInvitePage(inviteId);
  const { user, isLoading } = useAuth();
  return (
    <div className="flex min-h-dvh flex-col">
      <title>{t('Invite · Parley')}</title>
      <header className="flex items-center justify-between p-4 sm:px-6">
        <Link to="/" className="rounded-control p-1">
          <Logo named />
        </Link>
        <ThemeSwitch />
      </header>
      <main className="mx-auto flex w-full max-w-[30rem] flex-1 flex-col px-4 pt-[6vh] pb-16">
        {invite && (
          <Card invite={invite}>
            {isLoading ? (
              <Skeleton className="h-10 w-40" />
            ) : (
              <NextStep key={user?._id} inviteId={inviteId} invite={invite} user={user} />
            )}
          </Card>
        )}
        {isPending && <CardSkeleton />}
        {error && !invite && (
          <>
            <h1 className="sr-only">{t('Invite')}</h1>
            {isGone(error) ? (
              <Gone signedIn={user !== null} />
            ) : (
              <ErrorState what={t('The invite could not be loaded.')} onRetry={() => void refetch()} />
            )}
          </>
        )}
      </main>
    </div>
  );
}

function Card({ invite, children }: { invite: Invitation; children: ReactNode }) {
  const { siteName, inviterName, email, role, expiresAt } = invite;
  return (
    <article className="rounded-card border bg-surface p-6 sm:p-8">
      <h1 className="text-2xl font-semibold text-balance wrap-anywhere">
        {t('{name} invited you to {site}', { name: inviterName || t('Somebody'), site: siteName })}
      </h1>
      <p className="pt-2 text-base text-pretty text-muted">
        {t('Answer the visitors of the website together, in one inbox.')}
      </p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-3 py-6">
        <dt className="text-muted">{t('Invited')}</dt>
        <dd className="address font-medium wrap-anywhere">{email}</dd>
        <dt className="text-muted">{t('Your role')}</dt>
        <dd className="flex flex-wrap items-center gap-2">
          <RoleBadge role={role} /> {roleHint(role)}
        </dd>
        <dt className="text-muted">{t('Works until')}</dt>
        <dd>
          <time dateTime={expiresAt}>{formatDate(expiresAt, 'long')}</time>
        </dd>
      </dl>
      <div className="border-t pt-6">{children}</div>
    </article>
  );
}

interface NextStepProps {
  inviteId: string;
  invite: Invitation;
  user: User | null;
}

/** What is left to do, by who is looking. */
function NextStep({ inviteId, invite, user }: NextStepProps) {
  if (!user) return <WayIn inviteId={inviteId} email={invite.email} />;
  if (user.email !== invite.email) return <WrongAccount invite={invite} user={user} />;
  return <Accept inviteId={inviteId} invite={invite} />;
}

/** To the two forms, which lead back to this page; where sign-up is for the invited, the invite opens it. */
function WayIn({ inviteId, email }: { inviteId: string; email: string }) {
  const state = { from: useLocation(), email, invite: inviteId };
  return (
    <>
      <p className="pb-4">{t('Sign up or log in as {email}; then you can accept.', { email })}</p>
      <div className="flex flex-wrap gap-2">
        <Button asChild>
          <Link to="/register" state={state}>
            {t('Sign up')}
          </Link>
        </Button>
        <Button asChild variant="secondary">
          <Link to="/login" state={state}>
            {t('Log in')}
          </Link>
        </Button>
      </div>
    </>
  );
}

function WrongAccount({ invite, user }: { invite: Invitation; user: User }) {
  const { logout } = useAuth();
  return (
    <>
      <p className="pb-4 wrap-anywhere">
        {t('This invite is for {email}. You are logged in as {own}, and cannot accept it.', {
          email: invite.email,
          own: user.email,
        })}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={logout}>{t('Log out')}</Button>
        <Button asChild variant="secondary">
          <Link to={paths.home}>{t('Go to Dashboard')}</Link>
        </Button>
      </div>
    </>
  );
}

function Accept({ inviteId, invite }: Omit<NextStepProps, 'user'>) {
  const accept = useAcceptInvite(inviteId);
  const [, select] = useSelectedSiteId();
  const navigate = useNavigate();
  const join = useAction(accept, {
    success: t('Welcome to the team of {siteName}', { siteName: invite.siteName }),
    failure: t('The invite could not be accepted.'),
    onSuccess: (siteId) => {
      select(siteId);
      void navigate(paths.home, { replace: true });
    },
  });
  if (isGone(accept.error)) return <p role="alert">{t('This invite was used or revoked in the meantime.')}</p>;
  return (
    <Button busy={accept.isPending} onClick={() => void join()}>
      {t('Accept invite')}
    </Button>
  );
}

/** Unknown, expired, revoked and used ones answer alike: a link tells nothing to who should not know. */
function Gone({ signedIn }: { signedIn: boolean }) {
  return (
    <div className="rounded-card border bg-surface">
      <EmptyState
        icon={MailX}
        title={t('This invite is no longer valid')}
        text={t('It was used, cancelled, or has expired. Ask the person who invited you for a new link.')}
        action={
          <Button asChild variant="secondary">
            {signedIn ? <Link to={paths.home}>{t('Go to Dashboard')}</Link> : <Link to="/login">{t('Log in')}</Link>}
          </Button>
        }
      />
    </div>
  );
}

function CardSkeleton() {
  return (
    <div role="status" className="flex flex-col gap-4 rounded-card border bg-surface p-6 sm:p-8">
      <span className="sr-only">{t('Loading invite')}</span>
      <Skeleton className="h-8 w-4/5" />
      <Skeleton className="h-5 w-3/5" />
      <Skeleton className="mt-4 h-20 w-full" />
      <Skeleton className="mt-4 h-10 w-40" />
    </div>
  );
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400);
}
