import {
  WEBHOOK_ANSWER_MAX_S,
  WEBHOOK_EXCERPT_MAX_LENGTH,
  WEBHOOK_TRIED_HOURS,
  WEBHOOKS_MAX,
  type WebhookEvent,
  type WebhookKind,
  type WebhookPayload,
} from '#features/webhooks/contract';
import type { DocPage } from '../contract.ts';

/** When each event happens, and the parts of `data` beside `site`. */
const EVENTS: Record<WebhookEvent, [when: string, data: string]> = {
  'chat.opened': ['A chat has got its first message.', '`visitor`, `chat`, `message`'],
  'message.created': ['A visitor or a team member has written.', '`visitor`, `chat`, `message`'],
  'message.updated': [
    'The author of a message has corrected it. `message` is the new one.',
    '`visitor`, `chat`, `message`',
  ],
  'message.deleted': ['The author of a message has deleted it. `content` is empty.', '`visitor`, `chat`, `message`'],
  'chat.claimed': [
    'A team member has a chat now: `by`. `how` is `claimed`, `assigned` (by the server, also to the next one when nobody answers), `transferred` or `reopened`; `from` is who had it before, or `null`.',
    '`visitor`, `chat`, `by`, `from`, `how`',
  ],
  'chat.handed_back': [
    'A chat that `from` had waits again. `by` is the member who gave it back; `null` is the server.',
    '`visitor`, `chat`, `by`, `from`',
  ],
  'chat.closed': [
    'A chat was closed. `by` is the member; `null` is the visitor or the server.',
    '`visitor`, `chat`, `by`',
  ],
  'chat.reopened': [
    'A team member has opened a closed chat again: `by`. `chat.claimed` follows.',
    '`visitor`, `chat`, `by`',
  ],
  'chat.rated': ['A visitor has rated a chat, or changed the rating.', '`visitor`, `chat`, `rating`'],
  'visitor.identified': [
    'A visitor, or your website, has said who the visitor is: a new name, e-mail, phone number or id.',
    '`visitor`',
  ],
};

const EXAMPLE: WebhookPayload = {
  type: 'message.created',
  timestamp: '2027-03-04T09:30:12.345Z',
  data: {
    site: { _id: '65f0c0ffee65f0c0ffee0001', name: 'Corner Shop' },
    visitor: {
      _id: '65f0c0ffee65f0c0ffee0002',
      name: 'Mina Park',
      email: 'mina@example.com',
      phone: null,
      userId: null,
      verified: false,
    },
    chat: {
      _id: '65f0c0ffee65f0c0ffee0003',
      status: 'waiting',
      claimedBy: null,
      tags: [],
      createdAt: '2027-03-04T09:30:12.000Z',
      url: 'https://chat.example.com/dashboard/inbox?chat=65f0c0ffee65f0c0ffee0003',
    },
    message: {
      _id: '65f0c0ffee65f0c0ffee0004',
      seq: 1,
      sender: 'visitor',
      senderName: 'Mina Park',
      type: 'text',
      content: 'Do you ship to Spain?',
      createdAt: '2027-03-04T09:30:12.000Z',
      editedAt: null,
      deletedAt: null,
    },
  },
};

const VERIFY = `// \`body\` is the text of the request as it came, before it is parsed.
async function verifyWebhook(secret, headers, body) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) throw new Error('This request is too old.');
  const bytes = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes(secret.replace('whsec_', '')), hmac, false, ['verify']);
  const signed = new TextEncoder().encode(id + '.' + timestamp + '.' + body);
  for (const each of headers['webhook-signature'].split(' ')) {
    const [version, signature] = each.split(',');
    if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, bytes(signature), signed))) return JSON.parse(body);
  }
  throw new Error('This request is not signed with the secret.');
}`;

/** Where the address of each ready-made target comes from. */
const READY_MADE: Record<Exclude<WebhookKind, 'custom'>, [name: string, how: string, looks: string]> = {
  slack: [
    'Slack',
    'Add the app “Incoming WebHooks” to a channel, or make an app of your own with an incoming webhook, and copy the webhook URL.',
    '`https://hooks.slack.com/services/…`',
  ],
  teams: [
    'Microsoft Teams',
    'Open the menu of a channel, choose `Workflows`, add “Send webhook alerts to a channel” and copy the URL. The connectors of before are gone.',
    'an address with `/workflows/` in it',
  ],
  discord: [
    'Discord',
    'Open the settings of a channel, choose `Integrations`, add a webhook and copy its URL. `?thread_id=…` at its end leads to a thread.',
    '`https://discord.com/api/webhooks/…`',
  ],
  mattermost: [
    'Mattermost',
    'Choose `Integrations` in the product menu, add an incoming webhook and copy its URL.',
    'an address with `/hooks/` in it',
  ],
  telegram: [
    'Telegram',
    'Write `/newbot` to @BotFather: it makes a bot and shows its token. Add the bot to your group or channel. Its ID is in the address of web.telegram.org; a public channel can be named with an `@`.',
    'a bot token such as `123456789:AA…`, and a chat ID such as `-1001234567890`',
  ],
};

