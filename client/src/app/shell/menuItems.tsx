import { Check, Crown, LogOut, Moon, Plus, Sun } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import type { Site, User } from 'server/contract';
import { t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { useTheme } from '../../lib/theme.ts';
import { MenuItem } from '../../ui/DropdownMenu.tsx';
import { NAV_ITEMS, NAV_ON_PHONE } from './navigation.ts';

/** The items of the phone's 'More' menu: the screens without a place in the bar, the theme, and the way out. */
export function MoreItems({ user, onLogout }: { user: User; onLogout: () => void }) {
  const navigate = useNavigate();
  const [theme, chooseTheme] = useTheme();
  const dark = theme === 'dark';
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
      <MenuItem
        icon={dark ? <Sun size={18} aria-hidden /> : <Moon size={18} aria-hidden />}
        onSelect={() => chooseTheme(dark ? 'light' : 'dark')}
      >
        {dark ? t('Light theme') : t('Dark theme')}
      </MenuItem>
      <MenuItem icon={<LogOut size={18} aria-hidden className="rtl:-scale-x-100" />} onSelect={onLogout}>
        {t('Log out')}
      </MenuItem>
    </>
  );
}

interface SiteItemsProps {
  sites: readonly Site[];
  selected: Site | null;
  onSelect: (id: string) => void;
}

/** The sites to select from. */
export function SiteItems({ sites, selected, onSelect }: SiteItemsProps) {
  const navigate = useNavigate();
  if (sites.length === 0) {
    return (
      <MenuItem icon={<Plus size={16} aria-hidden />} onSelect={() => navigate(paths.newSite)}>
        {t('Add Website')}
      </MenuItem>
    );
  }
  return sites.map((site) => (
    <MenuItem
      key={site._id}
      onSelect={() => onSelect(site._id)}
      icon={<Check size={16} aria-hidden className={site._id === selected?._id ? 'text-accent' : 'invisible'} />}
    >
      <span className="block truncate font-medium">{site.name}</span>
      <span className="address block truncate text-xs text-muted">{site.domain}</span>
    </MenuItem>
  ));
}
