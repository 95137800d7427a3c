import {
  ATTRIBUTE_TEXT_MAX_LENGTH,
  type Consent,
  EMAIL_MAX_LENGTH,
  PHONE,
  PHONE_MAX_LENGTH,
  type PreChatField,
  VISITOR_NAME_MAX_LENGTH,
} from 'server/contract';
import { el } from '../chat/dom-helpers.ts';
import type { PartTexts } from '../languages/en.ts';

const EMAIL = /^[^\s@]+@[^\s@.]+\.[^\s@]+$/;

/** What a form asks for: the site's fields, and the consent. */
export type Question = Omit<PreChatField, 'kind'> & {
  kind: PreChatField['kind'] | 'consent';
  url?: string | null;
};

/** The question for the visitor's consent. */
export const consentQuestion = ({ text, url }: Consent): Question => ({
  kind: 'consent',
  label: text,
  required: true,
  url,
});

export type Field = ReturnType<typeof drawField>;

/** Draws a question: a label with a place for the error. */
export function drawField(question: Question, texts: PartTexts) {
  const { kind, required, url } = question;
  const input = drawInput(question);
  const isBox = input.type === 'checkbox';
  const fault = el('span', 'fault', { role: 'alert' });
  const caption = el('span', 'caption', {}, el('bdi', '', {}, question.label || captionOf(kind, texts)));
  if (url) caption.append(' ', el('a', '', { href: url, target: '_blank', rel: 'noopener' }, texts.privacy));
  const node = el('label', isBox ? 'box' : '', {}, ...(isBox ? [input, caption] : [caption, input]), fault);
  input.required = required;
  const isTicked = () => isBox && (input as HTMLInputElement).checked;
  const value = () => (isBox ? isTicked() : input.value.trim());

  function faultOf(): string {
    const given = value();
    if (!given) return required ? missing(kind, texts) : '';
    if (kind === 'email' && !EMAIL.test(`${given}`)) return texts.emailWrong;
    return kind === 'phone' && !PHONE.test(`${given}`) ? texts.phoneWrong : '';
  }

  return {
    question,
    node,
    input,
    /** What was typed, as a draft. */
    typed: () => (isTicked() ? '1' : isBox ? '' : input.value),
    /** Shows what was typed, as `typed` gave it. */
    write(typed: string): void {
      if (isBox) (input as HTMLInputElement).checked = typed !== '';
      else if (input.value !== typed) input.value = typed;
    },
    /** Trimmed; of a checkbox whether it is ticked. */
    value,
    /** Shows what is wrong, or removes it. @returns whether nothing is */
    check(): boolean {
      const text = faultOf();
      fault.textContent = text;
      input.setAttribute('aria-invalid', `${text !== ''}`);
      return !text;
    },
  };
}

function drawInput({ kind, options = [] }: Question): HTMLInputElement | HTMLSelectElement {
  const line = (max: number, more = {}) => el('input', 'entry', { maxlength: `${max}`, dir: 'auto', ...more });
  switch (kind) {
    case 'name':
      return line(VISITOR_NAME_MAX_LENGTH, { autocomplete: 'name' });
    case 'email':
      return line(EMAIL_MAX_LENGTH, { type: 'email', autocomplete: 'email' });
    case 'phone':
      return line(PHONE_MAX_LENGTH, { type: 'tel', autocomplete: 'tel' });
    case 'text':
      return line(ATTRIBUTE_TEXT_MAX_LENGTH);
    case 'choice':
      return el('select', 'entry', {}, ...['', ...options].map((option) => el('option', '', {}, option)));
    default:
      return el('input', '', { type: 'checkbox' });
  }
}

function captionOf(kind: Question['kind'], texts: PartTexts): string {
  return kind === 'name' || kind === 'email' || kind === 'phone' ? texts[kind] : '';
}

function missing(kind: Question['kind'], texts: PartTexts): string {
  if (kind === 'name') return texts.nameMissing;
  if (kind === 'email') return texts.emailWrong;
  return kind === 'checkbox' || kind === 'consent' ? texts.tick : texts.missing;
}
