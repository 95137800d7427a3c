import { API_KEY_SCOPES, API_KEYS_MAX, type ApiKeyScope } from '#features/apikeys/contract';
import { LIMITS } from '#platform/http';
import { DOC_ORIGIN, type DocPage } from '../contract.ts';

const SCOPES: Record<ApiKeyScope, string> = {
  read: 'Reads chats, visitors, teams, reports and websites. It changes nothing.',
  reply: 'Also answers, claims, tags, closes and hands over chats, writes notes, and edits and blocks visitors.',
  manage:
    'Also changes websites, teams, webhooks and canned replies, and deletes chats, visitors and websites. It can read the secrets of webhooks and identity verification.',
};

/** How programs use the REST API. */
export const apiKeys: DocPage = {
  title: 'API keys',
  description: 'With an API key, your own program can read and answer chats, and look after websites.',
  sections: [
    {
      id: 'create',
      title: 'Create an API key',
      text: [
        `In the dashboard, open \`Settings\` and \`Security\`. \`Create API key\` asks for a name, for what the key may do and on which websites, and for your password and, where two-factor authentication is on, a code. You can have up to ${API_KEYS_MAX} keys: make one for each program, so that you can revoke them one by one.`,
        'The key is shown this once. Keep it where your program keeps its passwords, never in the code of a website or an app. All keys begin with `parley_`, so tools that search for leaked secrets find them.',
      ],
    },
    {
      id: 'use',
      title: 'Use it',
      text: ['Send the key as a bearer token. A program needs no cookies, and none are set.'],
      code: [
        {
          language: 'sh',
          code: `curl -H "Authorization: Bearer $PARLEY_KEY" "${DOC_ORIGIN}/api/chats?status=waiting"`,
        },
        {
          language: 'sh',
          code: `curl -X POST -H "Authorization: Bearer $PARLEY_KEY" -H "Content-Type: application/json" \\
  -d '{ "content": "Your order is on its way." }' ${DOC_ORIGIN}/api/chats/CHAT_ID/messages`,
        },
      ],
      links: [{ text: 'All calls, with the scope that each needs', href: '/docs?tab=api-endpoints' }],
    },
    {
      id: 'scopes',
      title: 'Scopes',
      text: ['Each scope in the table has everything of the ones above it.'],
      table: {
        head: ['Scope', 'What it allows'],
        rows: API_KEY_SCOPES.map((scope) => [`\`${scope}\``, SCOPES[scope]]),
      },
      items: [
        'A key never allows more than your role on the website does. If your role changes, or you leave a team, that applies to your keys at once.',
        'A key for some websites sees nothing of the others, in lists, searches, exports and figures alike. It cannot add websites.',
        'No key reaches your account: your password, your sessions, your settings, your API keys, leaving teams, handing over websites, or the administration of the server.',
        'Keys are for the REST API. Dashboard connections over Socket.IO refuse them with `API_KEY_REFUSED`. To hear of events, use webhooks.',
      ],
      links: [{ text: 'Webhooks', href: '/docs?tab=webhooks' }],
    },
    {
      id: 'lifetime',
      title: 'How long a key works',
      text: [
        'A key works until it expires or you revoke it, and revoking takes effect with the next call. The settings show when each key was last used, to about a minute.',
      ],
      items: [
        'Signing out and a new password, also one set with a link from a mail, end no key. If somebody else had access to your account, look through your keys, too.',
        'While an account is suspended, its keys do not work. With an account, its keys are deleted.',
        'Webhooks that were made or last changed with a key are switched off when the key expires or is revoked.',
        'When a website is deleted, it is taken out of all keys. A key that has no website left reaches nothing.',
        'Parley stores only a hash of each key, so nobody can read it again.',
      ],
    },
    {
      id: 'answers',
      title: 'Limits and refusals',
      text: [
        `A key may make ${LIMITS.callsPerKey.max} calls a minute, unless the administrator of the server has changed that. With status \`429\`, wait as many seconds as \`Retry-After\` says. The limits of your account, such as those of sent messages, count for your keys, too.`,
      ],
      items: [
        '`401 API_KEY_INVALID` the key is mistyped, was revoked or has expired',
        '`403 API_KEY_SCOPE` the scope of the key does not allow it',
        '`403 API_KEY_REFUSED` no API key may make this call',
        '`403 API_KEY_SITES` a key for some websites cannot add others',
        '`404` also for a website that the key is not for',
      ],
    },
  ],
};
