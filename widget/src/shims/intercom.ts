import {
  call,
  callbackOf,
  createWarning,
  entryOf,
  followConversation,
  identify,
  on,
  reportEvent,
  setAttributes,
  textOf,
} from './parley.ts';

type Settings = Record<string, unknown>;

/** The function with the queue that Intercom's snippet puts there until its script has run. */
interface Intercom {
  (...args: unknown[]): void;
  q?: ArrayLike<unknown>[];
  booted?: boolean;
}

declare global {
  interface Window {
    Intercom?: Intercom;
    intercomSettings?: Settings;
  }
}

/** Settings that are no attributes of the visitor. */
const NO_ATTRIBUTES = [
  'app_id',
  'api_base',
  'user_hash',
  'intercom_user_jwt',
  'avatar',
  'alignment',
  'horizontal_padding',
  'vertical_padding',
  'action_color',
  'background_color',
  'session_duration',
  'z_index',
];

/** The basics of Intercom's JavaScript API, for pages that have calls to it. */
function start(): void {
  const warn = createWarning('Intercom');
  const conversation = followConversation();
  let launcher = '';

  function update(settings?: Settings): void {
    const {
      user_id: id,
      name,
      email,
      phone,
      company,
      language_override: language,
      hide_default_launcher: isHidden,
      custom_launcher_selector: selector,
      ...others
    } = settings ?? {};
    identify({ id, name, email, phone });
    const attributes = Object.entries(others).filter(([key]) => !NO_ATTRIBUTES.includes(key));
    setAttributes({ ...Object.fromEntries(attributes), company: (company as { name?: unknown } | undefined)?.name });
    const tag = textOf(language);
    if (tag) call('setLanguage', tag);
    if (typeof isHidden === 'boolean') call(isHidden ? 'hide' : 'show');
    launcher = textOf(selector) ?? launcher;
  }

  const methods: Record<string, (...args: never[]) => void> = {
    boot(settings?: Settings) {
      if (!settings?.hide_default_launcher) call('show');
      update(settings);
    },
    update,
    shutdown() {
      call('logout');
      call('hide');
    },
    show: () => call('open'),
    showSpace: () => call('open'),
    showMessages: () => call('open'),
    showNewMessage(content?: unknown) {
      const text = textOf(content);
      if (text) call('prefill', text);
      call('open');
    },
    // Intercom hides the open messenger and leaves the launcher.
    hide: () => call('close'),
    onShow: (listener?: unknown) => on('open', () => callbackOf(listener)()),
    onHide: (listener?: unknown) => on('close', () => callbackOf(listener)()),
    onUnreadCountChange(listener?: unknown) {
      callbackOf(listener)(conversation.unread);
      on('unread', callbackOf(listener));
    },
    trackEvent: reportEvent,
  };

  function run(name?: unknown, ...args: unknown[]): void {
    const method = entryOf(methods, name) ?? (() => warn(`${name}`));
    method(...(args as never[]));
  }

  document.addEventListener('click', ({ target }) => {
    if (launcher && target instanceof Element && target.closest(launcher)) call('open');
  });

  const queued = window.Intercom?.q ?? [];
  window.Intercom = Object.assign(run, { booted: true });
  // With these settings on the page, Intercom starts by itself.
  if (window.intercomSettings) run('boot', window.intercomSettings);
  for (const args of [...queued]) run(...Array.from(args));
}

start();
