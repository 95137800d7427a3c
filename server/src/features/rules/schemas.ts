import { TAG_MAX_LENGTH } from '#features/chats/contract';
import {
  choice,
  converted,
  type Field,
  flag,
  ID_JSON_SCHEMA,
  type InputSchema,
  idField,
  isId,
  JSON_SCHEMA,
  type JsonSchema,
  pageFields,
  sentence,
  text,
  whole,
} from '#platform/http';
import {
  RULE_ACTIONS_MAX,
  RULE_CHOICES_MAX,
  RULE_EVENTS,
  RULE_MINUTES_MAX,
  RULE_NAME_MAX_LENGTH,
  RULE_TEXT_MAX_LENGTH,
  RULES_MAX,
} from './contract.ts';
import { SCORE_MAX, toActions, toConditions } from './parts.ts';

const optional = { options: { values: 'undefined' } } as const;
const aText: JsonSchema = { type: 'string', minLength: 1, maxLength: RULE_TEXT_MAX_LENGTH };
const minutes: JsonSchema = { type: 'integer', minimum: 1, maximum: RULE_MINUTES_MAX };
const listOf = (items: JsonSchema, maxItems = RULE_CHOICES_MAX): JsonSchema => ({ type: 'array', maxItems, items });

const CONDITIONS_JSON_SCHEMA: JsonSchema = {
  type: 'object',
  maxProperties: 10,
  properties: {
    page: aText,
    languages: listOf({ type: 'string', maxLength: 3, pattern: '^[a-z]{2,3}$' }),
    departments: listOf({ type: 'string', maxLength: 24, pattern: '^([0-9a-fA-F]{24}|none)$' }),
    attribute: { type: 'object', maxProperties: 5, properties: { name: aText, value: aText } },
    hours: { type: 'string', enum: ['open', 'closed'], maxLength: 6 },
    words: listOf(aText),
    score: { type: 'integer', minimum: 1, maximum: SCORE_MAX },
  },
};

const ACTION_JSON_SCHEMA: JsonSchema = {
  type: 'object',
  maxProperties: 10,
  properties: {
    do: {
      type: 'string',
      enum: ['department', 'tag', 'assign', 'snooze', 'mail', 'webhook', 'reply'],
      maxLength: 10,
    },
    department: ID_JSON_SCHEMA,
    tag: { type: 'string', minLength: 1, maxLength: TAG_MAX_LENGTH },
    member: ID_JSON_SCHEMA,
    minutes,
    members: listOf(ID_JSON_SCHEMA),
    webhook: ID_JSON_SCHEMA,
    reply: ID_JSON_SCHEMA,
  },
};

const isMinutes = (value: unknown) =>
  value === null || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= RULE_MINUTES_MAX);
const others: InputSchema = {
  enabled: flag('enabled'),
  minutes: {
    optional,
    [JSON_SCHEMA]: minutes,
    errorMessage: sentence('{field} must be a whole number from {min} to {max}', {
      field: 'minutes',
      min: 1,
      max: RULE_MINUTES_MAX,
    }),
    custom: { options: isMinutes },
  },
  conditions: { optional, [JSON_SCHEMA]: CONDITIONS_JSON_SCHEMA, ...converted(toConditions) },
};
const nameField = { label: 'Name', max: RULE_NAME_MAX_LENGTH };
const { optional: _, ...event } = choice('event', RULE_EVENTS);
const actions: Field = { [JSON_SCHEMA]: listOf(ACTION_JSON_SCHEMA, RULE_ACTIONS_MAX), ...converted(toActions) };

/** A new rule. */
export const ruleSchema: InputSchema = { name: text(nameField), event, ...others, actions };

/** Any fields of a rule, and the version that was changed. */
export const rulePatchSchema: InputSchema = {
  name: text({ ...nameField, optional: true }),
  event: choice('event', RULE_EVENTS),
  ...others,
  actions: { optional, ...actions },
  rev: whole('rev'),
};

/** The order of rules. */
export const ruleOrderSchema: InputSchema = {
  ids: {
    [JSON_SCHEMA]: listOf(ID_JSON_SCHEMA, RULES_MAX),
    errorMessage: sentence('{field} must be a list of up to {max} ids', { field: 'ids', max: RULES_MAX }),
    custom: { options: (value: unknown) => Array.isArray(value) && value.length <= RULES_MAX && value.every(isId) },
  },
};

/** A page of the log. */
export const ruleRunsSchema: InputSchema = { ...pageFields, rule: idField('rule', { optional: true }) };
