import {
  BookOpen,
  ClipboardCheck,
  Globe,
  History,
  Home,
  Inbox,
  type LucideIcon,
  MousePointer2,
  Settings,
  TrendingUp,
  Users,
} from 'lucide-react';
import { paths } from '../../lib/paths.ts';

export interface NavItem {
  to: string;
  label: string;
  icon: LucideIcon;
  /** Active for this exact path only. */
  exact?: boolean;
  newTab?: boolean;
}

/** The screens of the dashboard, in the order of the sidebar. */
export const NAV_ITEMS: readonly NavItem[] = [
  { to: paths.home, label: 'Home', icon: Home, exact: true },
  { to: paths.inbox, label: 'Chat Inbox', icon: Inbox },
  { to: paths.sites, label: 'Sites', icon: Globe },
  { to: paths.history, label: 'History', icon: History },
  { to: paths.team, label: 'Team', icon: Users },
  { to: paths.settings, label: 'Settings', icon: Settings },
  { to: '/docs', label: 'Docs', icon: BookOpen, newTab: true },
  { to: paths.visitors, label: 'Visitors now', icon: MousePointer2 },
  { to: paths.reports, label: 'Reports', icon: TrendingUp },
  { to: paths.selfCheck, label: 'Self-check', icon: ClipboardCheck },
];

/** How many fit into a phone's bottom bar beside 'More'. */
export const NAV_ON_PHONE = 4;
/** The first item of the second group, below the screens that are used all day. */
export const SECOND_GROUP = paths.visitors;
