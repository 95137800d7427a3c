import type { ParamSchema } from 'express-validator';
import type { Rules } from '../http/accept.ts';
import { choice, flag, text } from '../http/fields.ts';
import { SITE_NAME_MAX_LENGTH, SITE_TEXT_MAX_LENGTH } from './contract.ts';
import { normalizeDomain } from './domain.ts';

const ALLOWED_DOMAINS_MAX = 50;
const optionalRule = { options: { values: 'undefined' as const } };

const nameField = (optional: boolean) => text({ label: 'Site name', max: SITE_NAME_MAX_LENGTH, optional });

const domainField = (optional: boolean): ParamSchema => ({
  ...(optional ? { optional: optionalRule } : {}),
  isString: { bail: true, errorMessage: 'Domain is required' },
  custom: { options: checkDomain, bail: true },
  customSanitizer: { options: toDomain },
});

function checkDomain(value: string): true {
  if (value.trim() === '') throw new Error('Domain is required');
  if (normalizeDomain(value) === null)
    throw new Error('Enter the domain without http:// or https://, like example.com');
  return true;
}

const isDomain = (value: unknown) => typeof value === 'string' && normalizeDomain(value) !== null;
const toDomain = (value: unknown) => normalizeDomain(String(value)) ?? value;

const lookText = (label: string) => text({ label, max: SITE_TEXT_MAX_LENGTH, optional: true, blank: true });

const allowedDomains: ParamSchema = {
  optional: optionalRule,
  custom: {
    options: (value: unknown) => Array.isArray(value) && value.length <= ALLOWED_DOMAINS_MAX && value.every(isDomain),
    errorMessage: 'Allowed domains must be a list of domains without http:// or https://',
    bail: true,
  },
  customSanitizer: { options: (value: unknown) => (Array.isArray(value) ? value.map(toDomain) : value) },
};

/** The create form sends `{email, browser}`, the settings form a boolean. */
const notifications: ParamSchema = {
  optional: optionalRule,
  custom: {
    options: (value: unknown) => typeof value === 'boolean' || isChannels(value),
    errorMessage: 'Notifications must be true or false',
  },
};

function isChannels(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const parts: Rules = {
  'customization.color': {
    optional: optionalRule,
    isString: { bail: true, errorMessage: 'Colour must look like #0088ff' },
    matches: { options: /^#[0-9a-f]{6}$/i, errorMessage: 'Colour must look like #0088ff' },
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
};

/** The site form, whole. */
export const siteRules: Rules = { name: nameField(false), domain: domainField(false), ...parts };

/** Any part of the site form, or the widget switch. */
export const sitePatchRules: Rules = {
  name: nameField(true),
  domain: domainField(true),
  widgetEnabled: flag('Widget enabled'),
  ...parts,
};
