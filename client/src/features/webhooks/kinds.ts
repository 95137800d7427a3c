import { TELEGRAM_API_URL, type Webhook, type WebhookKind } from 'server/contract';
import { msg, t } from '../../lib/i18n.ts';

interface KindWords {
  label: string;
  /** Where to find the address. */
  hint: string;
  placeholder: string;
}

/** Where a webhook can lead, in words. The most used come first. */
export const KINDS: Record<WebhookKind, KindWords> = {
  slack: {
    label: msg('Slack'),
    hint: msg('In Slack, add the app “Incoming WebHooks” to a channel and copy the webhook URL that it shows.'),
    placeholder: 'https://hooks.slack.com/services/…',
  },
  teams: {
    label: msg('Microsoft Teams'),
    hint: msg(
      'In Teams, open the menu of a channel, choose Workflows, add “Send webhook alerts to a channel” and copy its URL.',
    ),
    placeholder: 'https://….api.powerplatform.com/…/workflows/…',
  },
  discord: {
    label: msg('Discord'),
    hint: msg('In Discord, open the settings of a channel, choose Integrations, add a webhook and copy its URL.'),
    placeholder: 'https://discord.com/api/webhooks/…',
  },
  mattermost: {
    label: msg('Mattermost'),
    hint: msg('In Mattermost, choose Integrations, add an incoming webhook and copy its URL.'),
    placeholder: 'https://mattermost.example.com/hooks/…',
  },
  telegram: {
    label: msg('Telegram'),
    hint: msg('Only another one if you run a Bot API server yourself.'),
    placeholder: TELEGRAM_API_URL,
  },
  custom: {
    label: msg('Your own program'),
    hint: msg('Begins with https:// and can be reached from the internet.'),
    placeholder: 'https://example.com/parley',
  },
};
export const KIND_ORDER = Object.keys(KINDS) as WebhookKind[];

/** So many characters at the end of an address tell two of the same service apart. */
const END_LENGTH = 4;

/** What a webhook is called, and where it leads. The address of a ready-made target is a secret, so it is not shown whole. */
export function namesOf({ kind, url, telegramChat }: Webhook): { name: string; where: string | null } {
  if (kind === 'custom') return { name: url ? new URL(url).host : t('Unreadable webhook'), where: url };
  const name = t(KINDS[kind].label);
  if (url === null) return { name, where: null };
  if (telegramChat) return { name, where: t('Chat {chat}', { chat: telegramChat }) };
  return { name, where: `${new URL(url).host}/…${url.slice(-END_LENGTH)}` };
}
