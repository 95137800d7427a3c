import {
  call,
  callbackOf,
  createWarning,
  followConversation,
  identify,
  isOnline,
  isOpen,
  on,
  reportEvent,
  setAttributes,
} from './parley.ts';

/** What pages put into `Tawk_API`, before or after the script has run. */
type TawkApi = Record<string, unknown> & { visitor?: { name?: unknown; email?: unknown } };

declare global {
  interface Window {
    Tawk_API?: TawkApi;
  }
}

const WITHOUT_COUNTERPART = ['popup', 'endChat', 'addTags', 'removeTags', 'switchWidget'];

/** The basics of tawk.to's JavaScript API, for pages that have calls to it. */
function start(): void {
  const warn = createWarning('Tawk_API');
  // Pages keep this object, so it is changed in place.
  const api: TawkApi = window.Tawk_API ?? {};
  window.Tawk_API = api;
  const conversation = followConversation();
  let isHidden = false;

  function notify(name: string, ...args: unknown[]): void {
    callbackOf(api[name])(...args);
  }

  /** tawk.to calls back without an error when the server has the data; here, when they are on their way. */
  function done(callback: unknown): void {
    queueMicrotask(() => callbackOf(callback)());
  }

  function show(): void {
    isHidden = false;
    call('show');
  }

  function hide(): void {
    isHidden = true;
    call('hide');
    notify('onChatHidden');
  }

  Object.assign(api, {
    start: show,
    shutdown: hide,
    showWidget: show,
    hideWidget: hide,
    toggleVisibility: () => (isHidden ? show() : hide()),
    maximize: () => call('open'),
    minimize: () => call('close'),
    toggle: () => call('toggle'),
    getStatus: () => (isOnline() ? 'online' : 'offline'),
    getWindowType: () => 'inline',
    isChatMaximized: isOpen,
    isChatMinimized: () => !isOpen(),
    isChatHidden: () => isHidden,
    isChatOngoing: () => conversation.isOngoing,
    isVisitorEngaged: () => conversation.isOngoing,
    setAttributes(values: Record<string, unknown> | undefined, callback: unknown) {
      const { name, email, hash, ...others } = values ?? {};
      identify({ name, email });
      setAttributes(others);
      done(callback);
    },
    addEvent(name: unknown, metadata: unknown, callback: unknown) {
      reportEvent(name);
      done(callback ?? metadata);
    },
    login(who: Record<string, unknown> | undefined, callback: unknown) {
      const { userId, name, email, phone } = who ?? {};
      identify({ id: userId, name, email, phone });
      done(callback);
    },
    logout(callback: unknown) {
      call('logout');
      done(callback);
    },
  });
  for (const name of WITHOUT_COUNTERPART) api[name] = () => warn(`${name}()`);

  on('ready', () => {
    api.onLoaded = true;
    notify('onLoad');
  });
  on('open', () => notify('onChatMaximized'));
  on('close', () => notify('onChatMinimized'));
  on('chat:started', () => notify('onChatStarted'));
  on('chat:closed', () => notify('onChatEnded'));
  on('message:sent', ({ text }) => notify('onChatMessageVisitor', text));
  on('message:received', ({ sender, text }) =>
    notify(sender === 'system' ? 'onChatMessageSystem' : 'onChatMessageAgent', text),
  );
  on('unread', (count) => notify('onUnreadCountChanged', count));
  on('availability', ({ online }) => notify('onStatusChange', online ? 'online' : 'offline'));

  api.onBeforeLoaded = true;
  notify('onBeforeLoad');
  identify({ name: api.visitor?.name, email: api.visitor?.email });
}

start();
