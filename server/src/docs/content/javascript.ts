import { ATTRIBUTE_NAME_MAX_LENGTH, ATTRIBUTE_TEXT_MAX_LENGTH, ATTRIBUTES_MAX } from '../../visitors/contract.ts';
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
  description: 'Called with what the event brings.',
};

const TEXT = { name: 'text', type: 'string', required: true, description: 'Plain text.' };

/** What a page can do with its widget. */
export const javascript: DocJavaScript = {
  title: 'JavaScript API',
  description: 'Open the chat from your own buttons, say who your visitor is, and hear what happens.',
  sections: [
    {
      id: 'before-it-has-loaded',
      title: 'Before the script has loaded',
      text: [
        '`window.Parley` is there as soon as the script has run. Calls that may come earlier are pushed into a queue of the same name, and run when it is there.',
      ],
      code: [{ language: 'js', code: `window.Parley = window.Parley || [];\nParley.push(['open']);` }],
    },
    {
      id: 'proof',
      title: 'Visitors who are proved',
      text: [
        'Whom your server has proved by a signed token, the team sees as `Verified`, with one conversation on all devices. What was said before, or by anybody who only claims to be that person, never becomes part of it.',
        'With `Identity verification` on in the settings, `identify` without such a token is refused, and the page hears of it by the event `error`.',
      ],
      links: [{ text: 'Sign the token on your server', href: '/docs?tab=examples#prove-who-visitors-are' }],
    },
    {
      id: 'types',
      title: 'TypeScript',
      text: ['The types of all this are one file. Put it among your sources, and `window.Parley` is known.'],
      links: [{ text: 'parley.d.ts', href: '/parley.d.ts' }],
    },
    {
      id: 'own-button',
      title: 'A button of your own',
      text: ['Hide the launcher, and open the chat from anything on your page.'],
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
    method('close()', 'Closes it; the conversation goes on.', 'Parley.close();'),
    method('toggle()', 'Opens it where it is closed, and the other way round.', 'Parley.toggle();'),
    method('show()', 'Shows the launcher again.', 'Parley.show();'),
    method('hide()', 'Hides the launcher, and closes the chat.', 'Parley.hide();'),
    method('isOpen()', 'Whether the chat is open.', `if (Parley.isOpen()) Parley.close();`),
    {
      ...method(
        'on(event, listener)',
        'Listens from now on. Answers a function that stops listening.',
        `const stop = Parley.on('unread', (count) => console.log(count));\nstop();`,
      ),
      parameters: [EVENT, LISTENER],
    },
    {
      ...method('once(event, listener)', 'Listens for one time.', `Parley.once('open', () => console.log('opened'));`),
      parameters: [EVENT, LISTENER],
    },
    {
      ...method(
        'off(event, listener)',
        'Stops a listener.',
        `const hear = () => console.log('closed');\nParley.on('close', hear);\nParley.off('close', hear);`,
      ),
      parameters: [EVENT, LISTENER],
    },
    {
      ...method(
        'sendMessage(text)',
        'Writes for the visitor, without opening the chat. It is kept and sent like any message.',
        `Parley.sendMessage('I need help with my order');`,
      ),
      parameters: [TEXT],
    },
    {
      ...method(
        'prefill(text)',
        'Puts a text into the field, for the visitor to send or change.',
        `Parley.prefill('My order number is ');`,
      ),
      parameters: [TEXT],
    },
    {
      ...method(
        'identify(who)',
        'Says who the visitor is, so that nobody is asked for it and the team sees it. Without a `token` it is taken on trust: anybody can call it in the console. A call with another `id` begins a visitor of its own.',
        `Parley.identify({ id: '42', name: 'Mina Park', email: 'mina@example.com', plan: 'team' });`,
      ),
      parameters: [
        {
          name: 'who',
          type: 'object',
          required: true,
          description:
            'Any of `id`, your own name for the person, `name`, `email` and `token`, which your server signs. Whatever else is there is an attribute, as of `setAttributes`.',
        },
      ],
    },
    {
      ...method(
        'setAttributes(attributes)',
        'Tells the team more of the visitor. What was told before stays; `null` takes it back.',
        `Parley.setAttributes({ plan: 'team', seats: 12, trial: false });`,
      ),
      parameters: [
        {
          name: 'attributes',
          type: 'object',
          required: true,
          description: `Texts up to ${ATTRIBUTE_TEXT_MAX_LENGTH} characters, numbers and booleans, each under a name of up to ${ATTRIBUTE_NAME_MAX_LENGTH}; ${ATTRIBUTES_MAX} of them are kept.`,
        },
      ],
    },
    {
      ...method(
        'setPage(page)',
        'Says which page the visitor is on, where the address alone does not tell. The team sees it in the conversation, with the pages before it, and, where `Visitors now` is on in the settings, from the moment that somebody comes.',
        `Parley.setPage({ url: '/cart', title: 'Cart' });`,
      ),
      parameters: [{ name: 'page', type: 'object', required: true, description: '`url`, and a `title` if you like.' }],
    },
    {
      ...method(
        'setLanguage(tag)',
        'Speaks another language: ar, de, en, es, fa, fr, hi, ja, pt, ru, tr or zh. Without it, the language of the page is spoken.',
        `Parley.setLanguage('de');`,
      ),
      parameters: [{ name: 'tag', type: 'string', required: true, description: 'A language tag, as `pt-BR`.' }],
    },
    {
      ...method(
        'setTheme(theme)',
        'Draws the chat light or dark. Without it, it follows the browser.',
        `Parley.setTheme('dark');`,
      ),
      parameters: [{ name: 'theme', type: 'string', required: true, description: '`light`, `dark` or `auto`.' }],
    },
    method(
      'logout()',
      'Forgets the visitor on this device: call it where people sign out of your website. Until then the device stays the visitor’s, even when the token that proved it has run out. The team keeps the conversation; visitors delete it themselves, with all that the team knows of them, by “Delete my data” in the chat’s menu.',
      'Parley.logout();',
    ),
    method(
      'destroy()',
      'Takes the widget off the page, without a trace. The conversation is kept.',
      'Parley.destroy();',
    ),
  ],
  events: [
    event('ready', 'The launcher is there.', `Parley.on('ready', () => console.log('ready'));`),
    event('open', 'The chat was opened.', `Parley.on('open', () => console.log('open'));`),
    event('close', 'The chat was closed.', `Parley.on('close', () => console.log('closed'));`),
    event(
      'unread',
      'How many answers the visitor has not seen.',
      `Parley.on('unread', (count) => console.log(count));`,
    ),
    event(
      'message:sent',
      'A message of the visitor is stored.',
      `Parley.on('message:sent', (message) => console.log(message.text));`,
    ),
    event(
      'message:received',
      'An answer has come.',
      `Parley.on('message:received', (message) => console.log(message.senderName, message.text));`,
    ),
    event(
      'chat:started',
      'A conversation has begun.',
      `Parley.on('chat:started', ({ chatId }) => console.log('started', chatId));`,
    ),
    event(
      'chat:closed',
      'It has ended, by either side.',
      `Parley.on('chat:closed', ({ chatId }) => console.log('ended', chatId));`,
    ),
    event(
      'availability',
      'Somebody has come to answer, or the last one has gone; told while the chat is connected.',
      `Parley.on('availability', ({ online }) => console.log(online ? 'online' : 'offline'));`,
    ),
    event(
      'error',
      'Something failed; `code` is a stable word, `message` a sentence.',
      `Parley.on('error', ({ code, message }) => console.warn(code, message));`,
    ),
  ],
};
