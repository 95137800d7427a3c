import {
  choice,
  converted,
  type Field,
  flag,
  type InputSchema,
  JSON_SCHEMA,
  sentence,
  text,
  whole,
} from '#platform/http';
import {
  AUTO_CLOSE_HOURS_MAX,
  PRE_CHAT_CHOICES,
  PRIVACY_URL_MAX_LENGTH,
  RETENTION_DAYS_MAX,
  SITE_NAME_MAX_LENGTH,
  SITE_TEXT_MAX_LENGTH,
} from './contract.ts';
import { FLOW_BUTTONS_JSON_SCHEMA, toButtons } from './flows/buttons.ts';
import { OFFICE_HOURS_JSON_SCHEMA, toOfficeHours } from './hours/officeHours.ts';
import {
  LAUNCHER_ICONS,
  LAUNCHER_OFFSET_MAX,
  LAUNCHER_PAGE_MAX_LENGTH,
  LAUNCHER_PAGES_MAX,
  LAUNCHER_SHAPES,
  LAUNCHER_TEXT_MAX_LENGTH,
} from './launcher/contract.ts';
import { WIDGET_LANGUAGES, type WidgetLanguage } from './texts/contract.ts';
import { SITE_TEXTS_JSON_SCHEMA, toSiteTexts } from './texts/translations.ts';
import { GREETINGS_JSON_SCHEMA, toGreetings } from './widget/greetings.ts';
import { DOMAIN_MAX_LENGTH, normalizeDomain } from './widget/origins.ts';
import { consentField, preChatFieldsField } from './widget/preChat.ts';

const ALLOWED_DOMAINS_MAX = 50;
/** Name, domain, switch, look and settings. */
const SITE_PARTS_MAX = 5;
const optionalRule = { options: { values: 'undefined' as const } };

const nameField = (optional: boolean) => text({ label: 'Site name', max: SITE_NAME_MAX_LENGTH, optional });

const DOMAIN_REQUIRED = sentence('Domain is required');
const NO_DOMAIN = sentence('Enter the domain without http:// or https://, like example.com');

const domainField = (optional: boolean): Field => ({
  ...(optional ? { optional: optionalRule } : {}),
  [JSON_SCHEMA]: { type: 'string', minLength: 1, maxLength: DOMAIN_MAX_LENGTH },
  errorMessage: NO_DOMAIN,
  isString: { bail: true, errorMessage: DOMAIN_REQUIRED },
  custom: {
    options: isDomain,
    bail: true,
    errorMessage: (value) => (String(value).trim() ? NO_DOMAIN : DOMAIN_REQUIRED),
  },
  customSanitizer: { options: toDomain },
});

const isDomain = (value: unknown) => typeof value === 'string' && normalizeDomain(value) !== null;
const toDomain = (value: unknown) => normalizeDomain(String(value)) ?? value;

const lookText = (label: string) => text({ label, max: SITE_TEXT_MAX_LENGTH, optional: true, blank: true });

const allowedDomains: Field = {
  optional: optionalRule,
  [JSON_SCHEMA]: {
    type: 'array',
    maxItems: ALLOWED_DOMAINS_MAX,
    items: { type: 'string', maxLength: DOMAIN_MAX_LENGTH },
  },
  errorMessage: sentence('Allowed domains must be a list of domains without http:// or https://'),
  custom: {
    options: (value: unknown) => Array.isArray(value) && value.length <= ALLOWED_DOMAINS_MAX && value.every(isDomain),
    bail: true,
  },
  customSanitizer: { options: (value: unknown) => (Array.isArray(value) ? value.map(toDomain) : value) },
};

/** The create form sends `{email, browser}`, the settings form a boolean. */
const notifications: Field = {
  optional: optionalRule,
  [JSON_SCHEMA]: { type: 'boolean' },
  custom: {
    options: (value: unknown) => typeof value === 'boolean' || isChannels(value),
    errorMessage: sentence('Notifications must be true or false'),
  },
};

