import { EMAIL_MAX_LENGTH, MESSAGE_MAX_LENGTH, VISITOR_NAME_MAX_LENGTH } from 'server/contract';
import type { FormKind, PartContext } from '../chat/context.ts';
import { addStyles, el, useDomHelpers } from '../chat/dom-helpers.ts';
import fieldsCss from './fields.css';
import css from './form.css';

const EMAIL = /^[^\s@]+@[^\s@.]+\.[^\s@]+$/;

/** The forms that stand in place of the composer. */
export function start(context: PartContext) {
  const { host, panel, store, storage, outbox, texts } = context;
  useDomHelpers(host.dom);
  addStyles(host.root, fieldsCss + css);
  let shown: FormKind | null = null;
  let form: HTMLFormElement | null = null;

  /** Kept until they are sent, because the team's availability, and so the form, may change while the visitor writes. */
  const drawn = new Map<FormKind, HTMLFormElement>();

  function show(kind: FormKind | null): void {
    if (kind === shown) return;
    const held = form?.contains(host.root.activeElement);
    // The composer and the form's message share one draft.
    if (shown === 'leave') panel.composer.prefill(storage.read('draft'));
    shown = kind;
    form?.remove();
    form = kind && (drawn.get(kind) ?? draw(kind));
    if (kind && form) drawn.set(kind, form);
    form?.dispatchEvent(new Event('show'));
    if (form) panel.composer.node.before(form);
    else if (held) panel.composer.focus();
  }

  function draw(kind: FormKind): HTMLFormElement {
    const asks = kind === 'ask';
    const optional = asks && store.state.config.preChat === 'optional';
    const name = field('input', texts.name, { autocomplete: 'name', maxlength: `${VISITOR_NAME_MAX_LENGTH}` });
    const email = field('input', texts.email, {
      type: 'email',
      autocomplete: 'email',
      maxlength: `${EMAIL_MAX_LENGTH}`,
    });
    const message = field('textarea', texts.message, { rows: '2', dir: 'auto', maxlength: `${MESSAGE_MAX_LENGTH}` });
    const fields = asks ? [name, email] : [name, email, message];
    const submit = el('button', 'primary', {}, asks ? texts.start : texts.leave);
    const title = el('h3', '', { id: 'form-title' }, asks ? texts.askTitle : texts.leaveTitle);
    const node = el('form', 'form', { novalidate: '', 'aria-labelledby': 'form-title' }, title);
    node.append(...fields.map(({ label }) => label), el('div', 'actions', {}, submit));
    node.addEventListener('show', () => {
      message.input.value = storage.read('draft');
    });
    message.input.addEventListener('input', () => storage.write('draft', message.input.value));
    if (optional) node.lastElementChild?.append(skipButton());
    node.append(...privacyLink());

    node.addEventListener('submit', (event) => {
      event.preventDefault();
      const values = { name: name.input.value.trim(), email: email.input.value.trim() };
      const content = message.input.value.trim();
      const given = !optional || values.email !== '';
      const holds = [
        name.check(optional || values.name ? '' : texts.nameMissing),
        email.check(!given || EMAIL.test(values.email) ? '' : texts.emailWrong),
        message.check(asks || content ? '' : texts.messageMissing),
      ];
      if (holds.includes(false)) return fields[holds.indexOf(false)]?.input.focus();
      if (asks) introduce(values);
      else leave(content, values);
    });
    return node;
  }

  function introduce({ name, email }: { name: string; email: string }): void {
    storage.write('met', email ? 'mail' : 'asked');
    const visitor = { ...(name && { name }), ...(email && { email }) };
    context.unsent.visitor = visitor;
    void context.live?.sendUpdate();
    goOn();
  }

  function leave(content: string, from: { name: string; email: string }): void {
    panel.composer.prefill('');
    panel.composer.say(store.state.config.mail ? texts.left : texts.leftHere);
    outbox.add(content, from);
    drawn.clear();
    goOn();
  }

  function goOn(): void {
    panel.render();
    panel.composer.focus();
  }

  function skipButton(): HTMLElement {
    const skip = el('button', 'link', { type: 'button' }, texts.skip);
    skip.addEventListener('click', () => {
      storage.write('met', 'asked');
      goOn();
    });
    return skip;
  }

  function privacyLink(): HTMLElement[] {
    const { privacyUrl: href } = store.state.config;
    return href ? [el('a', 'privacy', { href, target: '_blank', rel: 'noopener' }, texts.privacy)] : [];
  }

  return { show };
}

/** A field with a label and a place for its error. */
function field<Tag extends 'input' | 'textarea'>(tag: Tag, name: string, attributes: Record<string, string>) {
  const input: HTMLInputElement | HTMLTextAreaElement = el(tag, 'entry', attributes);
  const fault = el('span', 'fault', { role: 'alert' });
  const label = el('label', '', {}, name, input, fault);
  return {
    input,
    label,
    /** Shows the error; '' removes it. @returns whether there is none */
    check(text: string): boolean {
      fault.textContent = text;
      input.setAttribute('aria-invalid', `${text !== ''}`);
      return text === '';
    },
  };
}
