import { ID_JSON_SCHEMA, InvalidValue, isId, type JsonSchema, sentence } from '#platform/http';
import type { SiteDoc } from '../model.ts';
import { PART_ID, PART_ID_MAX_LENGTH } from '../widget/greetings.ts';
import {
  FLOW_BUTTONS_MAX,
  FLOW_LABEL_MAX_LENGTH,
  FLOW_LEVELS_MAX,
  FLOW_QUESTION_MAX_LENGTH,
  FLOW_TOTAL_MAX,
  FLOW_URL_MAX_LENGTH,
  type FlowButton,
  type FlowTarget,
} from './contract.ts';

const OBJECT_MAX_PROPERTIES = 5;
const KINDS = ['chat', 'article', 'department', 'link', 'question'] as const satisfies FlowTarget['kind'][];
const KIND_MAX_LENGTH = 10;
/** Addresses that a tap may open. With any other, such as `javascript:`, a page would run what the owner of a button wrote. */
const ADDRESS = /^(https?|mailto|tel):/i;

/** The buttons that a form may send, down to the deepest level. */
export const FLOW_BUTTONS_JSON_SCHEMA: JsonSchema = levelSchema(FLOW_LEVELS_MAX);

function levelSchema(levels: number): JsonSchema {
  const target = {
    kind: { type: 'string', enum: KINDS, maxLength: KIND_MAX_LENGTH },
    article: ID_JSON_SCHEMA,
    department: ID_JSON_SCHEMA,
    url: { type: 'string', maxLength: FLOW_URL_MAX_LENGTH, format: 'uri' },
    ...(levels > 1 && {
      question: { type: 'string', minLength: 1, maxLength: FLOW_QUESTION_MAX_LENGTH },
      buttons: levelSchema(levels - 1),
    }),
  } satisfies Record<string, JsonSchema>;
  return {
    type: 'array',
    maxItems: FLOW_BUTTONS_MAX,
    items: {
      type: 'object',
      maxProperties: OBJECT_MAX_PROPERTIES,
      properties: {
        id: { type: 'string', pattern: PART_ID.source, maxLength: PART_ID_MAX_LENGTH },
        label: { type: 'string', minLength: 1, maxLength: FLOW_LABEL_MAX_LENGTH },
        target: { type: 'object', maxProperties: OBJECT_MAX_PROPERTIES, properties: target },
      },
    },
  };
}

/** The buttons of a site. Sites from before there were buttons have none. */
export function buttonsOf({ settings }: Pick<SiteDoc, 'settings'>): FlowButton[] {
  return settings.buttons ?? [];
}

/**
 * Converts buttons from a form to the stored form.
 * @throws InvalidValue when they are invalid
 */
export function toButtons(value: unknown): FlowButton[] {
  return toLevel(value, FLOW_LEVELS_MAX, new Set());
}

/** @param levels how many there may be, with this one @param ids those of the buttons before, to which its own are added */
function toLevel(value: unknown, levels: number, ids: Set<string>): FlowButton[] {
  if (!Array.isArray(value) || value.length > FLOW_BUTTONS_MAX)
    throw new InvalidValue(sentence('There can be up to {max} buttons at a time', { max: FLOW_BUTTONS_MAX }));
  const buttons = value.map((each) => toButton(each, levels, ids));
  if (new Set(buttons.map(({ label }) => label)).size < buttons.length)
    throw new InvalidValue(sentence('Two buttons beside each other have the same text'));
  return buttons;
}

function toButton(value: unknown, levels: number, ids: Set<string>): FlowButton {
  const { id, label, target } = fieldsOf(value);
  if (typeof id !== 'string' || !PART_ID.test(id) || ids.has(id))
    throw new InvalidValue(sentence('Each button needs an id of its own, of 8 to 36 hexadecimal digits'));
  ids.add(id);
  if (ids.size > FLOW_TOTAL_MAX)
    throw new InvalidValue(sentence('A website can have up to {max} buttons in all', { max: FLOW_TOTAL_MAX }));
  const text = line(label);
  if (!text || text.length > FLOW_LABEL_MAX_LENGTH)
    throw new InvalidValue(sentence('A button needs a text of up to {max} characters', { max: FLOW_LABEL_MAX_LENGTH }));
  return { id, label: text, target: toTarget(fieldsOf(target), levels, ids) };
}

function toTarget(target: Record<string, unknown>, levels: number, ids: Set<string>): FlowTarget {
  const { article, department } = target;
  switch (target.kind) {
    case 'chat':
      return { kind: 'chat' };
    case 'article':
      if (!isId(article)) throw new InvalidValue(sentence('Choose the article that a button opens'));
      return { kind: 'article', article: article.toLowerCase() };
    case 'department':
      if (!isId(department)) throw new InvalidValue(sentence('Choose the department that a button leads to'));
      return { kind: 'department', department: department.toLowerCase() };
    case 'link':
      return { kind: 'link', url: toAddress(target.url) };
    case 'question':
      return toQuestion(target, levels, ids);
    default:
      throw new InvalidValue(sentence('Where a button leads must be one of {allowed}', { allowed: KINDS.join(', ') }));
  }
}

function toAddress(value: unknown): string {
  const url = line(value) ?? '';
  if (!ADDRESS.test(url) || !URL.canParse(url) || url.length > FLOW_URL_MAX_LENGTH)
    throw new InvalidValue(
      sentence('A link must be an address of up to {max} characters that begins with https:, http:, mailto: or tel:', {
        max: FLOW_URL_MAX_LENGTH,
      }),
    );
  return url;
}

function toQuestion({ question, buttons }: Record<string, unknown>, levels: number, ids: Set<string>): FlowTarget {
  if (levels <= 1) throw new InvalidValue(sentence('Buttons can have up to {max} levels', { max: FLOW_LEVELS_MAX }));
  const text = line(question);
  if (!text || text.length > FLOW_QUESTION_MAX_LENGTH)
    throw new InvalidValue(
      sentence('A question needs a text of up to {max} characters', { max: FLOW_QUESTION_MAX_LENGTH }),
    );
  const next = toLevel(buttons, levels - 1, ids);
  if (next.length === 0) throw new InvalidValue(sentence('A question needs at least one button'));
  return { kind: 'question', question: text, buttons: next };
}

const fieldsOf = (value: unknown) => Object(value) as Record<string, unknown>;

/** A text in one line, without what no store keeps; null: not a text. */
function line(value: unknown): string | null {
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed().replace(/\s+/g, ' ').trim() : null;
}
