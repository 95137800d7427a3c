import { type Fault, invalid, sentence, type TranslatableText } from '#platform/http';
import type { WebhookKind, WebhookPatch } from './contract.ts';
import type { Deliverer } from './deliver.ts';
import { newSecret, type Target } from './signature.ts';

/** What an address of each kind of target looks like. Hosts are left open where companies have their own. */
const ADDRESSES: Record<Exclude<WebhookKind, 'custom'>, { isRight(url: URL): boolean; expected: TranslatableText }> = {
  slack: {
    isRight: ({ hostname, pathname }) =>
      ['hooks.slack.com', 'hooks.slack-gov.com'].includes(hostname) && /^\/services\/./.test(pathname),
    expected: sentence('Use the address of an incoming webhook in Slack: https://hooks.slack.com/services/…'),
  },
  discord: {
    isRight: ({ hostname, pathname }) =>
      /(^|\.)discord(app)?\.com$/.test(hostname) && /^\/api\/(v\d+\/)?webhooks\/\d+\/[\w-]+\/?$/.test(pathname),
    expected: sentence('Use the address of a webhook in Discord: https://discord.com/api/webhooks/…'),
  },
  // National clouds have hosts of their own; `webhookb2` is that of connectors, which came before workflows.
  teams: {
    isRight: ({ pathname }) => /\/(workflows|webhookb2)\/./.test(pathname),
    expected: sentence(
      'Use the address that the workflow in Teams shows: it begins with https:// and contains /workflows/',
    ),
  },
  mattermost: {
    isRight: ({ pathname }) => /\/hooks\/\w/.test(pathname),
    expected: sentence('Use the address of an incoming webhook in Mattermost: https://mattermost.example.com/hooks/…'),
  },
  telegram: {
    isRight: ({ pathname, search, hash }) => search === '' && hash === '' && !/\/bot\d/.test(pathname),
    expected: sentence('Use the address of the Bot API without the token: https://api.telegram.org'),
  },
};

const BOT_TOKEN = /^\d{3,20}:[\w-]{20,80}$/;
const TELEGRAM_CHAT = /^(-?\d{1,20}|@\w{4,32})$/;

const NOT_ALLOWED = sentence('Address must begin with https:// and be reachable from the internet');

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : '');

/**
 * The target of a webhook, from what was entered and what was there before.
 * @throws AppError 422 what is missing, or is not of this kind
 */
export function targetOf(
  kind: WebhookKind,
  { url = '', botToken, telegramChat }: Pick<WebhookPatch, 'url' | 'botToken' | 'telegramChat'>,
  before: Target | null,
  { isAllowed }: Pick<Deliverer, 'isAllowed'>,
): Target {
  const errors: Fault[] = [];
  const address = url || (before?.url ?? '');
  if (!isAllowed(address)) throw invalid([{ path: 'url', msg: NOT_ALLOWED }]);
  if (kind === 'custom') return { secret: newSecret(), ...before, url: address };
  const { isRight, expected } = ADDRESSES[kind];
  if (!URL.canParse(address) || !isRight(new URL(address))) errors.push({ path: 'url', msg: expected });
  const target: Target = { url: address };
  if (kind === 'telegram') {
    // A token that is never shown is not sent to another host either: whoever may change the address need not know it.
    const isKnown = botToken === undefined && before !== null && originOf(before.url) === originOf(address);
    target.botToken = botToken ?? (isKnown ? (before.botToken ?? '') : '');
    target.telegramChat = telegramChat ?? before?.telegramChat ?? '';
    if (!BOT_TOKEN.test(target.botToken))
      errors.push({ path: 'botToken', msg: sentence('Enter the token that @BotFather gave: 123456789:AA…') });
    if (!TELEGRAM_CHAT.test(target.telegramChat))
      errors.push({
        path: 'telegramChat',
        msg: sentence('Enter a number such as -1001234567890, or the @name of a channel'),
      });
  }
  if (errors.length > 0) throw invalid(errors);
  return target;
}
