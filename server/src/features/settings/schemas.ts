import { confirmationIfNeeded, pictureField, profileSchema } from '#features/auth';
import { LANGUAGES, SESSION_TIMEOUT_HOURS } from '#features/auth/contract';
import { AUTO_AWAY_MINUTES } from '#features/presence/contract';
import { SITE_TEXT_MAX_LENGTH } from '#features/sites/contract';
import {
  choice,
  type Field,
  flag,
  type InputSchema,
  invalid,
  isId,
  JSON_SCHEMA,
  labelled,
  sentence,
  type TranslatableText,
  text,
  validate,
} from '#platform/http';
import {
  ACCOUNT_WIDGET_POSITIONS,
  BUTTON_TEXT_MAX_LENGTH,
  QUICK_REPLIES_MAX,
  SETTINGS_SECTIONS,
  type SettingsPatch,
  type SettingsSection,
} from './contract.ts';

const hexColour: Field = {
  optional: { options: { values: 'undefined' } },
  [JSON_SCHEMA]: { type: 'string', pattern: '^#[0-9a-fA-F]{6}$', maxLength: 7 },
  errorMessage: sentence('Colour must look like #3B82F6'),
  isString: { bail: true },
  matches: { options: /^#[0-9a-f]{6}$/i },
};

/** One of a few whole numbers. */
function oneOf(
  label: string,
  allowed: readonly number[],
  sayWhich: (values: { field: ReturnType<typeof labelled>; allowed: string }) => TranslatableText,
): Field {
  return {
    optional: { options: { values: 'undefined' } },
    [JSON_SCHEMA]: { type: 'integer' },
    custom: {
      options: (value: unknown) => allowed.some((each) => each === value),
      errorMessage: sayWhich({ field: labelled(label), allowed: allowed.join(', ') }),
    },
  };
}

/** The answer to quick replies that are too many, or no ids. */
export const QUICK_REPLIES_REFUSAL = sentence(
  'Quick replies must be up to {max} ids of canned replies, by the ids of their sites',
  { max: QUICK_REPLIES_MAX },
);

/** Ids of canned replies by ids of sites, null for none. Whether they exist, and are the user's to send, is asked when they are used. */
const repliesBySite: Field = {
  optional: { options: { values: 'undefined' } },
  [JSON_SCHEMA]: { type: 'object', maxProperties: QUICK_REPLIES_MAX },
  errorMessage: QUICK_REPLIES_REFUSAL,
  custom: {
    options: (value: unknown) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.entries(value).every(([site, reply]) => isId(site) && (reply === null || isId(reply))),
  },
};

/** The fields that each tab may have. */
const SECTION_RULES: Record<SettingsSection, InputSchema> = {
  account: profileSchema,
  widget: {
    title: text({ label: 'Title', max: SITE_TEXT_MAX_LENGTH, optional: true }),
    buttonText: text({ label: 'Button text', max: BUTTON_TEXT_MAX_LENGTH, optional: true }),
    position: choice('Position', ACCOUNT_WIDGET_POSITIONS),
    primaryColor: hexColour,
    logo: pictureField,
  },
  notifications: {
    emailNotifications: flag('Email notifications'),
    browserNotifications: flag('Browser notifications'),
    soundEnabled: flag('Sound'),
    answerByMail: flag('Answering by mail'),
  },
  security: {
    twoFactorEnabled: flag('Two-factor authentication'),
    sessionTimeout: oneOf('Session timeout', SESSION_TIMEOUT_HOURS, (values) =>
      sentence('{field} must be one of {allowed} hours', values),
    ),
    ...confirmationIfNeeded,
  },
  availability: {
    autoAwayMinutes: oneOf('Auto-away', AUTO_AWAY_MINUTES, (values) =>
      sentence('{field} must be one of {allowed} minutes', values),
    ),
  },
  keyboard: { singleKeyShortcuts: flag('Single-key shortcuts') },
  language: { language: choice('Language', ['auto', ...LANGUAGES]) },
  quickReplies: { bySite: repliesBySite },
};

/** More than any section has: unknown fields are then reported one by one, and not as too many. */
const SECTION_FIELDS_MAX = 50;

/** The outer form of a change; the fields that `data` may have depend on the section (`acceptSection`). */
export const settingsSchema: InputSchema = {
  section: { ...choice('Section', SETTINGS_SECTIONS), optional: false },
  data: {
    [JSON_SCHEMA]: { type: 'object', maxProperties: SECTION_FIELDS_MAX },
    errorMessage: sentence('data must hold the fields to change'),
    custom: { options: (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value) },
  },
};

/** Checks and cleans the fields of a change. @throws AppError 422 also for a field that the section does not have */
export async function acceptSection({ section, data }: SettingsPatch): Promise<SettingsPatch> {
  const rules = SECTION_RULES[section];
  const unknown = Object.keys(data).filter((name) => !Object.hasOwn(rules, name));
  if (unknown.length > 0)
    throw invalid(
      unknown.map((name) => ({ msg: sentence('{section} has no such setting', { section }), path: `data.${name}` })),
    );
  const within = Object.fromEntries(Object.entries(rules).map(([name, rule]) => [`data.${name}`, rule]));
  const accepted = await validate(within, { data });
  return { section, data: accepted.data ?? {} } as SettingsPatch;
}
