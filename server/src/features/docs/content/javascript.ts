import { ATTRIBUTE_NAME_MAX_LENGTH, ATTRIBUTE_TEXT_MAX_LENGTH, ATTRIBUTES_MAX } from '#features/presence/contract';
import type { DocJavaScript, DocMethod } from '../contract.ts';

function method(name: string, description: string, code: string): DocMethod {
  return {
    id: name.replace(/\W.*/, ''),
    name,
    description,
    parameters: [],
    example: { language: 'js', code },
  };
}

function event(name: string, description: string, code: string): DocMethod {
  return {
    id: `event-${name.replace(':', '-')}`,
    name,
    description,
    parameters: [],
    example: { language: 'js', code },
  };
}

const EVENT = { name: 'event', type: 'string', required: true, description: 'One of the events below.' };
const LISTENER = {
  name: 'listener',
  type: 'function',
  required: true,
  description: 'Called with the details of the event.',
};

const TEXT = { name: 'text', type: 'string', required: true, description: 'Plain text.' };

/** What a page can do with its widget. */
export const javascript: DocJavaScript = {
  title: 'JavaScript API',
  description: 'Open the chat with your own buttons, say who your visitor is, and listen to events.',
  sections: [
    {
      id: 'before-it-has-loaded',
      title: 'Before the script has loaded',
      text: [
        '`window.Parley` exists when the script has run. Push earlier calls into a queue with the same name; they run then.',
      ],
      code: [{ language: 'js', code: `window.Parley = window.Parley || [];\nParley.push(['open']);` }],
    },
    {
      id: 'proof',
      title: 'Verified visitors',
      text: [
        'With a token that your server has signed, the team sees the visitor as `Verified`, with one conversation on all devices. Messages from before, or from somebody who only claims to be that person, are never part of it.',
        'If `Identity verification` is on in the settings, `identify` without such a token is refused, and the page gets the event `error`.',
      ],
      links: [{ text: 'Sign the token on your server', href: '/docs?tab=examples#prove-who-visitors-are' }],
    },
    {
      id: 'types',
      title: 'TypeScript',
      text: ['All types are in one file. Add it to your sources, and TypeScript knows `window.Parley`.'],
      links: [{ text: 'parley.d.ts', href: '/parley.d.ts' }],
    },
    {
      id: 'own-button',
      title: 'A button of your own',
      text: ['Hide the launcher, and open the chat from any element of your page.'],
      code: [
        {
          language: 'html',
          code: `<button type="button" id="ask">Ask us</button>
<script>
  window.Parley = window.Parley || [];
  Parley.push(['hide']);
  document.querySelector('#ask').addEventListener('click', () => Parley.push(['open']));
</script>`,
        },
      ],
    },
  ],
  methods: [
    method('open()', 'Opens the chat.', 'Parley.open();'),
    method('close()', 'Closes the chat. The conversation continues.', 'Parley.close();'),
    method('toggle()', 'Opens the chat if it is closed, else closes it.', 'Parley.toggle();'),
    method('show()', 'Shows the launcher again.', 'Parley.show();'),
    method('hide()', 'Hides the launcher, and closes the chat.', 'Parley.hide();'),
    method('isOpen()', 'Whether the chat is open.', `if (Parley.isOpen()) Parley.close();`),
    {
      ...method(
        'on(event, listener)',
        'Adds a listener. Returns a function that removes it.',
        `const stop = Parley.on('unread', (count) => console.log(count));\nstop();`,
      ),
      parameters: [EVENT, LISTENER],
    },
    {
      ...method(
        'once(event, listener)',
        'Adds a listener for one event.',
        `Parley.once('open', () => console.log('opened'));`,
      ),
      parameters: [EVENT, LISTENER],
    },
    {
      ...method(
        'off(event, listener)',
        'Removes a listener.',
        `const listener = () => console.log('closed');\nParley.on('close', listener);\nParley.off('close', listener);`,
      ),
      parameters: [EVENT, LISTENER],
    },
    {
      ...method(
        'sendMessage(text)',
        'Sends a message of the visitor, without opening the chat. It is stored like any message.',
        `Parley.sendMessage('I need help with my order');`,
      ),
      parameters: [TEXT],
    },
    {
      ...method(
        'prefill(text)',
        'Puts a text into the message field. The visitor can change and send it.',
        `Parley.prefill('My order number is ');`,
      ),
      parameters: [TEXT],
    },
    {
      ...method(
        'identify(who)',
        'Says who the visitor is: the team sees it, and the visitor is not asked for it. Without a `token` it is not verified: anybody can call it in the console. A call with another `id` starts a new visitor.',
        `Parley.identify({ id: '42', name: 'Mina Park', email: 'mina@example.com', plan: 'team' });`,
      ),
      parameters: [
        {
          name: 'who',
          type: 'object',
          required: true,
          description:
            'Any of `id` (your own id of the person), `name`, `email`, `phone` and `token` (signed by your server). All other properties are attributes, as in `setAttributes`. An attribute with the label of a field of the form before the chat answers that field.',
        },
      ],
    },
    {
      ...method(
        'setAttributes(attributes)',
        'Tells the team more about the visitor. Earlier attributes stay; `null` removes one.',
        `Parley.setAttributes({ plan: 'team', seats: 12, trial: false });`,
      ),
      parameters: [
        {
          name: 'attributes',
          type: 'object',
          required: true,
          description: `Texts of up to ${ATTRIBUTE_TEXT_MAX_LENGTH} characters, numbers and booleans, with names of up to ${ATTRIBUTE_NAME_MAX_LENGTH} characters; at most ${ATTRIBUTES_MAX} are kept.`,
        },
      ],
    },
    {
      ...method(
        'setPage(page)',
        'Says which page the visitor is on, if the address is not enough. The team sees it in the conversation, with the earlier pages. If `Visitors now` is on in the settings, the team sees it as soon as the visitor arrives.',
        `Parley.setPage({ url: '/cart', title: 'Cart' });`,
      ),
      parameters: [{ name: 'page', type: 'object', required: true, description: '`url`, and optionally a `title`.' }],
    },
    {
      ...method(
        'setLanguage(tag)',
        'Changes the language: ar, de, en, es, fa, fr, hi, ja, pt, ru, tr or zh. The default is the language of the page.',
        `Parley.setLanguage('de');`,
      ),
      parameters: [{ name: 'tag', type: 'string', required: true, description: 'A language tag such as `pt-BR`.' }],
    },
    {
      ...method(
        'setTheme(theme)',
        'Sets light or dark colours. By default, the chat follows the browser.',
        `Parley.setTheme('dark');`,
      ),
      parameters: [{ name: 'theme', type: 'string', required: true, description: '`light`, `dark` or `auto`.' }],
    },
    method(
      'logout()',
      'Removes the visitor from this device. Call it when people sign out of your website: until then the device keeps the conversation, even after the identity token has expired. The team keeps the conversation, too. Visitors can delete it, with all their data, with “Delete my data” in the chat’s menu.',
      'Parley.logout();',
    ),
    method('destroy()', 'Removes the widget from the page completely. The conversation is kept.', 'Parley.destroy();'),
  ],
  events: [
    event('ready', 'The launcher is on the page.', `Parley.on('ready', () => console.log('ready'));`),
    event('open', 'The chat was opened.', `Parley.on('open', () => console.log('open'));`),
    event('close', 'The chat was closed.', `Parley.on('close', () => console.log('closed'));`),
    event(
      'unread',
      'The number of answers that the visitor has not seen.',
      `Parley.on('unread', (count) => console.log(count));`,
    ),
    event(
      'message:sent',
      'A message of the visitor was stored.',
      `Parley.on('message:sent', (message) => console.log(message.text));`,
    ),
    event(
      'message:received',
      'An answer arrived.',
      `Parley.on('message:received', (message) => console.log(message.senderName, message.text));`,
    ),
    event(
      'chat:started',
      'A chat was started.',
      `Parley.on('chat:started', ({ chatId }) => console.log('started', chatId));`,
    ),
    event(
      'chat:closed',
      'A chat was closed, by either side.',
      `Parley.on('chat:closed', ({ chatId }) => console.log('ended', chatId));`,
    ),
    event(
      'availability',
      'The team came online or went offline. Only while the chat is connected.',
      `Parley.on('availability', ({ online }) => console.log(online ? 'online' : 'offline'));`,
    ),
    event(
      'error',
      'Something failed. `code` never changes; `message` is a text for people.',
      `Parley.on('error', ({ code, message }) => console.warn(code, message));`,
    ),
  ],
};
