import { Crown, LogOut } from 'lucide-react';
import { Link, NavLink } from 'react-router-dom';
import type { User } from 'server/contract';
import { cx } from '../../lib/cx.ts';
import { t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { Logo } from '../../shared/Logo.tsx';
import { Avatar } from '../../ui/Avatar.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { NAV_ITEMS, type NavItem, SECOND_GROUP } from './navigation.ts';
import { UnreadBadge } from './unreadCount.tsx';

/** The navigation at the left: names and icons on wide screens, icons on laptops, hidden on phones. */
export function Sidebar({ user, unread, onLogout }: { user: User; unread: number; onLogout: () => void }) {
  return (
    <aside className="flex w-16 shrink-0 flex-col border-e bg-surface max-md:hidden xl:w-58">
      <Link to={paths.home} className="flex h-14 items-center px-4.5 max-xl:justify-center max-xl:px-0">
        <span className="xl:hidden">
          <Logo />
        </span>
        <span className="max-xl:hidden">
          <Logo named />
        </span>
      </Link>
      <nav aria-label={t('Dashboard')} className="flex-1 overflow-y-auto px-3 py-2">
        <ul className="flex flex-col gap-0.5">
          {NAV_ITEMS.map((item) => (
            <li key={item.to} className={item.to === SECOND_GROUP ? 'mt-2 border-t pt-2' : ''}>
              <SidebarLink item={item} unread={item.to.endsWith('/inbox') ? unread : 0} />
            </li>
          ))}
        </ul>
      </nav>
      <div className="flex items-center gap-2.5 border-t p-3 max-xl:flex-col max-xl:px-0">
        <Avatar name={user.name} src={user.avatar} />
        <div className="min-w-0 flex-1 max-xl:sr-only">
          <p dir="auto" className="truncate text-left font-medium rtl:text-right" title={user.name}>
            {user.name}
          </p>
          <p className="address truncate text-xs text-muted" title={user.email}>
            {user.email}
          </p>
        </div>
        <div className="-me-1 flex max-xl:me-0 max-xl:flex-col">
          {/* For platform admins only. */}
          {user.role === 'parley_admin' && (
            <IconButton asChild label={t('Administration')}>
              <Link to="/admin">
                <Crown size={18} aria-hidden />
              </Link>
            </IconButton>
          )}
          <IconButton label={t('Log out')} onClick={onLogout}>
            <LogOut size={18} aria-hidden className="rtl:-scale-x-100" />
          </IconButton>
        </div>
      </div>
    </aside>
  );
}

function SidebarLink({ item, unread }: { item: NavItem; unread: number }) {
  const { to, label, icon: Icon, exact = false, newTab } = item;
  return (
    <NavLink
      to={to}
      end={exact}
      title={t(label)}
      {...(newTab && { target: '_blank', rel: 'noopener' })}
      className={({ isActive }) =>
        cx(
          'relative flex h-10 items-center gap-3 rounded-control px-3 font-medium transition-colors max-xl:justify-center max-xl:px-0',
          isActive ? 'bg-accent-soft text-accent-strong' : 'text-muted hover:bg-text/5 hover:text-text',
        )
      }
    >
      <Icon size={18} aria-hidden className="shrink-0" />
      <span className="truncate max-xl:sr-only">{t(label)}</span>
      {newTab && <span className="sr-only"> {t('(opens in a new tab)')}</span>}
      <UnreadBadge count={unread} className="ms-auto max-xl:absolute max-xl:top-0.5 max-xl:end-0" />
    </NavLink>
  );
}
