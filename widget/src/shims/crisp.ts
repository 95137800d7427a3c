import type { ParleyMessage } from '../parley.d.ts';
import {
  call,
  callbackOf,
  createWarning,
  entryOf,
  followConversation,
  identify,
  isOnline,
  isOpen,
  on,
  reportEvent,
  setAttributes,
  textOf,
} from './parley.ts';

type Listener = (detail?: unknown) => void;
type Actions = Record<string, (values: unknown[]) => void>;
type Crisp = unknown[] & Record<string, unknown>;

declare global {
  interface Window {
    $crisp?: unknown[];
    CRISP_READY_TRIGGER?: () => void;
    CRISP_RUNTIME_CONFIG?: { locale?: string };
  }
}

const EVENTS = [
  'session:loaded',
  'chat:initiated',
  'chat:opened',
  'chat:closed',
  'message:sent',
  'message:received',
  'website:availability:changed',
];

/** The basics of Crisp's `$crisp`, for pages that have calls to it. */
function start(): void {
  const warn = createWarning('$crisp');
  const conversation = followConversation();
  const listeners = new Map<string, Listener>();
  /** What the page has set, for `get`. */
  const known: Record<string, unknown> = {};
  const data: Record<string, unknown> = {};
  let isHidden = false;
  let wasOpened = false;

  const notify = (event: string, detail?: unknown) => listeners.get(event)?.(detail);

  function show(isShown: boolean): void {
    isHidden = !isShown;
    call(isShown ? 'show' : 'hide');
  }

  const doing: Actions = {
    'chat:open': () => call('open'),
    'chat:close': () => call('close'),
    'chat:toggle': () => call('toggle'),
    'chat:show': () => show(true),
    'chat:hide': () => show(false),
    'session:reset': () => call('logout'),
    'message:send'([type, content]) {
      const text = type === 'text' && textOf(content);
      if (text) call('sendMessage', text);
      else warn(`message:send of ${type}`);
    },
  };
  const setting: Actions = {
    'user:email': ([email]) => identify({ email }),
    'user:nickname': ([name]) => identify({ name }),
    'user:phone': ([phone]) => identify({ phone }),
    'user:company': ([company]) => setAttributes({ company }),
    'session:data'(values) {
      const added = Object.fromEntries(pairsOf(values));
      Object.assign(data, added);
      setAttributes(added);
    },
    'session:segments': ([segments]) => setAttributes({ segments: [segments].flat().join(', ') }),
    'session:event': (values) => pairsOf(values).forEach(([name]) => void reportEvent(name)),
    'message:text': ([text]) => call('prefill', textOf(text) ?? ''),
  };
  const asking: Record<string, () => boolean> = {
    'chat:opened': isOpen,
    'chat:closed': () => !isOpen(),
    'chat:visible': () => !isHidden,
    'chat:hidden': () => isHidden,
    'session:ongoing': () => conversation.isOngoing,
    'website:available': isOnline,
  };

  function run(verb: string, actions: Actions, name: string, value: unknown): void {
    const action = entryOf(actions, name) ?? (() => warn(`${verb} ${name}`));
    action([value].flat());
  }

  const verbs = {
    do: (name: string, value?: unknown) => run('do', doing, name, value),
    set(name: string, value?: unknown) {
      [known[name]] = [value].flat();
      run('set', setting, name, value);
    },
    on(event: string, listener: unknown) {
      if (EVENTS.includes(event)) listeners.set(event, callbackOf(listener));
      else warn(`on ${event}`);
    },
    off: (event: string) => void listeners.delete(event),
    config: (name: string) => warn(`config ${name}`),
    // Crisp's switch for its own error messages.
    safe() {},
  };

  function push(...calls: unknown[]): number {
    for (const each of calls) {
      const [verb, ...args] = Array.isArray(each) ? each : [];
      const action: ((...given: never[]) => void) | undefined = entryOf(verbs, verb);
      if (action) action(...(args as never[]));
      else warn(`${verb}`);
    }
    return calls.length;
  }

  // The array is changed in place, for pages that keep it.
  const crisp = (window.$crisp ?? []) as Crisp;
  window.$crisp = crisp;
  const queued = crisp.splice(0);
  Object.assign(crisp, verbs, {
    push,
    is(name: string) {
      const ask = entryOf(asking, name);
      if (!ask) warn(`is ${name}`);
      return ask?.() ?? false;
    },
    get(name: string, key?: string) {
      if (name === 'chat:unread:count') return conversation.unread;
      if (name === 'session:data') return (key ? data[key] : data) ?? null;
      if (!entryOf(setting, name)) warn(`get ${name}`);
      return known[name] ?? null;
    },
  });

  on('ready', () => {
    window.CRISP_READY_TRIGGER?.();
    notify('session:loaded');
  });
  on('open', () => {
    if (!wasOpened) notify('chat:initiated');
    wasOpened = true;
    notify('chat:opened');
  });
  on('close', () => notify('chat:closed'));
  on('message:sent', (message) => notify('message:sent', messageOf(message)));
  on('message:received', (message) => notify('message:received', messageOf(message)));
  on('availability', ({ online }) => notify('website:availability:changed', online));

  const { locale } = window.CRISP_RUNTIME_CONFIG ?? {};
  if (locale) call('setLanguage', locale);
  push(...queued);
}

/** Pairs of a name and a value, which come one by one (`[name, value]`) or as a list (`[[[name, value]]]`). */
function pairsOf(values: unknown[]): unknown[][] {
  const [first] = values;
  return Array.isArray(first) ? first.filter(Array.isArray) : [values];
}

/** A message as Crisp's listeners get it. */
function messageOf({ seq, sender, senderName, text, timestamp }: ParleyMessage) {
  const isVisitor = sender === 'visitor';
  return {
    type: 'text',
    content: text,
    from: isVisitor ? 'user' : 'operator',
    origin: 'chat',
    timestamp: Date.parse(timestamp),
    fingerprint: seq,
    user: { type: isVisitor ? 'website' : 'operator', nickname: senderName },
  };
}

start();
