import { embedCode } from '#features/sites/contract';
import { DOC_ORIGIN, DOC_WIDGET_CODE, type DocCode, type DocInstall, type DocTutorial } from '../contract.ts';
import { POLICY } from './embed.ts';

type Step = DocTutorial['steps'][number];

/** The script tag, as the dashboard shows it. */
const TAG: DocCode = { language: 'html', code: embedCode(DOC_ORIGIN, DOC_WIDGET_CODE) };

/** Adds the tag by code, and takes it and the widget off the page again. */
const MOUNT = `const tag = document.createElement('script');
tag.src = '${DOC_ORIGIN}/widget.js';
tag.dataset.siteId = '${DOC_WIDGET_CODE}';
document.body.append(tag);`;
const UNMOUNT = `tag.remove();
window.Parley?.destroy?.();`;

const indented = (code: string, spaces: number) => code.replaceAll('\n', `\n${' '.repeat(spaces)}`);

const REACT = `import { useEffect } from 'react';

export function ParleyChat() {
  useEffect(() => {
    ${indented(MOUNT, 4)}
    return () => {
      ${indented(UNMOUNT, 6)}
    };
  }, []);
  return null;
}`;

const NEXT = `import Script from 'next/script';

export default function RootLayout({ children }) {
  return (
    <html lang="en">
      <body>
        {children}
        <Script src="${DOC_ORIGIN}/widget.js" data-site-id="${DOC_WIDGET_CODE}" />
      </body>
    </html>
  );
}`;

const VUE = `import { onMounted, onUnmounted } from 'vue';

export function useParley() {
  let tag;
  onMounted(() => {
    ${indented(MOUNT.replace('const ', ''), 4)}
  });
  onUnmounted(() => {
    ${indented(UNMOUNT, 4)}
  });
}`;

const ANGULAR = `import { Component, type OnDestroy, type OnInit } from '@angular/core';

declare global {
  interface Window {
    Parley?: { destroy?(): void };
  }
}

@Component({ selector: 'parley-chat', template: '' })
export class ParleyChat implements OnInit, OnDestroy {
  private tag?: HTMLScriptElement;

  ngOnInit() {
    if (typeof document === 'undefined') return; // rendered on a server
    ${indented(MOUNT, 4)}
    this.tag = tag;
  }

  ngOnDestroy() {
    this.${indented(UNMOUNT.replace('tag.', 'tag?.'), 4)}
  }
}`;

const TAG_MANAGER = `<script>
  window.ParleySettings = { siteId: '${DOC_WIDGET_CODE}' };
  (function () {
    var tag = document.createElement('script');
    tag.src = '${DOC_ORIGIN}/widget.js';
    document.body.appendChild(tag);
  })();
</script>`;

const SETTINGS = `<script>
  window.ParleySettings = {
    siteId: '${DOC_WIDGET_CODE}',
    position: 'left',
    color: '#0b3d2e',
    offset: '90 20',
  };
</script>
<script src="${DOC_ORIGIN}/widget.js" async></script>`;

const paste = (title: string, text: string): Step => ({ title, text, code: TAG });

