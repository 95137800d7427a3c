import { Crown, Ellipsis, LogOut, Moon, Sun } from 'lucide-react';
import { NavLink, useNavigate } from 'react-router-dom';
import type { User } from 'server/contract';
import { cx } from '../../lib/cx.ts';
import { t } from '../../lib/i18n.ts';
import { useDarkTheme } from '../../lib/theme.ts';
import { DropdownMenu, MenuItem } from '../../ui/DropdownMenu.tsx';
import { NAV_ITEMS, NAV_ON_PHONE } from './navigation.ts';
import { UnreadBadge } from './unreadCount.tsx';

const CELL = 'relative flex h-14 w-full flex-col items-center justify-center gap-0.5 text-[11px] font-medium';

/** The navigation on phones: the first items in a bar at the bottom, the rest in a 'More' menu. */
export function BottomBar({ user, unread, onLogout }: { user: User; unread: number; onLogout: () => void }) {
  return (
    <nav
      aria-label={t('Dashboard')}
      className="shrink-0 border-t bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <ul className="grid grid-cols-5">
        {NAV_ITEMS.slice(0, NAV_ON_PHONE).map(({ to, label, icon: Icon, exact = false }) => (
          <li key={to}>
            <NavLink
              to={to}
              end={exact}
              className={({ isActive }) => cx(CELL, isActive ? 'text-accent-strong' : 'text-muted')}
            >
              <Icon size={20} aria-hidden />
              {t(label)}
              {to.endsWith('/inbox') && <UnreadBadge count={unread} className="absolute top-1.5 start-1/2 ms-1.5" />}
            </NavLink>
          </li>
        ))}
        <li>
          <DropdownMenu
            trigger={
              <button type="button" className={cx(CELL, 'text-muted')}>
                <Ellipsis size={20} aria-hidden />
                {t('More')}
              </button>
            }
          >
            <MoreItems user={user} onLogout={onLogout} />
          </DropdownMenu>
        </li>
      </ul>
    </nav>
  );
}

/** The items of the phone's 'More' menu: the screens without a place in the bar, the theme, and the way out. */
function MoreItems({ user, onLogout }: { user: User; onLogout: () => void }) {
  const navigate = useNavigate();
  const [dark, toggle] = useDarkTheme();
  return (
    <>
      {NAV_ITEMS.slice(NAV_ON_PHONE).map(({ to, label, icon: Icon, newTab }) => (
        <MenuItem
          key={to}
          icon={<Icon size={18} aria-hidden />}
          onSelect={() => (newTab ? window.open(to, '_blank', 'noopener') : navigate(to))}
        >
          {t(label)}
        </MenuItem>
      ))}
      {user.role === 'parley_admin' && (
        <MenuItem icon={<Crown size={18} aria-hidden />} onSelect={() => navigate('/admin')}>
          {t('Administration')}
        </MenuItem>
      )}
      <MenuItem icon={dark ? <Sun size={18} aria-hidden /> : <Moon size={18} aria-hidden />} onSelect={toggle}>
        {dark ? t('Light theme') : t('Dark theme')}
      </MenuItem>
      <MenuItem icon={<LogOut size={18} aria-hidden className="rtl:-scale-x-100" />} onSelect={onLogout}>
        {t('Log out')}
      </MenuItem>
    </>
  );
}
