import { HISTORY_FILE_MAX_BYTES, HISTORY_MESSAGES_MAX } from '#features/imports/contract';
import { DOC_ORIGIN, DOC_WIDGET_CODE, type DocPage, type DocSection } from '../contract.ts';

const BYTES_OF_MB = 1024 * 1024;

type Row = [theirs: string, ours: string];

/** A section about the API of one other chat. */
function shim(id: string, title: string, queue: string, rows: Row[], items: string[]): DocSection {
  const code = `<script>
  ${queue}
</script>
<script src="${DOC_ORIGIN}/widget.js" data-site-id="${DOC_WIDGET_CODE}" async></script>
<script src="${DOC_ORIGIN}/widget/shims/${id}.js" async></script>`;
  return {
    id,
    title,
    text: [
      'Put these tags in the place of the old snippet. The first one keeps what your page calls before the others have run.',
    ],
    table: { head: ['Your page has', 'It does'], rows },
    items,
    code: [{ language: 'html', code }],
  };
}

/** How to change over from another chat. */
export const moveIn: DocPage = {
  title: 'Moving from another chat',
  description:
    'Take your history along, change the tags, and keep the calls of your pages: a small script answers to the API of the chat before.',
  sections: [
    {
      id: 'history',
      title: 'Take your history along',
      text: [
        'An admin imports it under `More` in the settings of the website: choose a CSV or JSON file, say which column is what, check it, and import it. A check stores nothing, and says how many chats, messages and people there are, and which rows are left out and why.',
        'The columns of exports of tawk.to, Crisp, Chatwoot and Intercom are recognised. Of any other file you choose them: the id of the conversation, the time, whether the visitor or the team wrote, and the text are needed.',
      ],
      items: [
        `A file has up to ${HISTORY_FILE_MAX_BYTES / BYTES_OF_MB} MB and ${HISTORY_MESSAGES_MAX.toLocaleString('en')} messages: in CSV one in each row, in JSON a list of conversations with their messages, or of messages, also one in each line.`,
        'Times are ISO 8601, Unix time in seconds or milliseconds, or dates as spreadsheets write them, in a time zone of your choice.',
        'They become closed chats on their own dates, with the tag `imported`. History, search and exports know them, and deleting a person or the retention of the website deletes them, too.',
        'Nobody is told of them: no notices, mails or webhooks, nothing unread. Overview and reports do not count them; the number of all chats of a website does.',
        'An import runs on the server, goes on after a restart, and can be cancelled. Each conversation is stored once, however often you import it: one that is there stays as it is.',
        'HTML becomes the text that its readers saw; formulas stay text. Card numbers are masked as in other messages. Files are not imported.',
        'People of the old chat are kept apart from visitors of the new one: an email address that somebody types in the widget opens no old conversation.',
      ],
      links: [{ text: 'The calls of the HTTP API', href: '/docs?tab=api-endpoints#calls-sites' }],
    },
    {
      id: 'shims',
      title: 'Keep the calls of your pages',
      text: [
        'There is a script for each of tawk.to, Crisp, Chatwoot and Intercom. It is loaded only where you add its tag, has less than 2 kB, and passes the calls on to `window.Parley`. New code should use the JavaScript API itself; both work on the same page.',
        'A call that has no counterpart does nothing, and says so once in the console of the browser. Signatures and hashes with which the other chat verified visitors are ignored: Parley has tokens of its own.',
      ],
      items: [
        'Remove the old snippet from the page, or from the plugin or tag manager that adds it.',
        'Attributes are texts, numbers and booleans. Lists and objects are left out, and long texts are cut.',
        'Parley keeps no list of events of a page: the name of the last one becomes the attribute `last event`.',
        'A page with a strict Content-Security-Policy needs the first line in a script file of its own.',
        'Packages from npm that load the other chat themselves have to be removed.',
      ],
      links: [{ text: 'The JavaScript API', href: '/docs?tab=javascript-api' }],
    },
    shim(
      'tawk',
      'tawk.to',
      'var Tawk_API = Tawk_API || {};',
      [
        ['`maximize()`, `minimize()`, `toggle()`', '`open()`, `close()`, `toggle()`'],
        ['`showWidget()`, `hideWidget()`\n`toggleVisibility()`, `start()`, `shutdown()`', '`show()`, `hide()`'],
        [
          '`visitor`, `setAttributes()`, `login()`',
          '`identify()` with the name, email, phone and user id\n`setAttributes()` with all else',
        ],
        ['`logout()`', '`logout()`'],
        ['`addEvent()`', 'the attribute `last event`'],
        [
          '`getStatus()`, `isChatMaximized()`\n`isChatMinimized()`, `isChatHidden()`\n`isChatOngoing()`, `isVisitorEngaged()`',
          'the state of the chat; ongoing since this page was opened',
        ],
        [
          '`onBeforeLoad`, `onLoad`, `onStatusChange`\n`onChatMaximized`, `onChatMinimized`, `onChatHidden`\n`onChatStarted`, `onChatEnded`\n`onChatMessageVisitor`, `onChatMessageAgent`\n`onChatMessageSystem`, `onUnreadCountChanged`',
          'called with what tawk.to gives to them',
        ],
      ],
      ['These do nothing: `popup()`, `endChat()`, `addTags()`, `removeTags()`, `switchWidget()`, `customStyle`.'],
    ),
    shim(
      'crisp',
      'Crisp',
      'window.$crisp = window.$crisp || [];',
      [
        ['`do`: `chat:open`, `chat:close`, `chat:toggle`', '`open()`, `close()`, `toggle()`'],
        ['`do`: `chat:show`, `chat:hide`', '`show()`, `hide()`'],
        ['`do`: `message:send` of a text\n`set`: `message:text`', '`sendMessage()`\n`prefill()`'],
        ['`do`: `session:reset`', '`logout()`'],
        ['`set`: `user:email`, `user:nickname`, `user:phone`', '`identify()`'],
        ['`set`: `user:company`, `session:data`, `session:segments`', '`setAttributes()`'],
        ['`set`: `session:event`', 'the attribute `last event`'],
        [
          '`is`: `chat:opened`, `chat:closed`\n`chat:visible`, `chat:hidden`\n`session:ongoing`, `website:available`\n`get`: `chat:unread:count`, `session:data`\n`user:email`, `user:nickname`\n`user:phone`, `user:company`',
          'the state of the chat, and what your page has set',
        ],
        [
          '`on`, `off`: `session:loaded`\n`chat:initiated`, `chat:opened`, `chat:closed`\n`message:sent`, `message:received`\n`website:availability:changed`',
          'called with what Crisp gives to them',
        ],
        ['`CRISP_READY_TRIGGER`, `CRISP_RUNTIME_CONFIG.locale`', 'called when the chat is ready; `setLanguage()`'],
      ],
      ['These do nothing: `config`, `trigger:run`, `helpdesk:…`, `message:show`, `user:avatar`.'],
    ),
    shim(
      'chatwoot',
      'Chatwoot',
      'window.chatwootSettings = window.chatwootSettings || {};',
      [
        ["`toggle('open')`, `toggle('close')`, `toggle()`", '`open()`, `close()`, `toggle()`'],
        ["`toggleBubbleVisibility('show')`, `toggleBubbleVisibility('hide')`", '`show()`, `hide()`'],
        ['`setUser()`', '`identify()` with the id, name, email and phone; the city and company are attributes'],
        [
          '`setCustomAttributes()`\n`deleteCustomAttribute()`\n`setConversationCustomAttributes()`\n`deleteConversationCustomAttribute()`',
          '`setAttributes()`; attributes belong to the visitor',
        ],
        ['`setLocale()`, `setColorScheme()`', '`setLanguage()`, `setTheme()`'],
        ['`reset()`', '`logout()`'],
        ['`hasLoaded`, `isOpen`', 'the state of the chat'],
        [
          '`chatwoot:ready`, `chatwoot:error`\n`chatwoot:opened`, `chatwoot:closed`\n`chatwoot:on-message`\n`chatwoot:on-start-conversation`',
          'events of `window`, with what Chatwoot puts into `detail`',
        ],
        ['`chatwootSettings`: `hideMessageBubble`, `locale`, `darkMode`', '`hide()`, `setLanguage()`, `setTheme()`'],
      ],
      ['These do nothing: `popoutChatWindow()`, `setLabel()`, `removeLabel()`, all other settings.'],
    ),
    shim(
      'intercom',
      'Intercom',
      'window.Intercom = window.Intercom || function () { (Intercom.q = Intercom.q || []).push(arguments); };',
      [
        [
          "`Intercom('show')`, `showSpace`, `showMessages`, `showNewMessage`",
          '`open()`, with `prefill()` for a given text',
        ],
        ["`Intercom('hide')`", '`close()`'],
        [
          "`Intercom('boot')`, `update`, `window.intercomSettings`",
          '`show()` and `identify()` with `user_id`, `name`, `email` and `phone`\n`setAttributes()` with all else, and the name of the `company`\n`setLanguage()` for `language_override`, `hide()` for `hide_default_launcher`',
        ],
        ['`custom_launcher_selector`', '`open()` at a click on these elements'],
        ["`Intercom('shutdown')`", '`logout()` and `hide()`'],
        ["`Intercom('trackEvent')`", 'the attribute `last event`'],
        ["`Intercom('onShow')`, `onHide`, `onUnreadCountChange`", 'called as Intercom does'],
      ],
      [
        'These do nothing: tours, articles, news, surveys, checklists, tickets, `getVisitorId`, colours and places of the messenger.',
      ],
    ),
  ],
};
