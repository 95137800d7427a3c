import {
  BookOpen,
  CircleQuestionMark,
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
import { msg } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';

export interface NavItem {
  to: string;
  /** In English. */
  label: string;
  icon: LucideIcon;
  /** Active for this exact path only. */
  exact?: boolean;
  newTab?: boolean;
}

/** The screens of the dashboard, in the order of the sidebar. */
export const NAV_ITEMS: readonly NavItem[] = [
  { to: paths.home, label: msg('Home'), icon: Home, exact: true },
  { to: paths.inbox, label: msg('Chat Inbox'), icon: Inbox },
  { to: paths.sites, label: msg('Sites'), icon: Globe },
  { to: paths.history, label: msg('History'), icon: History },
  { to: paths.team, label: msg('Team'), icon: Users },
  { to: paths.settings, label: msg('Settings'), icon: Settings },
  { to: '/docs', label: msg('Docs'), icon: BookOpen, newTab: true },
  { to: paths.help, label: msg('Help'), icon: CircleQuestionMark },
  { to: paths.visitors, label: msg('Visitors now'), icon: MousePointer2 },
  { to: paths.reports, label: msg('Reports'), icon: TrendingUp },
  { to: paths.selfCheck, label: msg('Self-check'), icon: ClipboardCheck },
];

/** How many fit into a phone's bottom bar beside 'More'. */
export const NAV_ON_PHONE = 4;
/** The first item of the second group, below the screens that are used all day. */
export const SECOND_GROUP = paths.help;
