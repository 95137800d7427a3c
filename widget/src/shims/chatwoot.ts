import type { ParleyMessage } from '../parley.d.ts';
import { call, createWarning, identify, isOpen, on, setAttributes, textOf } from './parley.ts';

interface ChatwootSettings {
  hideMessageBubble?: boolean;
  locale?: string;
  darkMode?: string;
}

declare global {
  interface Window {
    $chatwoot?: object;
    chatwootSDK?: object;
    chatwootSettings?: ChatwootSettings;
  }
}

const WITHOUT_COUNTERPART = ['popoutChatWindow', 'setLabel', 'removeLabel'];

/** The basics of Chatwoot's `$chatwoot`, for pages that have calls to it. */
function start(): void {
  const warn = createWarning('$chatwoot');
  const api = {
    hasLoaded: false,
    get isOpen() {
      return isOpen();
    },
    toggle(state?: string) {
      call(state === 'open' || state === 'close' ? state : 'toggle');
    },
    toggleBubbleVisibility: (state?: string) => call(state === 'hide' ? 'hide' : 'show'),
    setUser(id: unknown, who: Record<string, unknown> | undefined) {
      const { name, email, phone_number: phone, city, company_name: company } = who ?? {};
      identify({ id, name, email, phone });
      setAttributes({ city, company });
    },
    setCustomAttributes: setAttributes,
    deleteCustomAttribute: (name: string) => setAttributes({ [name]: null }),
    setConversationCustomAttributes: setAttributes,
    deleteConversationCustomAttribute: (name: string) => setAttributes({ [name]: null }),
    setLocale: (locale?: string) => call('setLanguage', languageOf(locale)),
    setColorScheme: setTheme,
    reset: () => call('logout'),
    ...Object.fromEntries(WITHOUT_COUNTERPART.map((name) => [name, () => warn(`${name}()`)])),
  };

  const { hideMessageBubble, locale, darkMode } = window.chatwootSettings ?? {};
  if (hideMessageBubble) call('hide');
  if (locale) api.setLocale(locale);
  setTheme(darkMode);

  window.$chatwoot = api;
  // Chatwoot's own snippet calls it once its script has loaded.
  window.chatwootSDK = { run() {} };
  on('ready', () => {
    api.hasLoaded = true;
    dispatch('ready');
  });
  on('open', () => dispatch('opened'));
  on('close', () => dispatch('closed'));
  on('chat:started', () => dispatch('on-start-conversation', { hasConversation: false }));
  on('message:sent', (message) => dispatch('on-message', messageOf(message)));
  on('message:received', (message) => dispatch('on-message', messageOf(message)));
  on('error', ({ message }) => dispatch('error', { message }));
}

function dispatch(event: string, detail?: object): void {
  window.dispatchEvent(new CustomEvent(`chatwoot:${event}`, { detail }));
}

function setTheme(theme?: string): void {
  if (theme === 'light' || theme === 'dark' || theme === 'auto') call('setTheme', theme);
}

/** Chatwoot writes `pt_BR` where a language tag is `pt-BR`. */
function languageOf(locale?: string): string {
  return (textOf(locale) ?? '').replace('_', '-');
}

/** A message as Chatwoot's listeners get it. */
function messageOf({ _id, sender, senderName, text, timestamp }: ParleyMessage) {
  return {
    id: _id,
    content: text,
    message_type: sender === 'visitor' ? 0 : sender === 'system' ? 2 : 1,
    created_at: Math.floor(Date.parse(timestamp) / 1000),
    sender: { name: senderName },
  };
}

start();
