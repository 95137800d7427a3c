import { DOC_ORIGIN, DOC_WIDGET_CODE, type DocEmbed } from '../contract.ts';

const SNIPPET = `<script src="${DOC_ORIGIN}/widget.js" data-site-id="${DOC_WIDGET_CODE}" async></script>`;

function option(name: string, description: string) {
  return { name, type: 'string', required: false, description };
}

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
    option('data-color', 'A colour as `#0b3d2e`, instead of the one in the settings.'),
    option('data-language', 'A language tag as `pt-BR`, instead of the language of the page.'),
    option('data-theme', '`light` or `dark`, instead of what the browser prefers.'),
    option('data-open', 'Opens the chat with the page, on wide windows, until the visitor closes it.'),
    option('data-hidden', 'Hides the launcher: for pages that open the chat by a button of their own.'),
    option('data-z-index', 'A number, where something of the page shall lie above the chat.'),
    option('data-offset', 'Pixels from the edges of the window: `20`, or `90 20` for the bottom and the side.'),
  ],
  sections: [
    {
      id: 'script-tag',
      title: 'The script tag',
      text: [
        'Paste it just before the closing body tag of every page that shall have the chat, or once into the template that your pages share.',
        'It loads after your page, blocks nothing and moves nothing. Colours, texts and position are set in the dashboard and reach open pages within seconds; the tag never changes.',
      ],
      code: [{ language: 'html', code: SNIPPET }],
    },
    {
      id: 'whole-page',
      title: 'In a whole page',
      text: ['A page with the chat, and nothing else.'],
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
        'Open a page of your website, then the settings of the website in the dashboard. It says when the widget was last seen, and on which domain.',
      ],
      items: [
        'Nothing is drawn? Look at the `console` of the browser: the widget says in one line when the code is unknown or the widget is switched off.',
        '`Allowed domains` in the settings names the hosts that may use the widget; empty means any.',
        'A page served over `https` needs Parley on `https`, too.',
      ],
    },
    {
      id: 'policy',
      title: 'Content-Security-Policy',
      text: [
        'A page with a strict policy needs three directives, and no `unsafe-inline` or `unsafe-eval` anywhere. Trusted Types may be on.',
        'Without `img-src` there are no pictures, without the `wss` address it works by polling.',
      ],
      code: [
        {
          language: 'http',
          code: `Content-Security-Policy: script-src ${DOC_ORIGIN}; connect-src ${DOC_ORIGIN} ${DOC_ORIGIN.replace('https', 'wss')}; img-src ${DOC_ORIGIN}`,
        },
      ],
    },
    {
      id: 'another-look',
      title: 'Another look on one page',
      text: ['What a page shall have otherwise than the settings say goes into the tag.'],
      code: [
        {
          language: 'html',
          code: SNIPPET.replace(' async', ' data-position="left" data-color="#0b3d2e" data-offset="90 20" async'),
        },
      ],
    },
    {
      id: 'privacy',
      title: 'What it stores at the visitor',
      text: [
        'No cookie. In the local storage of your page, a random token that opens this one visitor’s conversation, what has been typed and not sent yet, whether a name was asked for, and whether the sound is off. Nothing at all before somebody opens the chat.',
      ],
    },
  ],
};