function isChannels(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const hours: Field = {
  optional: optionalRule,
  [JSON_SCHEMA]: OFFICE_HOURS_JSON_SCHEMA,
  ...converted(toOfficeHours),
};

const greetings: Field = {
  optional: optionalRule,
  [JSON_SCHEMA]: GREETINGS_JSON_SCHEMA,
  ...converted(toGreetings),
};

const buttons: Field = {
  optional: optionalRule,
  [JSON_SCHEMA]: FLOW_BUTTONS_JSON_SCHEMA,
  ...converted(toButtons),
};

const partOf = (value: unknown) => String(value).replaceAll('\0', '').trim();
const isPart = (value: unknown) =>
  typeof value === 'string' && partOf(value) !== '' && value.length <= LAUNCHER_PAGE_MAX_LENGTH && value.isWellFormed();

/** Parts of addresses on which the launcher is not shown. */
const hideOn: Field = {
  optional: optionalRule,
  [JSON_SCHEMA]: {
    type: 'array',
    maxItems: LAUNCHER_PAGES_MAX,
    items: { type: 'string', maxLength: LAUNCHER_PAGE_MAX_LENGTH },
  },
  errorMessage: sentence('Pages without the launcher must be up to {max} parts of addresses', {
    max: LAUNCHER_PAGES_MAX,
  }),
  custom: {
    options: (value: unknown) => Array.isArray(value) && value.length <= LAUNCHER_PAGES_MAX && value.every(isPart),
    bail: true,
  },
  customSanitizer: {
    options: (value: unknown) => (Array.isArray(value) ? value.map(partOf) : value),
  },
};

/** A link shown to visitors; an empty text means none. */
const privacyUrl: Field = {
  optional: optionalRule,
  [JSON_SCHEMA]: { type: 'string', format: 'uri', maxLength: PRIVACY_URL_MAX_LENGTH },
  errorMessage: sentence('The privacy notice must be an address that begins with http:// or https://'),
  customSanitizer: { options: (value: unknown) => (typeof value === 'string' ? value.trim() || null : value) },
  custom: { options: (value: unknown) => value === null || isWebAddress(value) },
};

function isWebAddress(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > PRIVACY_URL_MAX_LENGTH) return false;
  return /^https?:\/\//i.test(value) && URL.canParse(value);
}

const mainLanguage: Field = {
  optional: optionalRule,
  [JSON_SCHEMA]: { type: 'string', enum: WIDGET_LANGUAGES, maxLength: 2 },
  errorMessage: sentence('The main language must be one of {allowed}', { allowed: WIDGET_LANGUAGES.join(', ') }),
  custom: { options: (value: unknown) => value === null || WIDGET_LANGUAGES.includes(value as WidgetLanguage) },
};

/** The site's texts in one more language. */
const translation: Field = {
  optional: optionalRule,
  [JSON_SCHEMA]: SITE_TEXTS_JSON_SCHEMA,
  ...converted(toSiteTexts),
};

const parts: InputSchema = {
  'customization.color': {
    optional: optionalRule,
    [JSON_SCHEMA]: { type: 'string', pattern: '^#[0-9a-fA-F]{6}$', maxLength: 7 },
    errorMessage: sentence('Colour must look like #0088ff'),
    isString: { bail: true },
    matches: { options: /^#[0-9a-f]{6}$/i },
    toLowerCase: true,
  },
  'customization.position': choice('Position', ['right', 'left']),
  'customization.navbarTitle': lookText('Navbar title'),
  'customization.welcomeMessage': lookText('Welcome message'),
  'customization.offlineMessage': lookText('Offline message'),
  'settings.autoAssign': flag('Auto-assign chats'),
  'settings.notifications': notifications,
  'settings.offlineMode': flag('Offline mode'),
  'settings.allowedDomains': allowedDomains,
  'settings.preChat': choice('Pre-chat form', PRE_CHAT_CHOICES),
  'settings.maskCards': flag('Mask card numbers'),
  'settings.retentionDays': whole('Days to keep chats', { optional: true, max: RETENTION_DAYS_MAX }),
  'settings.typingPreview': flag('What visitors are typing'),
  'settings.visitorPages': flag('Visitors now'),
  'settings.identityVerification': flag('Identity verification'),
  'settings.autoCloseHours': whole('Hours until a silent chat is closed', {
    optional: true,
    max: AUTO_CLOSE_HOURS_MAX,
  }),
  'settings.hours': hours,
  'settings.privacyUrl': privacyUrl,
  'settings.preChatFields': preChatFieldsField,
  'settings.consent': consentField,
  'settings.greetings': greetings,
  'settings.buttons': buttons,
  'settings.launcher.shape': choice('Shape', LAUNCHER_SHAPES),
  'settings.launcher.icon': choice('Icon', LAUNCHER_ICONS),
  'settings.launcher.text': text({ label: 'Text', max: LAUNCHER_TEXT_MAX_LENGTH, optional: true, blank: true }),
  'settings.launcher.side': whole('Distance from the side', { optional: true, max: LAUNCHER_OFFSET_MAX }),
  'settings.launcher.bottom': whole('Distance from below', { optional: true, max: LAUNCHER_OFFSET_MAX }),
  'settings.launcher.hideOnPhones': flag('Hidden on phones'),
  'settings.launcher.hideOffline': flag('Hidden while offline'),
  'settings.launcher.hideOn': hideOn,
  'settings.mainLanguage': mainLanguage,
  ...Object.fromEntries(WIDGET_LANGUAGES.map((language) => [`settings.translations.${language}`, translation])),
};

/** The complete site form. */
export const siteSchema: InputSchema = { name: nameField(false), domain: domainField(false), ...parts };

/** Any part of the site form, and the switch that turns the widget on or off. */
export const sitePatchSchema: InputSchema = {
  name: nameField(true),
  domain: domainField(true),
  widgetEnabled: flag('Widget enabled'),
  ...parts,
  base: {
    optional: optionalRule,
    [JSON_SCHEMA]: { type: 'object', maxProperties: SITE_PARTS_MAX },
    errorMessage: sentence('base must hold the values that the sent fields had before'),
    // Only compared with what is stored, so its parts need no rules.
    custom: { options: (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value) },
  },
};
