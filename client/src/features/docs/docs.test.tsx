import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi, Refusal } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { makeSite, makeUser } from '../../../test/make.ts';
import DocsPage from './DocsPage.tsx';

const OVERVIEW = {
  title: 'Parley documentation',
  description: 'Put a chat on your website.',
  version: '9.9.9',
  sections: [
    { id: 'quick-start', title: 'Quick start', text: ['Press `Add Website` first.'], items: ['Copy the tag.'] },
  ],
};

const EMBED = {
  title: 'Embed code',
  description: 'One line.',
  sections: [
    {
      id: 'script-tag',
      title: 'The script tag',
      text: [],
      links: [{ text: 'Types', href: '/parley.d.ts' }],
      code: [
        {
          language: 'html' as const,
          code: '<script src="https://chat.example.com/widget.js" data-site-id="YOUR_SITE_ID">',
        },
      ],
    },
  ],
  parameters: [{ name: 'data-site-id', type: 'string', required: true, description: 'The widget code.' }],
};

const tutorial = (id: string, title: string) => ({
  id,
  title,
  description: `For ${title}.`,
  steps: [{ title: 'Paste', text: '', code: { language: 'html' as const, code: `${id}:YOUR_SITE_ID` } }],
});

function start(path: string, { signedIn = false, broken = false } = {}) {
  const api = fakeApi();
  let answers = !broken;
  api.on('GET /docs', () => (answers ? OVERVIEW : new Refusal(404, { code: 'NOT_FOUND', message: 'No.' })));
  api.on('GET /docs/embed-code', EMBED);
  api.on('GET /docs/api-endpoints', {
    title: 'API Reference',
    description: 'Calls.',
    sections: [],
    endpoints: [
      {
        id: 'calls-chats',
        title: 'Chats',
        endpoints: [
          {
            id: 'get-chats',
            method: 'GET',
            path: '/chats',
            description: 'The chats of all sites',
            audience: 'staff',
            parameters: [{ name: 'status', type: 'string', required: false, description: 'one of `all`', in: 'query' }],
          },
        ],
      },
    ],
  });
  api.on('GET /docs/javascript-api', {
    title: 'JavaScript API',
    description: 'Calls of the page.',
    sections: [],
    methods: [
      {
        id: 'open',
        name: 'open()',
        description: 'Opens the chat.',
        parameters: [],
        example: { language: 'js', code: 'Parley.open();' },
      },
    ],
    events: [],
  });
  api.on('GET /docs/examples', {
    title: 'Examples',
    description: 'Whole ways.',
    sections: [],
    tutorials: [
      {
        id: 'answer',
        title: 'Answer a chat',
        description: 'From a script.',
        steps: [{ title: 'Log in', text: 'First.', code: { language: 'js', code: 'login();' } }],
      },
    ],
  });
  api.on('GET /sites', { sites: [makeSite({ widgetCode: 'w_own' })], limit: 3 });
  const mend = () => {
    answers = true;
  };
  const routes = [{ path: '/docs', Component: DocsPage }];
  return { ...startApp(routes, path, { api, ...(signedIn && { signedInAs: makeUser() }) }), mend };
}

it('has five tabs and a link back to the main page', async () => {
  const { user, path } = start('/docs');
  expect(await screen.findByRole('heading', { name: 'Parley documentation' })).toBeTruthy();
  const tabs = screen.getAllByRole('tab').map((tab) => tab.textContent);
  expect(tabs).toEqual(['Overview', 'Embed Code', 'API Reference', 'JavaScript API', 'Examples']);
  expect(screen.getByRole('link', { name: 'Back to main page' }).getAttribute('href')).toBe('/');
  expect(screen.getByText('Version 9.9.9')).toBeTruthy();
  expect(screen.getByText('Add Website').tagName).toBe('CODE');
  const contents = within(screen.getByRole('navigation', { name: 'On this page' }));
  expect(contents.getByRole('link', { name: 'Quick start' }).getAttribute('href')).toBe('#quick-start');

  await user.click(screen.getByRole('tab', { name: 'API Reference' }));
  expect(await screen.findByText('/chats')).toBeTruthy();
  expect(path()).toBe('/docs?tab=api-endpoints');
  await user.click(screen.getByRole('tab', { name: 'JavaScript API' }));
  expect(await screen.findByText('Parley.open();')).toBeTruthy();
  await user.click(screen.getByRole('tab', { name: 'Examples' }));
  expect(await screen.findByText('login();')).toBeTruthy();
});

