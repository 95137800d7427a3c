import type { SiteRole, TeamEntry } from '../team/contract.ts';

/** How many sites one account may own unless the operator says otherwise. */
export const SITE_LIMIT = 3;
export const SITE_NAME_MAX_LENGTH = 100;
export const SITE_TEXT_MAX_LENGTH = 500;

/** On which side of the page the launcher stands. */
export type WidgetPosition = 'right' | 'left';

/** How a site's widget looks and what it says. */
export interface Customization {
  /** `#rrggbb` */
  color: string;
  position: WidgetPosition;
  navbarTitle: string;
  welcomeMessage: string;
  offlineMessage: string;
}

/** How a site's chats are handled. */
export interface SiteSettings {
  autoAssign: boolean;
  notifications: boolean;
  /** Forces the widget to say that nobody is there. */
  offlineMode: boolean;
  /** Hosts whose pages may carry the widget; empty: any. */
  allowedDomains: string[];
}

export const CUSTOMIZATION_DEFAULTS: Customization = {
  color: '#0088ff',
  position: 'right',
  navbarTitle: 'Chat with us',
  welcomeMessage: 'Hello! How can we help you today?',
  offlineMessage: "We are currently offline. Please leave a message and we'll get back to you.",
};

export const SITE_SETTINGS_DEFAULTS: SiteSettings = {
  autoAssign: true,
  notifications: true,
  offlineMode: false,
  allowedDomains: [],
};

/** A site as a member of its team sees it. */
export interface Site {
  _id: string;
  name: string;
  /** A bare lower-case host, with a port where it has one. */
  domain: string;
  widgetEnabled: boolean;
  /** The public id in the embed code. */
  widgetCode: string;
  /** The user id of whoever owns it. */
  owner: string;
  /** The asking member's role. */
  role: SiteRole;
  isOwner: boolean;
  stats: { totalChats: number; activeChats: number };
  team: TeamEntry[];
  customization: Customization;
  settings: SiteSettings;
  /** ISO 8601 UTC */
  createdAt: string;
}

/** The site form: `notifications` may also come as the object that the create form sends. */
export interface SiteBody {
  name: string;
  domain: string;
  customization?: Partial<Customization>;
  settings?: Partial<Omit<SiteSettings, 'notifications'>> & {
    notifications?: boolean | { email?: boolean; browser?: boolean };
  };
}

/** A part of the site form, or the widget switch. */
export type SitePatch = Partial<SiteBody> & { widgetEnabled?: boolean };

/** The calls of sites. */
export interface SitesApi {
  'GET /sites': { data: { sites: Site[] } };
  'POST /sites': { body: SiteBody; data: { site: Site } };
  'GET /sites/:id': { data: { site: Site } };
  'PUT /sites/:id': { body: SiteBody; data: { site: Site } };
  'PATCH /sites/:id': { body: SitePatch; data: { site: Site } };
  'DELETE /sites/:id': { data: Record<string, never> };
}

/** What the dashboard socket tells of sites. */
export interface SiteEvents {
  /** The site was edited, switched or deleted: read it again. */
  site_updated: (fact: { siteId: string }) => void;
}

/** The script tag that a site owner pastes. */
export function embedCode(origin: string, widgetCode: string | undefined): string {
  return `<script src="${origin}/widget.js" data-site-id="${widgetCode || 'YOUR_SITE_ID'}" async></script>`;
}
