import type { AssistantStep } from '#features/assistant/contract';
import type { Attribute } from '#features/presence/contract';
import type { Member, TeamEntry } from '#features/team/contract';
import type { FlowButton } from './flows/contract.ts';
import type { OfficeHours, SiteAvailability } from './hours/contract.ts';
import { LAUNCHER_DEFAULTS, type Launcher } from './launcher/contract.ts';
import type { SiteTranslations, WidgetLanguage } from './texts/contract.ts';

/** How many sites one account may own, unless the operator configures another number. */
export const SITE_LIMIT = 3;
export const SITE_NAME_MAX_LENGTH = 100;
export const SITE_TEXT_MAX_LENGTH = 500;

/** The side of the page on which the launcher is shown. */
export type WidgetPosition = 'right' | 'left';

/** Appearance and texts of a site's widget. */
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
  /** Shows the site as offline, even when members are present. */
  offlineMode: boolean;
  /** Hosts whose pages may carry the widget; empty: any host. */
  allowedDomains: string[];
  /** Whether visitors are asked for name and e-mail before they write. */
  preChat: PreChat;
  /** Whether card numbers are made unreadable before a text is stored. */
  maskCards: boolean;
  /** Chats are removed this many days after their close, open ones after their last message; 0: never. */
  retentionDays: number;
  /** Whether the team sees what visitors are typing before it is sent. */
  typingPreview: boolean;
  /** Whether the team sees which visitors are on the site, and on which page. */
  visitorPages: boolean;
  /** Whether `identify` needs a token signed with the site's secret. */
  identityVerification: boolean;
  /** Chats without a message for this many hours are closed; 0: never. */
  autoCloseHours: number;
  /** When members may be available to answer; null: at any time. */
  hours: OfficeHours | null;
  /** The site's privacy notice, which the widget links to; null: none. */
  privacyUrl: string | null;
  /** What the form before the chat asks for, in order; empty: name and e-mail. */
  preChatFields: PreChatField[];
  /** What visitors must agree to in the forms of the widget; null: nothing. */
  consent: Consent | null;
  /** What the widget says to visitors before they write; of several that apply, the first. */
  greetings: Greeting[];
  /** What visitors may tap in place of writing; empty: they write. */
  buttons: FlowButton[];
  launcher: Launcher;
  /** The language of the site's own texts, which visitors of other languages get too; null: nobody has said. */
  mainLanguage: WidgetLanguage | null;
  /** The site's texts in more languages. */
  translations: SiteTranslations;
}

/** Whether there is a form before the chat: `optional` ones can be skipped. */
export const PRE_CHAT_CHOICES = ['off', 'optional', 'required'] as const;
export type PreChat = (typeof PRE_CHAT_CHOICES)[number];

/** What a field of the form before the chat asks for; the last three are the site's own. */
export const PRE_CHAT_FIELD_KINDS = ['name', 'email', 'phone', 'text', 'choice', 'checkbox'] as const;
export type PreChatFieldKind = (typeof PRE_CHAT_FIELD_KINDS)[number];

/** A field of the form before the chat. */
export interface PreChatField {
  /** 8 to 36 of `0-9a-f-`, such as a UUID, by which its translations are kept; left out: made of kind and label. */
  id?: string;
  kind: PreChatFieldKind;
  /** Unique in the form. Of name, e-mail and phone it may be empty: the widget then names it in the visitor's language. */
  label: string;
  required: boolean;
  /** The possible answers; of a `choice` only. */
  options?: string[];
}

/** A sentence with a checkbox that must be ticked. */
export interface Consent {
  text: string;
  /** An https address that is linked after the text; null: none. */
  url: string | null;
}

/** What a visitor types into a form of the widget. */
export interface VisitorAnswers {
  name?: string;
  email?: string;
  phone?: string;
  /** The answers to the site's own fields, by label. What the form does not ask for is ignored. */
  answers?: Record<string, Attribute['value']>;
  /** The visitor agreed to the site's consent. */
  consent?: boolean;
}

export const PRE_CHAT_FIELDS_MAX = 8;
export const PRE_CHAT_LABEL_MAX_LENGTH = 40;
export const PRE_CHAT_OPTIONS_MAX = 20;
export const PRE_CHAT_OPTION_MAX_LENGTH = 100;
export const CONSENT_TEXT_MAX_LENGTH = 300;
export const PHONE_MAX_LENGTH = 30;
/** A phone number as people write them. */
export const PHONE = /^\+?[\d ()./-]{5,29}$/;

/** The visits in which a greeting shows; a visit ends when its visitor has been away for half an hour. */
export const GREETING_VISITS = ['all', 'first', 'returning'] as const;
export type GreetingVisits = (typeof GREETING_VISITS)[number];

