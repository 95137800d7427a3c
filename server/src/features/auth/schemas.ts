import { type Field, type InputSchema, JSON_SCHEMA, sentence, text } from '#platform/http';
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH } from './contract.ts';
import { pictureField } from './pictures.ts';

/** More than bcrypt's 72 bytes, so that a password that is too long gets the message about bytes. */
const PASSWORD_FIELD_MAX_LENGTH = 200;
const TOKEN_FIELD_MAX_LENGTH = 100;
/** A signed token with an e-mail address in it. */
const EMAIL_LINK_MAX_LENGTH = 1_000;
/** Long enough for a code typed with any separators. */
const CODE_FIELD_MAX_LENGTH = 60;

/** At least 32 characters, so that it cannot be guessed. */
const DEVICE_TOKEN = /^[\w-]{32,100}$/;
const DEVICE_TOKEN_MAX_LENGTH = 100;

/** The token of a browser that is to be recognised. */
export const deviceSchema: InputSchema = {
  deviceToken: {
    ...text({ label: 'Device token', max: DEVICE_TOKEN_MAX_LENGTH, optional: true }),
    matches: {
      options: DEVICE_TOKEN,
      errorMessage: sentence('Device token must be 32 to 100 letters, digits, - and _'),
    },
  },
};

const password = (label: string) => text({ label, max: PASSWORD_FIELD_MAX_LENGTH, raw: true });

/** A well-formed e-mail address, trimmed and lower-cased. */
export function emailField({ optional = false } = {}): Field {
  return {
    ...text({ label: 'Email', max: EMAIL_MAX_LENGTH, optional }),
    [JSON_SCHEMA]: { type: 'string', format: 'email', maxLength: EMAIL_MAX_LENGTH },
    isEmail: {
      options: { allow_utf8_local_part: true },
      errorMessage: sentence('Please enter a valid email address'),
    },
    toLowerCase: true,
  };
}

/** What allows newcomers to have an account. */
export const signupSchema: InputSchema = {
  invite: text({ label: 'Invite', max: TOKEN_FIELD_MAX_LENGTH, optional: true }),
  foundingCode: text({ label: 'Founding code', max: CODE_FIELD_MAX_LENGTH, optional: true, blank: true }),
};

export const registerSchema: InputSchema = {
  name: text({ label: 'Name', max: NAME_MAX_LENGTH }),
  email: emailField(),
  password: password('Password'),
  confirmPassword: password('Confirm password'),
  ...signupSchema,
  ...deviceSchema,
};

/** A code of six digits; blanks between them are allowed, since apps show them so. */
export function codeField({ optional = false } = {}): Field {
  return text({ label: 'Code', max: CODE_FIELD_MAX_LENGTH, optional });
}

/** The second step, for accounts that have one. */
export const secondStepSchema: InputSchema = {
  code: codeField({ optional: true }),
  recoveryCode: text({ label: 'Recovery code', max: CODE_FIELD_MAX_LENGTH, optional: true }),
};

/** A malformed e-mail is no error at log-in: it is answered like any address without an account. */
const loginEmail: Field = { ...text({ label: 'Email', max: EMAIL_MAX_LENGTH }), toLowerCase: true };

export const loginSchema: InputSchema = {
  email: loginEmail,
  password: password('Password'),
  ...secondStepSchema,
  ...deviceSchema,
};

export const forgotSchema: InputSchema = { email: loginEmail };

export const confirmEmailSchema: InputSchema = { token: text({ label: 'The link', max: EMAIL_LINK_MAX_LENGTH }) };

export const resetSchema: InputSchema = {
  token: text({ label: 'The link', max: TOKEN_FIELD_MAX_LENGTH }),
  newPassword: password('New password'),
  ...deviceSchema,
};

/** Asks a signed-in user for the password again; `confirmPassword` refuses a missing one of an account that has one. */
export const currentPasswordSchema: InputSchema = {
  currentPassword: { ...password('Current password'), optional: { options: { values: 'undefined' } } },
};

/** The confirmation in forms where only some changes require it; the actions check which. */
export const confirmationIfNeeded: InputSchema = {
  ...currentPasswordSchema,
  ...secondStepSchema,
};

export const profileSchema: InputSchema = {
  name: text({ label: 'Name', max: NAME_MAX_LENGTH, optional: true }),
  email: emailField({ optional: true }),
  avatar: pictureField,
  ...confirmationIfNeeded,
};

/** Asks for the second step, too. */
export const confirmationSchema: InputSchema = { ...currentPasswordSchema, ...secondStepSchema };

export const passwordSchema: InputSchema = {
  ...confirmationSchema,
  newPassword: password('New password'),
};
