import type { VisitorAnswers } from 'server/contract';
import type { FormKind, PartContext } from '../chat/context.ts';
import { addStyles, el, useDomHelpers } from '../chat/dom-helpers.ts';
import type { OutgoingMessage } from '../chat/storage.ts';
import fieldsCss from './fields.css';
import { consentQuestion, drawField, type Field, type Question } from './fields.ts';
import css from './form.css';

const NAMES = ['name', 'email'] as const;

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
    const { config } = store.state;
    const asks = kind === 'ask';
    const fields = questions(kind).map((question) => drawField(question, texts));
    const message = fields.find(({ question }) => question.kind === 'message')?.input;
    for (const { question, input } of fields) if (question.kind === 'email') input.value = store.state.email;
    const submit = el('button', 'primary', {}, asks ? texts.start : texts.leave);
    const title = el('h3', '', { id: 'form-title' }, asks ? texts.askTitle : texts.leaveTitle);
    const node = el('form', 'form', { novalidate: '', 'aria-labelledby': 'form-title' }, title);
    node.append(...fields.map((field) => field.node), el('div', 'actions', {}, submit));
    if (message) {
      node.addEventListener('show', () => {
        message.value = storage.read('draft');
      });
      message.addEventListener('input', () => storage.write('draft', message.value));
    }
    // A consent cannot be skipped.
    if (asks && config.preChat === 'optional' && !config.consent) node.lastElementChild?.append(skipButton());
    node.append(...privacyLink());

    node.addEventListener('submit', (event) => {
      event.preventDefault();
      const wrong = fields.filter((field) => !field.check());
      if (wrong.length > 0) return wrong[0]?.input.focus();
      const said = answersOf(fields);
      if (asks) introduce(said);
      else leave(`${message?.value.trim()}`, { name: '', email: '', ...said });
    });
    return node;
  }

  /** What the form asks for now: not what the server knows already, except that an answer by mail needs a name and an address. */
  function questions(kind: FormKind): Question[] {
    const { config, known } = store.state;
    const { preChat, preChatFields, consent } = config;
    const basic = (required: boolean) => NAMES.map((name): Question => ({ kind: name, label: '', required }));
    const own: Question[] = (preChatFields ?? basic(preChat === 'required')).filter(
      ({ kind, label }) => !known.includes(label || kind),
    );
    const agree = consent ? [consentQuestion(consent)] : [];
    if (kind === 'ask') return [...own, ...agree];
    const others = preChat === 'off' ? [] : own.filter(({ kind }) => kind !== 'name' && kind !== 'email');
    return [...basic(true), ...others, { kind: 'message', label: '', required: true }, ...agree];
  }

  function introduce(said: VisitorAnswers): void {
    storage.write('met', said.email || store.state.email ? 'mail' : 'asked');
    context.unsent.visitor = said;
    void context.live?.sendUpdate();
    goOn();
  }

  function leave(content: string, from: NonNullable<OutgoingMessage['from']>): void {
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

/** What the visitor typed, as the server takes it. */
function answersOf(fields: readonly Field[]): VisitorAnswers {
  const said: VisitorAnswers = {};
  const answers: NonNullable<VisitorAnswers['answers']> = {};
  for (const { question, value } of fields) {
    const { kind, label } = question;
    const given = value();
    if (given === '' || kind === 'message') continue;
    if (kind === 'name' || kind === 'email' || kind === 'phone') said[kind] = `${given}`;
    else if (kind === 'consent') said.consent = true;
    else answers[label] = given;
  }
  return Object.keys(answers).length > 0 ? { ...said, answers } : said;
}
