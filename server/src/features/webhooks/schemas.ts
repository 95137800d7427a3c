import { choice, type Field, flag, type InputSchema, JSON_SCHEMA, sentence, text } from '#platform/http';
import {
  BOT_TOKEN_MAX_LENGTH,
  TELEGRAM_CHAT_MAX_LENGTH,
  WEBHOOK_EVENTS,
  WEBHOOK_KINDS,
  WEBHOOK_URL_MAX_LENGTH,
  type WebhookEvent,
} from './contract.ts';

const optionalRule = { options: { values: 'undefined' as const } };
const EVENT_MAX_LENGTH = Math.max(...WEBHOOK_EVENTS.map((event) => event.length));

const url = (optional: boolean): Field => ({
  ...text({ label: 'Address', max: WEBHOOK_URL_MAX_LENGTH, optional }),
  [JSON_SCHEMA]: { type: 'string', format: 'uri', maxLength: WEBHOOK_URL_MAX_LENGTH },
});

const isEventList = (value: unknown): value is WebhookEvent[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= WEBHOOK_EVENTS.length &&
  value.every((event) => WEBHOOK_EVENTS.includes(event));

const events = (optional: boolean): Field => ({
  ...(optional ? { optional: optionalRule } : {}),
  [JSON_SCHEMA]: {
    type: 'array',
    maxItems: WEBHOOK_EVENTS.length,
    items: { type: 'string', enum: WEBHOOK_EVENTS, maxLength: EVENT_MAX_LENGTH },
  },
  errorMessage: sentence('Choose at least one event'),
  custom: { options: isEventList, bail: true },
  customSanitizer: {
    options: (value: unknown) => (isEventList(value) ? WEBHOOK_EVENTS.filter((event) => value.includes(event)) : value),
  },
});

const OF_TELEGRAM = {
  botToken: text({ label: 'Bot token', max: BOT_TOKEN_MAX_LENGTH, optional: true }),
  telegramChat: text({ label: 'Chat ID', max: TELEGRAM_CHAT_MAX_LENGTH, optional: true }),
};

export const webhookSchema: InputSchema = {
  kind: choice('kind', WEBHOOK_KINDS),
  url: url(false),
  events: events(false),
  ...OF_TELEGRAM,
};
export const webhookPatchSchema: InputSchema = {
  url: url(true),
  events: events(true),
  enabled: flag('enabled'),
  ...OF_TELEGRAM,
};
