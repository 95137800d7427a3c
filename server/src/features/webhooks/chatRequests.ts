import type { WebhookKind, WebhookPayload } from './contract.ts';
import type { Target } from './signature.ts';
import { type ReadableMessage, readable } from './text.ts';

type ReadyMade = Exclude<WebhookKind, 'custom'>;

const LINK_TEXT = 'Open the chat';
/** Looks like nothing, and keeps what follows from being a mention. */
const ZERO_WIDTH_SPACE = '\u200b';

/** The request that delivers an event to a ready-made target. Texts of strangers arrive as plain text. */
export function chatRequest(kind: ReadyMade, target: Target, payload: WebhookPayload): { url: string; body: string } {
  const url = kind === 'telegram' ? `${withoutSlashes(target.url)}/bot${target.botToken}/sendMessage` : target.url;
  return { url, body: JSON.stringify(BODIES[kind](readable(payload), target)) };
}

function withoutSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end--;
  return url.slice(0, end);
}

const BODIES: Record<ReadyMade, (message: ReadableMessage, target: Target) => object> = {
  slack: slackBody,
  discord: discordBody,
  teams: teamsBody,
  mattermost: mattermostBody,
  telegram: telegramBody,
};

/**
 * Of `plain_text`, Slack interprets nothing. Links of strangers are not unfurled.
 * @see https://docs.slack.dev/reference/block-kit/blocks/section-block
 */
function slackBody({ title, excerpt, site, url }: ReadableMessage): object {
  const markup = (text: string) => ({ type: 'mrkdwn', verbatim: true, text });
  const context = [slackText(site), ...(url ? [`<${slackText(url)}|${LINK_TEXT}>`] : [])].join(' · ');
  return {
    // Shown in notifications.
    text: slackText([title, excerpt].filter(Boolean).join(': ')),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'section', text: markup(`*${slackText(title)}*`) },
      ...(excerpt ? [{ type: 'section', text: { type: 'plain_text', emoji: false, text: excerpt } }] : []),
      { type: 'context', elements: [markup(context)] },
    ],
  };
}

const SLACK_ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Without `<`, there are no mentions such as `<!channel>` and no links that say something else than where they lead. */
const slackText = (text: string) => text.replaceAll(/[&<>]/g, (character) => SLACK_ENTITIES[character] ?? character);

const SUPPRESS_EMBEDS = 4;

/** Mentions nobody, and previews no links. @see https://discord.com/developers/docs/resources/webhook#execute-webhook */
function discordBody(message: ReadableMessage): object {
  const content = markdownOf(message, '\n', (text) => escapeMarkdown(text, /[\\*_~`|>#[\]()<]/g));
  return { content, flags: SUPPRESS_EMBEDS, allowed_mentions: { parse: [] } };
}

/** @see https://developers.mattermost.com/integrate/webhooks/incoming */
function mattermostBody(message: ReadableMessage): object {
  const plain = (text: string) => withoutMentions(escapeMarkdown(text, /[\\*_~`|>#[\]()]/g));
  return { text: markdownOf(message, '\n\n', plain) };
}

function markdownOf(
  { title, excerpt, site, url }: ReadableMessage,
  paragraph: string,
  plain: (text: string) => string,
): string {
  const quoted = excerpt.split('\n').map((line) => `> ${plain(line)}`);
  return [
    `**${plain(title)}** · ${plain(site)}`,
    ...(excerpt ? [quoted.join('\n')] : []),
    ...(url ? [`[${LINK_TEXT}](${url})`] : []),
  ].join(paragraph);
}

/** An address that no markup can hide in; a backslash would change where it leads. */
const PLAIN_ADDRESS = /(https?:\/\/[\w/:.?&=%#~+,;-]+)/;

function escapeMarkdown(text: string, special: RegExp): string {
  // Every second part is an address.
  const parts = text.split(PLAIN_ADDRESS);
  return parts.map((part, i) => (i % 2 === 1 ? part : part.replaceAll(special, '\\$&'))).join('');
}

/** The `@` of an e-mail address stays as it is. */
const withoutMentions = (text: string) => text.replaceAll(/(?<![\p{L}\p{N}])@/gu, `@${ZERO_WIDTH_SPACE}`);

/**
 * An Adaptive Card, which is what workflows of Teams post. Unlike a `TextBlock`, a `TextRun` has no markup.
 * @see https://adaptivecards.io/explorer/RichTextBlock.html
 */
function teamsBody({ title, excerpt, site, url }: ReadableMessage): object {
  const run = (text: string, more: object = {}) => ({ type: 'TextRun', text, ...more });
  const line = (...inlines: object[]) => ({ type: 'RichTextBlock', inlines });
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.2',
    msteams: { width: 'Full' },
    body: [
      line(run(title, { weight: 'Bolder' })),
      ...(excerpt ? [line(run(excerpt))] : []),
      line(run(site, { isSubtle: true, size: 'Small' })),
    ],
    ...(url && { actions: [{ type: 'Action.OpenUrl', title: LINK_TEXT, url }] }),
  };
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content };
  return { type: 'message', attachments: [attachment] };
}

/**
 * Plain text: what is bold or a link is named by its place, in UTF-16 units as JavaScript counts them.
 * @see https://core.telegram.org/bots/api#sendmessage
 */
function telegramBody({ title, excerpt, site, url }: ReadableMessage, { telegramChat }: Target): object {
  const head = withoutMentions(title);
  const parts = [head, withoutMentions(excerpt), withoutMentions(site)].filter(Boolean);
  const before = `${parts.join('\n')}${url ? ' · ' : ''}`;
  return {
    chat_id: telegramChat,
    text: `${before}${url ? LINK_TEXT : ''}`,
    entities: [
      { type: 'bold', offset: 0, length: head.length },
      ...(url ? [{ type: 'text_link', offset: before.length, length: LINK_TEXT.length, url }] : []),
    ],
    link_preview_options: { is_disabled: true },
  };
}