const PLATFORMS: DocTutorial[] = [
  {
    id: 'html',
    title: 'HTML',
    description: 'Any website whose pages you can edit. With Turbo, the chat stays open from visit to visit.',
    steps: [
      paste('Paste the tag', 'Just before `</body>` of each page, or once into the template that your pages share.'),
      { title: 'Publish', text: 'Upload the pages, or deploy your website.' },
    ],
  },
  {
    id: 'wordpress',
    title: 'WordPress',
    description: 'With the free plugin WPCode. Nothing in your theme has to be changed, so updates keep the chat.',
    steps: [
      {
        title: 'Install WPCode',
        text: 'In the administration of WordPress, under `Plugins`, `Add New Plugin`. Search for `WPCode`, install and activate it.',
      },
      paste('Paste the tag', 'Under `Code Snippets`, `Header & Footer`, into the box `Footer`. Then save the changes.'),
      {
        title: 'Empty the cache',
        text: 'If a plugin caches your pages, empty its cache. It may delay scripts; if it combines them into one file, exclude `widget.js` from that.',
      },
    ],
  },
  {
    id: 'shopify',
    title: 'Shopify',
    description: 'On all pages of your theme. The checkout is not a part of the theme.',
    steps: [
      {
        title: 'Open the code of your theme',
        text: 'In the administration of Shopify, under `Online Store`, `Themes`: the button with three dots, then `Edit code`.',
      },
      paste('Paste the tag', 'In the folder `layout`, open `theme.liquid`, and paste it just before `</body>`.'),
      { title: 'Save', text: 'The chat is on your shop at once.' },
    ],
  },
  {
    id: 'wix',
    title: 'Wix',
    description: 'Wix asks for a paid plan, and a published website with a domain of its own.',
    steps: [
      {
        title: 'Open the custom code',
        text: 'In the dashboard of your website: `Settings`, `Custom Code`, then `Add Custom Code`.',
      },
      paste('Paste the tag', 'Give it a name such as `Chat`.'),
      {
        title: 'Choose where it goes',
        text: 'Under `Add Code to Pages`: `All pages`, `Load code once`. Under `Place Code in`: `Body - end`. Then `Apply`.',
      },
    ],
  },
  {
    id: 'squarespace',
    title: 'Squarespace',
    description: 'Squarespace asks for a plan with code injection; the Personal plan has none.',
    steps: [
      {
        title: 'Open the code injection',
        text: 'Under `Website`, `Pages`, `Website Tools`, `Code Injection`. On older websites: `Settings`, `Advanced`, `Code Injection`.',
      },
      paste('Paste the tag', 'Into the box `Footer`. Then `Save`.'),
    ],
  },
  {
    id: 'google-tag-manager',
    title: 'Google Tag Manager',
    description: 'Tag Manager drops the data attributes of script tags, so the settings are in a variable.',
    steps: [
      { title: 'Add a tag', text: 'Under `Tags`, `New`. As its type choose `Custom HTML`.' },
      { title: 'Paste the code', text: 'Into the field `HTML`.', code: { language: 'html', code: TAG_MANAGER } },
      {
        title: 'Choose the trigger',
        text: '`All Pages`. Then save the tag, and `Submit` and `Publish` the container.',
      },
    ],
  },
  {
    id: 'react',
    title: 'React',
    description:
      'If the chat is on all screens, the tag in `index.html` is enough. On some screens, it is a component.',
    steps: [
      { title: 'Add the component', text: 'As `ParleyChat.jsx`.', code: { language: 'jsx', code: REACT } },
      {
        title: 'Use it',
        text: 'Put `<ParleyChat />` on the screens with a chat. It takes the chat off the page when it is unmounted; the conversation is kept.',
      },
    ],
  },
  {
    id: 'nextjs',
    title: 'Next.js',
    description: 'With the App Router, on all pages.',
    steps: [
      {
        title: 'Add the script to the layout',
        text: 'In `app/layout.jsx`, at the end of the body.',
        code: { language: 'jsx', code: NEXT },
      },
      { title: 'Deploy', text: 'The chat stays while visitors go from page to page.' },
    ],
  },
  {
    id: 'vue',
    title: 'Vue',
    description:
      'If the chat is on all screens, the tag in `index.html` is enough. On some screens, it is a composable.',
    steps: [
      { title: 'Add the composable', text: 'As `useParley.js`.', code: { language: 'js', code: VUE } },
      {
        title: 'Use it',
        text: 'Call `useParley()` in `<script setup>` of the screens with a chat. It takes the chat off the page when they are unmounted; the conversation is kept.',
      },
    ],
  },
  {
    id: 'angular',
    title: 'Angular',
    description:
      'If the chat is on all screens, the tag in `index.html` is enough. On some screens, it is a component.',
    steps: [
      { title: 'Add the component', text: 'As `parley-chat.ts`.', code: { language: 'ts', code: ANGULAR } },
      {
        title: 'Use it',
        text: 'Import `ParleyChat` and put `<parley-chat />` into the templates with a chat. It takes the chat off the page when it is destroyed; the conversation is kept.',
      },
    ],
  },
];

/** How to install the widget on many kinds of websites. */
export const install: DocInstall = {
  title: 'Install the chat',
  description: 'Choose how your website is made. Each snippet is run in a browser before each release.',
  platforms: PLATFORMS,
  sections: [
    {
      id: 'settings',
      title: 'Settings in a variable',
      text: [
        'Where a script tag cannot have attributes, `window.ParleySettings` has the same settings: `siteId`, `position`, `color`, `language`, `theme`, `open`, `hidden`, `zIndex` and `offset`. It is read once, when the script runs. An attribute of the tag overrides it.',
      ],
      code: [{ language: 'html', code: SETTINGS }],
      links: [{ text: 'What each setting does', href: '/docs?tab=embed-code#attributes' }],
    },
    {
      ...POLICY,
      items: [
        'A snippet with code of its own, such as that for Google Tag Manager, needs your nonce as well.',
        'With `strict-dynamic`, the tag needs the nonce, and may then load the rest.',
        'With Trusted Types, put the tag into the HTML: a script that is added by code needs a policy of yours.',
      ],
    },
  ],
};
