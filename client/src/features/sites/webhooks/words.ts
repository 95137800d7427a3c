import type { Delivery, DeliveryFailure, WebhookEvent } from 'server/contract';

/** The events in words, in their order. */
export const EVENT_WORDS: Record<WebhookEvent, [label: string, hint: string]> = {
  'chat.opened': ['Chat opened', 'A visitor has written a first message.'],
  'message.created': ['Message', 'A visitor or a team member has written.'],
  'chat.claimed': ['Chat claimed', 'A team member has the chat now.'],
  'chat.closed': ['Chat closed', 'By the team, the visitor or the server.'],
  'chat.rated': ['Chat rated', 'A visitor has rated a chat.'],
  'visitor.identified': ['Visitor identified', 'It became known who a visitor is.'],
};

/** An event of the log in words. */
export const eventWords = (event: Delivery['event']) => (event === 'webhook.test' ? 'Test' : EVENT_WORDS[event][0]);

const FAILURES: Record<DeliveryFailure, string> = {
  status: 'The receiver refused it',
  timeout: 'The receiver did not answer in time',
  connection: 'The receiver could not be reached',
  certificate: 'The certificate of the receiver is not valid',
  private_address: 'The address is not on the public internet',
  secret: 'The webhook was encrypted with another DATA_KEY: enter its address again',
};

/** What came of a delivery, as a sentence without a full stop. */
export function outcomeWords({ failure, answerStatus, status }: Delivery): string {
  if (status === 'dropped') return 'Dropped, because too many events were waiting';
  if (!failure) return answerStatus === null ? 'Waiting to be sent' : `The receiver answered ${answerStatus}`;
  return failure === 'status' ? `${FAILURES.status}, with status ${answerStatus}` : FAILURES[failure];
}