/** What the widget says in the name of the team, above its closed launcher, and when. */
export interface Greeting {
  /** Made by the client that adds it: 8 to 36 of `0-9a-f-`, such as a UUID; unique on the site. */
  id: string;
  text: string;
  enabled: boolean;
  /** The page's address must contain this, in whatever case; empty: any page. */
  page: string;
  /** Seconds that the visitor has been on the page. */
  after: number;
  visits: GreetingVisits;
  /** Only while a member is available to answer. */
  whileOnline: boolean;
  /** Shown once to each visitor; otherwise once in each visit. */
  oncePerVisitor: boolean;
}

export const GREETINGS_MAX = 10;
export const GREETING_TEXT_MAX_LENGTH = 300;
export const GREETING_PAGE_MAX_LENGTH = 200;
export const GREETING_DELAY_MAX_S = 3_600;

export const RETENTION_DAYS_MAX = 3_650;
export const AUTO_CLOSE_HOURS_MAX = 8_760;
export const PRIVACY_URL_MAX_LENGTH = 500;

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
  preChat: 'off',
  maskCards: true,
  retentionDays: 0,
  typingPreview: false,
  visitorPages: false,
  identityVerification: false,
  autoCloseHours: 72,
  hours: null,
  privacyUrl: null,
  preChatFields: [],
  consent: null,
  greetings: [],
  buttons: [],
  launcher: LAUNCHER_DEFAULTS,
  mainLanguage: null,
  translations: {},
};

/** A site as a member of its team sees it, with the rights of that member. */
export interface Site extends Omit<Member, 'scope'> {
  _id: string;
  name: string;
  /** A bare lower-case host, with a port where it has one. */
  domain: string;
  widgetEnabled: boolean;
  /** The public id in the embed code. */
  widgetCode: string;
  /** The owner's user id. */
  owner: string;
  stats: { totalChats: number; activeChats: number };
  team: TeamEntry[];
  customization: Customization;
  settings: SiteSettings;
  /** How far the assistant may answer; left out: links to articles only. */
  assistantStep?: AssistantStep;
  /** ISO 8601 UTC */
  createdAt: string;
}

/** The site form: `notifications` may also come as the object that the create form sends. */
export interface SiteBody {
  name: string;
  domain: string;
  customization?: Partial<Customization>;
  settings?: Partial<Omit<SiteSettings, 'notifications' | 'launcher'>> & {
    launcher?: Partial<Launcher>;
    notifications?: boolean | { email?: boolean; browser?: boolean };
  };
}

/**
 * Any part of the site form, and the switch that turns the widget on or off. `base`: the values that the sent fields had. If one is
 * another by now, nothing changes and the answer is 409 `SETTINGS_CHANGED`; fields without a base are overwritten.
 */
export type SitePatch = Partial<SiteBody> & { widgetEnabled?: boolean; base?: Omit<SitePatch, 'base'> };

/** Where the widget was last seen; all null: never. */
export interface Installation {
  /** ISO 8601 UTC */
  seenAt: string | null;
  origin: string | null;
  /** Without query and fragment. */
  page: string | null;
  /** The widget's version, where it reports one. */
  version: string | null;
}

/** The calls of sites. */
export interface SitesApi {
  /** `limit` is how many sites one account may own. */
  'GET /sites': { data: { sites: Site[]; limit: number } };
  'POST /sites': { body: SiteBody; data: { site: Site } };
  'GET /sites/:id': { data: { site: Site } };
  'PUT /sites/:id': { body: SiteBody; data: { site: Site } };
  'PATCH /sites/:id': { body: SitePatch; data: { site: Site } };
  'DELETE /sites/:id': { data: Record<string, never> };
  'GET /sites/:id/installation': { data: { installation: Installation } };
  'POST /sites/:id/widget-code': { data: { site: Site } };
  'GET /sites/:id/identity-secret': { data: { secret: string } };
  'POST /sites/:id/identity-secret': { data: { secret: string } };
}

/** Events about sites on the dashboard socket. */
export interface SiteEvents {
  /** Of all sites of the user after the connection; later of those that changed. */
  site_availability: (event: { sites: SiteAvailability[] }) => void;
  /** The site was edited, switched on or off, or deleted: load it again. */
  site_updated: (event: { siteId: string }) => void;
}

/** The script tag that a site owner pastes. */
export function embedCode(origin: string, widgetCode: string | undefined): string {
  return `<script src="${origin}/widget.js" data-site-id="${widgetCode || 'YOUR_SITE_ID'}" async></script>`;
}
