import { BookOpen, Globe, History, Home, Inbox, type LucideIcon, Settings, Users } from 'lucide-react';

export interface NavItem {
  to: string;
  label: string;
  icon: LucideIcon;
  /** Active on this very path only, not below it. */
  exact?: boolean;
  newTab?: boolean;
}

/** The places of the dashboard, in the order of the sidebar. */
export const NAV: readonly NavItem[] = [
  { to: '/dashboard', label: 'Home', icon: Home, exact: true },
  { to: '/dashboard/inbox', label: 'Chat Inbox', icon: Inbox },
  { to: '/dashboard/sites', label: 'Sites', icon: Globe },
  { to: '/dashboard/history', label: 'History', icon: History },
  { to: '/dashboard/team', label: 'Team', icon: Users },
  { to: '/dashboard/settings', label: 'Settings', icon: Settings },
  { to: '/docs', label: 'Docs', icon: BookOpen, newTab: true },
];

/** How many fit into a phone's bottom bar beside 'More'. */
export const NAV_ON_PHONE = 4;
