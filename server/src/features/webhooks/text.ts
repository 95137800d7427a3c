import { linesOf, mailName, oneLine } from '#platform/mail';
import { withoutFormatting } from '#platform/text/formatting/contract';
import { WEBHOOK_EXCERPT_MAX_LENGTH, type WebhookMessage, type WebhookPayload } from './contract.ts';

const LINES_MAX = 10;

/** An event as people read it, without any markup. */
export interface ReadableMessage {
  /** Who did what, in one line. */
  title: string;
  /** What was written; empty: nothing. */
  excerpt: string;
  /** The name of the website. */
  site: string;
  /** Opens the chat, or the article's page; null: there is none, or the server has no `PUBLIC_URL`. */
  url: string | null;
}

/** Says in words what an event's payload says. Names and texts come without characters that reverse or hide text. */
export function readable({ type, data }: WebhookPayload): ReadableMessage {
  const [title, text] = wordsOf(type, data);
  const site = mailName(data.site.name, 'your website');
  return { title, excerpt: excerptOf(text ?? ''), site, url: data.chat?.url ?? data.article?.url ?? null };
}

function wordsOf(
  type: WebhookPayload['type'],
  { visitor, message, by, rating, article, rule }: WebhookPayload['data'],
): [title: string, text?: string | null | undefined] {
  const who = visitor?.name ? mailName(visitor.name, 'A visitor') : oneLine(visitor?.email ?? '') || 'A visitor';
  switch (type) {
    case 'webhook.test':
      return ['Parley is connected', 'This is a test. What happens on this website is told here.'];
    case 'chat.opened':
      return [`${who} has opened a chat`, textOf(message)];
    case 'message.created': {
      const did = message?.type === 'file' ? 'sent a file' : 'wrote';
      const title = message?.sender === 'visitor' ? `${who} ${did}` : `${authorOf(message, who)} ${did} to ${who}`;
      return [title, textOf(message) || 'Deleted message'];
    }
    case 'message.updated':
      return [`${authorOf(message, who)} has corrected a message`, textOf(message)];
    case 'message.deleted':
      return [`${authorOf(message, who)} has deleted a message`];
    case 'chat.handed_back':
      return [`The chat with ${who} waits again`];
    case 'chat.reopened':
      return [`${mailName(by?.name, 'A team member')} has opened the chat with ${who} again`];
    case 'chat.claimed':
      return [`${mailName(by?.name, 'A team member')} has the chat with ${who} now`];
    case 'chat.closed':
      return [by ? `${mailName(by.name, 'A team member')} has closed the chat with ${who}` : `Chat with ${who} closed`];
    case 'chat.rated':
      return [`${who} has rated the chat: ${rating?.score ?? '–'} of 5`, rating?.comment];
    case 'visitor.identified':
      return [`A visitor is known now: ${who}`, [visitor?.email, visitor?.phone].filter(Boolean).join(' · ')];
    case 'assistant.answered':
      return [`The assistant has answered ${who}`, textOf(message)];
    case 'assistant.handed_over':
      return [`${who} waits for a person now`];
    case 'rule.applied':
      return [`${mailName(rule?.name, 'A rule')}: the chat with ${who}`, textOf(message)];
    case 'article.published':
      return [`${mailName(by?.name, 'A team member')} has published an article`, article?.title];
  }
}

const textOf = (message: WebhookMessage | undefined) =>
  message?.formatted ? withoutFormatting(message.content, true) : message?.content;

const authorOf = (message: WebhookMessage | undefined, who: string) =>
  message?.sender === 'visitor'
    ? who
    : mailName(message?.senderName, message?.sender === 'assistant' ? 'The assistant' : 'The team');

/** The beginning of a text. */
function excerptOf(text: string): string {
  const lines = linesOf(text.trim());
  const characters = [...lines.slice(0, LINES_MAX).join('\n')];
  if (characters.length <= WEBHOOK_EXCERPT_MAX_LENGTH && lines.length <= LINES_MAX) return characters.join('');
  return `${characters
    .slice(0, WEBHOOK_EXCERPT_MAX_LENGTH - 1)
    .join('')
    .trim()}…`;
}