it('shows the page about webhooks below the API Reference, which leads back', async () => {
  const { user, path, api } = start('/docs?tab=webhooks');
  api.on('GET /docs/webhooks', {
    title: 'Webhooks for servers',
    description: '',
    sections: [{ id: 'events', title: 'Events', text: [] }],
  });
  expect(await screen.findByRole('heading', { level: 1, name: 'Webhooks for servers' })).toBeTruthy();
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe('API Reference');
  await user.click(screen.getByRole('tab', { name: 'API Reference' }));
  expect(await screen.findByText('/chats')).toBeTruthy();
  expect(path()).toBe('/docs?tab=api-endpoints');
});

it('fills in your own widget code and address when you are signed in', async () => {
  start('/docs?tab=embed-code', { signedIn: true });
  await waitFor(() =>
    expect(screen.getByText(/widget\.js/).textContent).toBe(
      `<script src="${location.origin}/widget.js" data-site-id="w_own">`,
    ),
  );
  expect(screen.getByRole('link', { name: 'Types' }).getAttribute('href')).toBe('/parley.d.ts');
});

it('guides to install the chat on the chosen kind of website, with the code of the chosen site', async () => {
  const { user, path, api } = start('/docs?tab=install&site=site-2', { signedIn: true });
  const [first, second] = [
    makeSite({ _id: 'site-1', name: 'Shop', widgetCode: 'w_shop' }),
    makeSite({ _id: 'site-2', name: 'Blog', widgetCode: 'w_blog' }),
  ];
  api.on('GET /sites', { sites: [first, second], limit: 3 });
  api.on('GET /docs/install', {
    title: 'Install the chat',
    description: '',
    sections: [],
    platforms: [tutorial('html', 'HTML'), tutorial('wordpress', 'WordPress')],
  });
  expect(await screen.findByText('html:w_blog')).toBeTruthy();
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Embed Code');

  const kinds = within(screen.getByRole('navigation', { name: 'Kind of website' }));
  await user.click(kinds.getByRole('link', { name: 'WordPress' }));
  expect(await screen.findByText('wordpress:w_blog')).toBeTruthy();
  expect(kinds.getByRole('link', { current: true }).textContent).toBe('WordPress');
  expect(path()).toBe('/docs?tab=install&site=site-2&platform=wordpress');

  await user.click(screen.getByRole('combobox', { name: 'Website' }));
  await user.click(await screen.findByRole('option', { name: 'Shop' }));
  expect(await screen.findByText('wordpress:w_shop')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Check now' }).getAttribute('href')).toBe(
    '/dashboard/sites/site-1?tab=embed',
  );
});

it('shows a placeholder when you are signed out', async () => {
  start('/docs?tab=embed-code');
  expect((await screen.findByText(/widget\.js/)).textContent).toContain('data-site-id="YOUR_SITE_ID"');
});

it('shows an error when it cannot be loaded, and retries', async () => {
  const { user, mend } = start('/docs', { broken: true });
  expect(await screen.findByText('Failed to load documentation')).toBeTruthy();
  mend();
  await user.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('heading', { name: 'Parley documentation' })).toBeTruthy();
});

it('opens although the part of the address after # is malformed', async () => {
  start('/docs#%');
  expect(await screen.findByText('Copy the tag.')).toBeTruthy();
});
