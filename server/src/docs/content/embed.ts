import { DOC_ORIGIN, DOC_WIDGET_CODE, type DocEmbed } from '../contract.ts';

const SNIPPET = `<script src="${DOC_ORIGIN}/widget.js" data-site-id="${DOC_WIDGET_CODE}" async></script>`;

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
        'A page with a strict policy needs two directives, and no `unsafe-inline` or `unsafe-eval` anywhere. Trusted Types may be on.',
      ],
      code: [
        {
          language: 'http',
          code: `Content-Security-Policy: script-src ${DOC_ORIGIN}; connect-src ${DOC_ORIGIN} ${DOC_ORIGIN.replace('https', 'wss')}`,
        },
      ],
    },
    {
      id: 'privacy',
      title: 'What it stores at the visitor',
      text: [
        'No cookie. In the local storage of your page, a random token that opens this one visitor’s conversation, and messages that have not been sent yet. Nothing at all before somebody opens the chat.',
      ],
    },
  ],
};
