import { embedCode, PRE_CHAT_FIELDS_MAX } from '#features/sites/contract';
import { DOC_ORIGIN, DOC_WIDGET_CODE, type DocEmbed, type DocSection } from '../contract.ts';

const SNIPPET = embedCode(DOC_ORIGIN, DOC_WIDGET_CODE);

function option(name: string, description: string) {
  return { name, type: 'string', required: false, description };
}

/** What a page with a policy has to allow. */
export const POLICY: DocSection = {
  id: 'policy',
  title: 'Content-Security-Policy',
  text: [
    'A page with a strict policy needs three directives, without `unsafe-inline` and `unsafe-eval`. The widget works with Trusted Types.',
    'Without `img-src` there are no pictures; without the `wss` address the chat uses HTTP calls, and messages may take a moment longer.',
  ],
  code: [
    {
      language: 'http',
      code: `Content-Security-Policy: script-src ${DOC_ORIGIN}; connect-src ${DOC_ORIGIN} ${DOC_ORIGIN.replace('https', 'wss')}; img-src ${DOC_ORIGIN}`,
    },
  ],
};

/** How to put the widget on a page. */
export const embed: DocEmbed = {
  title: 'Embed code',
  description: 'One line of HTML puts the chat on your pages.',
  parameters: [
    {
      name: 'data-site-id',
      type: 'string',
      required: true,
      description: 'The widget code of your website, from its `Embed Code` tab.',
    },
    option('data-position', '`left` or `right`: the side of the page, instead of the one in the settings.'),
    option('data-color', 'A colour such as `#0b3d2e`, instead of the one in the settings.'),
    option('data-language', 'A language tag such as `pt-BR`, instead of the language of the page.'),
    option('data-theme', '`light` or `dark`, instead of what the browser prefers.'),
    option('data-open', 'Opens the chat when the page loads, in wide windows, until the visitor closes it.'),
    option('data-hidden', 'Hides the launcher, for pages that open the chat with a button of their own.'),
    option('data-z-index', 'A number, if something on the page must be above the chat.'),
    option('data-offset', 'Pixels from the edges of the window: `20`, or `90 20` for the bottom and the side.'),
  ],
  sections: [
    {
      id: 'script-tag',
      title: 'The script tag',
      text: [
        'Paste it just before the closing body tag of every page that should have the chat, or once into the template that your pages share.',
        'It loads after your page and does not block or move anything on it. You set colours, texts and position in the dashboard; open pages show them within seconds. The tag stays the same.',
      ],
      code: [{ language: 'html', code: SNIPPET }],
      links: [
        { text: 'WordPress, Shopify, Wix, Squarespace, Tag Manager, React, Vue and others', href: '/docs?tab=install' },
      ],
    },
    {
      id: 'whole-page',
      title: 'In a complete page',
      text: ['A page with only the chat.'],
      code: [
        {
          language: 'html',
          code: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>My shop</title>
  </head>
  <body>
    <h1>My shop</h1>
    ${SNIPPET}
  </body>
</html>`,
        },
      ],
    },
    {
      id: 'check',
      title: 'Check the installation',
      text: [
        'Open a page of your website, then the settings of the website in the dashboard. They show when the widget was last seen, and on which domain.',
      ],
      items: [
        'Nothing appears? Look at the `console` of the browser: the widget writes a line there if the code is unknown or the widget is switched off.',
        '`Allowed domains` in the settings lists the hosts that may use the widget; if it is empty, all may.',
        'A page on `https` needs Parley on `https`, too.',
      ],
    },
    POLICY,
    {
      id: 'move-in',
      title: 'Instead of another chat',
      text: [
        'Pages that have calls to the API of tawk.to, Crisp, Chatwoot or Intercom can keep them: a second tag adds a small script that answers to them.',
      ],
      links: [{ text: 'Moving from another chat', href: '/docs?tab=move-in' }],
    },
    {
      id: 'another-look',
      title: 'Different settings on one page',
      text: [
        'Attributes of the tag override the settings of the website on this page. Where a tag cannot have attributes, `window.ParleySettings` takes the same settings.',
      ],
      links: [{ text: 'Settings in a variable', href: '/docs?tab=install#settings' }],
      code: [
        {
          language: 'html',
          code: SNIPPET.replace(' async', ' data-position="left" data-color="#0b3d2e" data-offset="90 20" async'),
        },
      ],
    },
    {
      id: 'launcher',
      title: 'The launcher',
      text: [
        'Under `Customization` in the settings of the website: a pill with a text or a round button, its icon, the side of the page and the distance from its edges. Open pages change as soon as you save.',
        'It can be hidden on phones, on pages whose address contains a text, such as `/checkout`, and while nobody is online. `Parley.open()` opens the chat there, too.',
      ],
    },
    {
      id: 'form',
      title: 'The form before the chat',
      text: [
        `Under \`Customization\` in the settings of the website. The form asks for name, email, phone and up to ${PRE_CHAT_FIELDS_MAX} fields in all: texts, choices and checkboxes of your own. The form that visitors see while nobody is online asks for them, too.`,
        'The team sees the answers in the details of the visitor, exports contain them, and they are deleted with the visitor. What your page says with `identify` or `setAttributes` is not asked again.',
      ],
      items: [
        'With `Ask for consent`, every form has a sentence that the visitor must agree to. The sentence and the time are kept with the visitor.',
      ],
    },
    {
      id: 'dialogs',
      title: 'Dialogs on your page',
      text: [
        'Visitors can use the chat while a dialog of your page is open: it stays open, and its focus trap takes neither the focus nor what they type. That holds for Bootstrap, MUI, Radix, focus-trap and all that work like them.',
        'A `dialog` element that was opened with `showModal()` is an exception: the browser itself switches off everything beside it until it is closed. If visitors should be able to chat meanwhile, open it with `show()`.',
      ],
    },
    {
      id: 'privacy',
      title: 'What it stores on the visitor’s device',
      text: [
        'No cookies. In the local storage of your page: a random token for this visitor’s conversation, text that is not sent yet, the id that your page gave with `identify`, whether the visitor was asked for a name, whether the sound is off, and which message above the chat button was closed. Nothing is stored before somebody opens the chat, except where the website has greetings: then the local storage also has the time of the last visit, and which greetings were shown.',
      ],
      items: [
        'Of card numbers in messages, notes, forms and ratings the server stores the last four digits only. The sender sees that at once. `Mask card numbers`, under `More` in the settings of the website, switches it off.',
        'Chats are kept until somebody deletes them. With `Delete chats after (days)`, also there, they are deleted so long after their close, or after the last message if they are open; snoozed ones first come back. Visitors who have no chat left and did not return for so long are deleted, too.',
      ],
    },
  ],
};
