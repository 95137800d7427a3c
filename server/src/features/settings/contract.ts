import type { Confirmation, Language, ProfilePatch, SESSION_TIMEOUT_HOURS } from '#features/auth/contract';
import type { AUTO_AWAY_MINUTES } from '#features/presence/contract';

export const SETTINGS_SECTIONS = [
  'account',
  'widget',
  'notifications',
  'security',
  'availability',
  'keyboard',
  'language',
  'quickReplies',
] as const;
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number];

export const ACCOUNT_WIDGET_POSITIONS = ['bottom-right', 'bottom-left'] as const;
export const BUTTON_TEXT_MAX_LENGTH = 40;
/** The most sites for which a quick reply can be chosen. */
export const QUICK_REPLIES_MAX = 100;

/** The Account tab: the same record as the profile. */
export interface AccountSettings {
  name: string;
  email: string;
  avatar: string | null;
}

/** The Widget tab: what new sites of this account start with. The button's text applies to all of its sites at once. */
export interface WidgetSettings {
  title: string;
  buttonText: string;
  position: (typeof ACCOUNT_WIDGET_POSITIONS)[number];
  /** `#rrggbb` */
  primaryColor: string;
  /** Answered as a URL. Sent as a data URL of a PNG, JPEG, WebP or GIF, or as null for none. */
  logo: string | null;
}

/** The Notifications tab. */
export interface NotificationSettings {
  emailNotifications: boolean;
  browserNotifications: boolean;
  soundEnabled: boolean;
  /** Mails about a waiting chat can be answered, where mails come in: the answer goes to the visitor. */
  answerByMail: boolean;
}

/** The Security tab. */
export interface SecuritySettings {
  twoFactorEnabled: boolean;
  /** Hours without use after which a session ends. */
  sessionTimeout: (typeof SESSION_TIMEOUT_HOURS)[number];
  /** Present where the account has no password, because its owner signs in with the OpenID Connect provider; never sent. */
  passwordless?: true;
}

/** When the account's owner is away; on the Account tab. */
export interface AvailabilitySettings {
  /** After so many minutes without input on any device, one is shown as away and gets no chats; 0: never. */
  autoAwayMinutes: (typeof AUTO_AWAY_MINUTES)[number];
}

/** How the dashboard heeds the keyboard; on the Account tab. */
export interface KeyboardSettings {
  /** Whether single letters and signs are shortcuts. */
  singleKeyShortcuts: boolean;
}

/** The language of the dashboard; on the Account tab. */
export interface LanguageSettings {
  /** `auto`: the first of the browser's languages that there is. */
  language: Language | 'auto';
}

/** The canned replies that notifications offer to send; on the Notifications tab. */
export interface QuickReplySettings {
  /** The canned reply by the id of the site whose chats it answers. */
  bySite: Record<string, string>;
}

/** All settings of an account, by tab. */
export interface Settings {
  account: AccountSettings;
  widget: WidgetSettings;
  notifications: NotificationSettings;
  security: SecuritySettings;
  availability: AvailabilitySettings;
  keyboard: KeyboardSettings;
  language: LanguageSettings;
  quickReplies: QuickReplySettings;
}

export const WIDGET_SETTINGS_DEFAULTS: WidgetSettings = {
  title: 'Chat with us',
  buttonText: 'Need help?',
  position: 'bottom-right',
  primaryColor: '#3B82F6',
  logo: null,
};

export const NOTIFICATION_SETTINGS_DEFAULTS: NotificationSettings = {
  emailNotifications: true,
  browserNotifications: true,
  soundEnabled: true,
  answerByMail: false,
};

/** A change of one tab; fields left out keep their values. */
export type SettingsPatch =
  | { section: 'account'; data: ProfilePatch }
  | { section: 'widget'; data: Partial<WidgetSettings> }
  | { section: 'notifications'; data: Partial<NotificationSettings> }
  | { section: 'availability'; data: Partial<AvailabilitySettings> }
  | { section: 'keyboard'; data: Partial<KeyboardSettings> }
  | { section: 'language'; data: Partial<LanguageSettings> }
  /** Sites left out keep their quick reply; null takes it away. */
  | { section: 'quickReplies'; data: { bySite?: Record<string, string | null> } }
  /** Switching two-factor sign-in off needs the current password. */
  | { section: 'security'; data: Partial<Omit<SecuritySettings, 'passwordless'>> & Partial<Confirmation> };

/** What a dashboard socket hears of its user's account. */
export interface SettingsEvents {
  /** The account or its settings were changed, on this device or another one: load them again. */
  account_updated: () => void;
}

/** The settings, with what the server can do for them. */
export interface OwnSettings {
  settings: Settings;
  /** Mails come in, so that `answerByMail` has an effect; absent: they do not. */
  answerableMails?: true;
}

/** The REST calls of an account's settings. */
export interface SettingsApi {
  'GET /settings': { data: OwnSettings };
  'PATCH /settings': { body: SettingsPatch; data: OwnSettings };
}
