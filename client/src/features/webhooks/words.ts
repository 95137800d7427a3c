import type { Delivery, DeliveryFailure, WebhookEvent } from 'server/contract';
import { msg, plural, t } from '../../lib/i18n.ts';

/** The events in English words, in their order. */
export const EVENT_WORDS: Record<WebhookEvent, [label: string, hint: string]> = {
  'chat.opened': [msg('Chat opened'), msg('A visitor has written a first message.')],
  'message.created': [msg('Message'), msg('A visitor or a team member has written.')],
  'message.updated': [msg('Message corrected'), msg('Its author has corrected it.')],
  'message.deleted': [msg('Message deleted'), msg('Its author has deleted it.')],
  'chat.claimed': [msg('Chat claimed'), msg('A team member has the chat now.')],
  'chat.handed_back': [msg('Chat handed back'), msg('It waits for a team member again.')],
  'chat.closed': [msg('Chat closed'), msg('By the team, the visitor or the server.')],
  'chat.reopened': [msg('Chat reopened'), msg('A team member has opened a closed chat again.')],
  'chat.rated': [msg('Chat rated'), msg('A visitor has rated a chat.')],
  'visitor.identified': [msg('Visitor identified'), msg('It became known who a visitor is.')],
  'assistant.answered': [msg('Assistant answered'), msg('From your articles, before a person did.')],
  'assistant.handed_over': [msg('Assistant handed over'), msg('A visitor of the assistant waits for a person.')],
  'article.published': [msg('Article published'), msg('Readers of the help centre see it, or see it changed.')],
};

/** An event of the log in words. */
export function eventWords(event: Delivery['event']): string {
  if (event === 'webhook.test') return t('Test');
  return event === 'rule.applied' ? t('Rule applied') : t(EVENT_WORDS[event][0]);
}

const FAILURES: Record<Exclude<DeliveryFailure, 'status'>, string> = {
  timeout: msg('The receiver did not answer in time'),
  connection: msg('The receiver could not be reached'),
  certificate: msg('The certificate of the receiver is not valid'),
  private_address: msg('The address is not on the public internet'),
  secret: msg('The webhook was encrypted with another DATA_KEY: enter its address again'),
};

/** What came of a delivery, as a sentence without a full stop. */
export function outcomeWords({ failure, answerStatus, status, count }: Delivery): string {
  if (status === 'dropped' && count > 1)
    return plural(
      count,
      '{count} event dropped, because too many were waiting',
      '{count} events dropped, because too many were waiting',
    );
  if (status === 'dropped') return t('Dropped, because too many events were waiting');
  if (!failure)
    return answerStatus === null
      ? t('Waiting to be sent')
      : t('The receiver answered {status}', { status: answerStatus });
  return failure === 'status'
    ? t('The receiver refused it, with status {status}', { status: answerStatus ?? '–' })
    : t(FAILURES[failure]);
}
