import { uuid } from 'browser/uuid';
import {
  type Consent,
  PRE_CHAT_FIELDS_MAX,
  type PreChat,
  type PreChatField,
  type PreChatFieldKind,
} from 'server/contract';
import { msg, t } from '../../../lib/i18n.ts';

export const KIND_NAMES: Record<PreChatFieldKind, string> = {
  name: msg('Name'),
  email: msg('Email'),
  phone: msg('Phone'),
  text: msg('Text'),
  choice: msg('Choice'),
  checkbox: msg('Checkbox'),
};

/** What the buttons that add a field are called. */
export const ADD_KIND: Record<PreChatFieldKind, string> = {
  name: msg('Add name'),
  email: msg('Add email'),
  phone: msg('Add phone'),
  text: msg('Add text'),
  choice: msg('Add choice'),
  checkbox: msg('Add checkbox'),
};

/** The fields that need no label: the widget has one in the visitor's language. */
export function isNamed({ kind }: PreChatField): boolean {
  return kind === 'name' || kind === 'email' || kind === 'phone';
}

/** The fields of a form: a site that has chosen none asks for name and email. */
export function fieldsOf(chosen: PreChatField[], preChat: PreChat): PreChatField[] {
  if (chosen.length > 0) return chosen;
  const required = preChat === 'required';
  return [
    { kind: 'name', label: '', required },
    { kind: 'email', label: '', required },
  ];
}

/** The kinds that can be added: name, email and phone once. */
export function kindsToAdd(fields: PreChatField[]): PreChatFieldKind[] {
  if (fields.length >= PRE_CHAT_FIELDS_MAX) return [];
  const kinds = Object.keys(KIND_NAMES) as PreChatFieldKind[];
  return kinds.filter((kind) => !fields.some((field) => isNamed(field) && field.kind === kind));
}

export function newField(kind: PreChatFieldKind): PreChatField {
  return { id: uuid(), kind, label: '', required: false, ...(kind === 'choice' && { options: [] }) };
}

export function fieldName({ kind, label }: PreChatField): string {
  return label.trim() || t(KIND_NAMES[kind]);
}

export function moved(fields: PreChatField[], from: number, to: number): PreChatField[] {
  const [field] = fields.slice(from, from + 1);
  const others = fields.toSpliced(from, 1);
  return field ? others.toSpliced(to, 0, field) : fields;
}

/** What is wrong with the fields, in a sentence; null: nothing. */
export function fieldsProblem(fields: PreChatField[]): string | null {
  const names = fields.map((field) => fieldName(field).toLowerCase());
  if (fields.some((field) => !isNamed(field) && field.label.trim() === ''))
    return t('Each field of your own needs a name');
  if (new Set(names).size < names.length) return t('Two fields have the same name');
  const poor = fields.find(({ kind, options = [] }) => kind === 'choice' && new Set(filled(options)).size < 2);
  return poor ? t('“{name}” needs at least two different answers', { name: poor.label.trim() }) : null;
}

/** What is wrong with the consent, in a sentence; null: nothing. */
export function consentProblem(consent: Consent | null): string | null {
  if (consent === null) return null;
  if (consent.text.trim() === '') return t('Write what visitors agree to');
  const url = consent.url?.trim() ?? '';
  return url === '' || (/^https:\/\//i.test(url) && URL.canParse(url))
    ? null
    : t('The link must be an address that begins with https://');
}

/** As it is sent: an editor's empty lines are no answers. */
export function tidyFields(fields: PreChatField[]): PreChatField[] {
  return fields.map(({ options, ...field }) => ({
    ...field,
    label: field.label.trim(),
    ...(options && { options: filled(options) }),
  }));
}

/** As it is sent. */
export function tidyConsent(consent: Consent | null): Consent | null {
  return consent && { text: consent.text.trim(), url: consent.url?.trim() || null };
}

function filled(options: string[]): string[] {
  return options.map((option) => option.trim()).filter(Boolean);
}
