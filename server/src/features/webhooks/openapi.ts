import { HAND_OVER_REASONS } from '#features/assistant/contract';
import { SENDERS } from '#features/chats/contract';
import { CLAIMED_HOW, type ToldEvent, WEBHOOK_EVENTS } from './contract.ts';

const text = { type: 'string' };
const id = { type: 'string', pattern: '^[0-9a-f]{24}$' };
const time = { type: 'string', format: 'date-time' };
const orNull = (schema: { type: string }) => ({ ...schema, type: [schema.type, 'null'] });

/** An object of which every field is always there. */
const whole = (properties: Record<string, object>) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

const person = whole({ _id: id, name: text });
const PARTS = {
  site: whole({ _id: id, name: text }),
  visitor: whole({
    _id: id,
    name: orNull(text),
    email: orNull(text),
    phone: orNull(text),
    userId: orNull(text),
    verified: { type: 'boolean' },
  }),
  chat: whole({
    _id: id,
    status: { type: 'string', enum: ['waiting', 'active', 'closed'] },
    claimedBy: orNull(person),
    department: orNull(whole({ _id: id, name: text })),
    tags: { type: 'array', items: text },
    createdAt: time,
    url: orNull({ ...text, format: 'uri' } as { type: string }),
  }),
  message: whole({
    _id: id,
    seq: { type: 'integer' },
    sender: { type: 'string', enum: SENDERS },
    senderName: orNull(text),
    type: { type: 'string', enum: ['text', 'file', 'system'] },
    content: text,
    formatted: { type: 'boolean' },
    byMail: { type: 'boolean' },
    createdAt: time,
    editedAt: orNull(time),
    deletedAt: orNull(time),
  }),
  by: orNull(person),
  from: orNull(person),
  how: { type: 'string', enum: CLAIMED_HOW },
  reason: { type: 'string', enum: HAND_OVER_REASONS },
  sources: {
    type: 'array',
    items: whole({ article: id, title: text, lang: text, url: orNull({ ...text, format: 'uri' } as { type: string }) }),
  },
  rating: whole({ score: { type: 'integer' }, comment: orNull(text) }),
  rule: whole({ _id: id, name: text }),
  article: whole({ _id: id, title: text, lang: text, url: orNull({ ...text, format: 'uri' } as { type: string }) }),
} as const;

const OF_CHAT = ['site', 'visitor', 'chat'] as const;
const EVENTS: Record<ToldEvent, { summary: string; parts: readonly (keyof typeof PARTS)[] }> = {
  'chat.opened': { summary: 'A chat has got its first message', parts: [...OF_CHAT, 'message'] },
  'message.created': { summary: 'A visitor or a team member has written', parts: [...OF_CHAT, 'message'] },
  'message.updated': { summary: 'The author of a message has corrected it', parts: [...OF_CHAT, 'message'] },
  'message.deleted': { summary: 'The author of a message has deleted it', parts: [...OF_CHAT, 'message'] },
  'chat.claimed': { summary: 'A team member has a chat now', parts: [...OF_CHAT, 'by', 'from', 'how'] },
  'chat.handed_back': { summary: 'A chat waits again', parts: [...OF_CHAT, 'by', 'from'] },
  'chat.closed': { summary: 'A chat was closed', parts: [...OF_CHAT, 'by'] },
  'chat.reopened': { summary: 'A team member has opened a closed chat again', parts: [...OF_CHAT, 'by'] },
  'chat.rated': { summary: 'A visitor has rated a chat', parts: [...OF_CHAT, 'rating'] },
  'visitor.identified': { summary: 'It became known who a visitor is', parts: ['site', 'visitor'] },
  'assistant.answered': {
    summary: 'The assistant has answered a visitor',
    parts: [...OF_CHAT, 'message', 'sources'],
  },
  'assistant.handed_over': {
    summary: 'A person is to take over from the assistant',
    parts: [...OF_CHAT, 'reason'],
  },
  'article.published': { summary: 'A team member has published an article', parts: ['site', 'article', 'by'] },
  'rule.applied': { summary: 'A rule that names the webhook has applied to a chat', parts: [...OF_CHAT, 'rule'] },
};

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: text,
});
const HEADERS = [
  header('webhook-id', 'The same whenever the same event is sent again'),
  header('webhook-timestamp', 'When this request was made, in Unix seconds'),
  header(
    'webhook-signature',
    'As Standard Webhooks has it: `v1,` and a HMAC with SHA-256; several are separated by spaces',
  ),
];

/** The requests that webhooks get, for the OpenAPI document. */
export const webhookRequests = Object.fromEntries(
  [...WEBHOOK_EVENTS, 'rule.applied' as const].map((event) => [event, { post: requestOf(event) }]),
);

function requestOf(event: ToldEvent): object {
  const { summary, parts } = EVENTS[event];
  const data = whole(Object.fromEntries(parts.map((part) => [part, PARTS[part]])));
  const schema = whole({ type: { const: event }, timestamp: time, data });
  return {
    summary,
    operationId: event,
    description:
      'Webhooks of the kind `custom` get this. The others get a message in the form of their service, unsigned.',
    parameters: HEADERS,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'Accepted. Every other answer is a failure, and the event is sent again later.' },
    },
  };
}