/** How to receive webhooks. */
export const webhooks: DocPage = {
  title: 'Webhooks',
  description: 'Parley tells a chat service or a program of yours what happens on your website, as it happens.',
  sections: [
    {
      id: 'set-up',
      title: 'Set up a webhook',
      text: [
        `An admin adds webhooks under \`Webhooks\` in the settings of a website, up to ${WEBHOOKS_MAX} of them: a chat service or a program, its address, which begins with \`https://\`, and the events that it gets. \`Send a test\` shows at once what it answers.`,
        'The address must be reachable from the internet. Private networks are refused, except hosts that whoever runs Parley has listed in `WEBHOOK_HOSTS`; redirects are not followed, and certificates have to be valid.',
      ],
    },
    {
      id: 'ready-made',
      title: 'Slack, Teams, Discord, Mattermost, Telegram',
      text: [
        'These get a message that people read: who, on which website, what happened, the beginning of the text, and a link that opens the chat. Paste the address, choose the events, and a test arrives at once.',
      ],
      table: {
        head: ['Service', 'Where to find the address', 'What it looks like'],
        rows: Object.values(READY_MADE),
      },
      items: [
        'The link needs `PUBLIC_URL`, the address at which your team opens Parley.',
        `Of a long text the first ${WEBHOOK_EXCERPT_MAX_LENGTH} characters are sent. What visitors write arrives as plain text: it mentions nobody, and no link says something else than where it leads.`,
        'Where both `chat.opened` and `message.created` are chosen, the first message of a chat is told once.',
        'If a service says that there were too many messages, Parley waits as long as it asks. All that is said under Delivery holds for these, too; signatures are for programs only.',
        'Whoever has such an address can write to the channel. Parley keeps it encrypted, and shows it to admins of the website only; the token of a bot is never shown again, and has to be entered again when the address gets another host.',
      ],
    },
    {
      id: 'events',
      title: 'Events',
      text: [
        'To a program, each request is a `POST` with JSON: the `type` of the event, its time as `timestamp`, and `data`. `data.site` is always there; the other parts depend on the event. They have the state at the time of sending.',
      ],
      table: {
        head: ['Type', 'When', 'In `data`'],
        rows: Object.entries(EVENTS).map(([type, [when, data]]) => [`\`${type}\``, when, data]),
      },
      code: [{ language: 'json', code: JSON.stringify(EXAMPLE, null, 2) }],
    },
    {
      id: 'verify',
      title: 'Check the signature',
      text: [
        'Anyone could send requests to your address. Requests from Parley are signed as Standard Webhooks (standardwebhooks.com) describes it, with the secret that the settings show: the header `webhook-signature` has an HMAC with SHA-256 of `webhook-id`, `webhook-timestamp` and the body. Libraries for most languages can check it. In JavaScript it takes no library:',
      ],
      code: [{ language: 'js', code: VERIFY }],
      items: [
        'With `New secret`, the old secret signs beside the new one for a day, so you can change your program in your own time.',
      ],
    },
    {
      id: 'delivery',
      title: 'Delivery',
      text: [
        `Answer with any status from 200 to 299 within ${WEBHOOK_ANSWER_MAX_S} seconds. Do longer work afterwards. Everything else counts as a failure.`,
      ],
      items: [
        'Every event is sent at least once. It can come twice: `webhook-id` is the same each time, so remember the ids that you have handled.',
        'A body is made when it is sent. So a second try with the same `webhook-id` has the same `type` and `timestamp`, the same `by`, `from` and `how`, but the visitor, the chat and the text of the message as they are by then. Do not compare bodies.',
        'The events of one chat come in their order: the next one is sent when you have accepted the one before. Events of different chats come side by side.',
        `After a failure, Parley tries again after 5 seconds, then less and less often, for ${WEBHOOK_TRIED_HOURS} hours. If nothing was accepted for ${WEBHOOK_TRIED_HOURS} hours, the webhook is switched off: the owner of the website gets a mail, and its admins a warning behind the bell.`,
        'Up to 10,000 events wait for a website, an equal part for each of its webhooks; beyond that, new ones are dropped, and the log says how many.',
        'A receiver that takes longer than two seconds gets one request at a time.',
        'What was deleted before it could be sent is not sent. Chats of bots send no events.',
        'The settings show the last deliveries with the status of each answer, and can send an event again.',
      ],
    },
  ],
};
