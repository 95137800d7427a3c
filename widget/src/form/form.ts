import { isComposing } from 'browser/isComposing';
import type { VisitorAnswers } from 'server/contract';
import type { FormKind, PartContext } from '../chat/context.ts';
import { addStyles, el, useDomHelpers } from '../chat/dom-helpers.ts';
import type { OutgoingMessage } from '../chat/storage.ts';
import fieldsCss from './fields.css';
import { consentQuestion, drawField, type Field, type Question } from './fields.ts';
import css from './form.css';

const NAMES = ['name', 'email'] as const;

/** The form above the composer. Its answers are drafts, and go with the message. */
export function start(context: PartContext) {
  const { host, panel, signal, store, storage, texts } = context;
  const { composer } = panel;
  useDomHelpers(host.dom);
  addStyles(host.root, fieldsCss + css);
  let wanted: FormKind | null = null;
  let shown: FormKind | null = null;
  let fields: Field[] = [];
  let form: HTMLFormElement | null = null;

  const keyOf = ({ question: { kind, label } }: Field) => `draft:form:${label || kind}` as const;

  /** Whether the visitor is in the form, or has typed in it: then it stays as it is, whatever changes, until it is sent. */
  function isInUse(): boolean {
    return !!form && (form.contains(host.root.activeElement) || fields.some((field) => storage.read(keyOf(field))));
  }

  function show(kind: FormKind | null): void {
    const isFree = kind === 'mail' || shown === 'mail';
    wanted = kind;
    if (kind !== shown && !isInUse()) draw(kind);
    if (!isFree) composer.ask = form && answer;
    // The message goes with the answers.
    if (shown === 'leave') showField();
    composer.render();
  }

  function draw(kind: FormKind | null): void {
    form?.remove();
    form = null;
    shown = kind;
    fields = kind ? questions(kind).map((question) => drawField(question, texts)) : [];
    if (!kind) return;
    const title = el('h3', '', { id: 'form-title' }, kind === 'leave' ? texts.leaveTitle : texts.askTitle);
    form = el('form', 'form', { novalidate: '', 'aria-labelledby': 'form-title' }, title);
    form.append(...fields.map(({ node }) => node), ...(kind === 'leave' ? [] : [actions(kind)]), ...privacyLink());
    for (const field of fields) {
      const key = keyOf(field);
      field.write(storage.read(key) || (field.question.kind === 'email' ? store.state.email : ''));
      field.input.addEventListener('input', () => storage.write(key, field.typed()));
    }
    form.addEventListener('submit', submit);
    form.addEventListener('keydown', (event) => {
      // A form without a button is not sent by Enter.
      if (event.key === 'Enter' && shown === 'leave' && !isComposing(event)) submit(event);
    });
    composer.node.before(form);
  }

  function submit(event: Event): void {
    event.preventDefault();
    if (shown !== 'leave') {
      if (introduce()) store.set({});
    } else if (composer.input.value) composer.send();
    else composer.focus();
  }

  /** Another tab has typed in the form, or has sent it. */
  function follow(key: string): void {
    for (const field of fields) if (key === keyOf(field)) field.write(storage.read(key));
  }

  /** What the form asks for now: not what the server knows already, except that an answer by mail needs a name and an address. */
  function questions(kind: FormKind): Question[] {
    const { config, answered } = store.state;
    const { preChat, preChatFields, consent } = config;
    const basic = (required: boolean) => NAMES.map((name): Question => ({ kind: name, label: '', required }));
    const own: Question[] = (preChatFields ?? basic(preChat === 'required')).filter(
      ({ kind, label }) => !answered.includes(label || kind),
    );
    const agree = consent ? [consentQuestion(consent)] : [];
    if (kind === 'mail') return [{ kind: 'email', label: '', required: true }, ...agree];
    if (kind === 'ask') return [...own, ...agree];
    const others = preChat === 'off' ? [] : own.filter(({ kind }) => kind !== 'name' && kind !== 'email');
    return [...basic(true), ...others, ...agree];
  }

  /** The answers, if nothing is wrong or missing. A form that is no longer needed gives what is right in it. */
  function answers(): VisitorAnswers | null {
    const wrong = fields.filter((field) => !field.check());
    if (!wanted || !wrong.length) return answersOf(fields.filter((field) => !wrong.includes(field)));
    wrong[0]?.input.focus();
    return null;
  }

  function showField(): void {
    composer.node.hidden = !!store.state.taps && !composer.isInUse();
  }

  /** Takes the form away: it is sent. */
  function end(): void {
    const isLeft = form?.contains(host.root.activeElement);
    composer.ask = null;
    showField();
    // Before the form goes, so that a phone keeps its keyboard.
    if (isLeft) composer.focus();
    composer.fit();
    for (const field of fields) storage.write(keyOf(field), '');
    draw(null);
  }

  /** Tells who the visitor is. @returns whether it could */
  function introduce(): boolean {
    const filled = answers();
    if (!filled) return false;
    storage.write('met', filled.email || store.state.email ? 'mail' : 'asked');
    context.unsent.visitor = filled;
    void context.live?.sendUpdate();
    end();
    return true;
  }

  /** The answers of a form above a message that is about to be sent; see `Composer`. */
  function answer(): OutgoingMessage['from'] | null {
    if (wanted !== 'leave' || shown !== 'leave') {
      if (!introduce()) return null;
      // The team has left meanwhile, and needs an address to answer to.
      if (wanted !== 'leave' || storage.read('met') === 'mail') return undefined;
      panel.render();
      return null;
    }
    const filled = answers();
    if (!filled) return null;
    end();
    composer.say(store.state.config.mail ? texts.left : texts.leftHere);
    return { name: '', email: '', ...filled };
  }

  function actions(kind: FormKind): HTMLElement {
    const { config } = store.state;
    const skip = el('button', 'link', { type: 'button' }, texts.skip);
    skip.addEventListener('click', () => {
      if (kind === 'ask') storage.write('met', 'asked');
      end();
      store.set({});
    });
    const start = el('button', 'primary', {}, texts.start);
    // A consent cannot be skipped.
    const isOptional = kind === 'mail' || (config.preChat === 'optional' && !config.consent);
    return el('div', 'actions', {}, start, ...(isOptional ? [skip] : []));
  }

  function privacyLink(): HTMLElement[] {
    const { privacyUrl: href } = store.state.config;
    return href ? [el('a', 'privacy', { href, target: '_blank', rel: 'noopener' }, texts.privacy)] : [];
  }

  storage.watch(follow, signal);
  return { show };
}

/** What the visitor typed, as the server takes it. */
function answersOf(fields: readonly Field[]): VisitorAnswers {
  const filled: VisitorAnswers = {};
  const answers: NonNullable<VisitorAnswers['answers']> = {};
  for (const { question, value } of fields) {
    const { kind, label } = question;
    const given = value();
    if (given === '') continue;
    if (kind === 'name' || kind === 'email' || kind === 'phone') filled[kind] = `${given}`;
    else if (kind === 'consent') filled.consent = true;
    else answers[label] = given;
  }
  return Object.keys(answers).length > 0 ? { ...filled, answers } : filled;
}
