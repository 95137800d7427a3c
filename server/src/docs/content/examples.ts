import { DOC_ORIGIN, DOC_WIDGET_CODE, type DocExamples } from '../contract.ts';

const API = `${DOC_ORIGIN}/api`;

/** Whole ways, step by step; the steps of one tutorial run one after the other in one script. */
export const examples: DocExamples = {
  title: 'Examples',
  description:
    'Whole ways from a wish to its fulfilment. Every line here is run against the server before each release.',
  sections: [
    {
      id: 'before-you-begin',
      title: 'Before you begin',
      text: [
        `The examples are JavaScript modules for a browser or Node.js. Put the address of your Parley in place of \`${DOC_ORIGIN}\`, and your own values in place of the words in capital letters.`,
      ],
    },
  ],
  tutorials: [
    {
      id: 'answer-from-a-script',
      title: 'Answer a chat from a script',
      description: 'Log in, take the chat that has waited longest, answer it and close it.',
      steps: [
        {
          title: 'Log in',
          text: 'The token goes into the `Authorization` header of every other call.',
          code: {
            language: 'js',
            code: `async function call(method, path, body) {
  const response = await fetch('${API}' + path, {
    method,
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: 'Bearer ' + token }) },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!answer.success) throw new Error(answer.code + ': ' + answer.message);
  return answer.data;
}

let token = null;
({ token } = await call('POST', '/auth/login', { email: 'YOUR_EMAIL', password: 'YOUR_PASSWORD' }));`,
          },
        },
        {
          title: 'Find who waits',
          text: 'Lists come with the latest activity first, 50 at a time; `nextCursor` leads to the next page.',
          code: {
            language: 'js',
            code: `const { chats, nextCursor } = await call('GET', '/chats?status=waiting');
const chat = chats.at(-1);`,
          },
        },
        {
          title: 'Answer',
          text: 'The first answer claims the chat. A `clientId` of your own makes it safe to send the same message again after a lost answer: it is stored once.',
          code: {
            language: 'js',
            code: `const { message } = await call('POST', '/chats/' + chat._id + '/messages', {
  content: 'Hello, how can I help you?',
  clientId: crypto.randomUUID(),
});`,
          },
        },
        {
          title: 'Close it',
          text: 'A closed chat stays closed; closing it again changes nothing.',
          code: { language: 'js', code: `await call('POST', '/chats/' + chat._id + '/close');` },
        },
      ],
    },
    {
      id: 'write-as-a-visitor',
      title: 'Write as a visitor, without the widget',
      description: 'For an app of your own that shall reach the same inbox.',
      steps: [
        {
          title: 'Open a session',
          text: 'Keep the `visitorToken` on the device, and send it along the next time: it resumes the conversation. Name your app and its system in `User-Agent`: what looks like a bot is left out of the lists.',
          code: {
            language: 'js',
            code: `const widget = '${API}/widget/${DOC_WIDGET_CODE}';
const session = await fetch(widget + '/session', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', 'User-Agent': 'MyShopApp/1.0 (Android 15)' },
  body: JSON.stringify({ visitor: { name: 'Mina Park' } }),
}).then((response) => response.json());
const { visitorToken } = session.data;`,
          },
        },
        {
          title: 'Send a message',
          text: 'Under the same `clientId` it can be sent as often as the line needs it.',
          code: {
            language: 'js',
            code: `const sent = await fetch(widget + '/messages', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', Authorization: 'Bearer ' + visitorToken },
  body: JSON.stringify({ clientId: crypto.randomUUID(), content: 'Do you ship to Spain?' }),
}).then((response) => response.json());`,
          },
        },
      ],
    },
    {
      id: 'count-unread',
      title: 'Show unread answers on your page',
      description: 'A number in your own menu that follows the chat.',
      steps: [
        {
          title: 'Make a place for it',
          text: 'Anywhere on the page that carries the widget.',
          code: { language: 'html', code: `<a href="#" id="chat-link">Chat <span id="chat-count"></span></a>` },
        },
        {
          title: 'Follow the events',
          text: 'The queue works before the script has loaded, too.',
          code: {
            language: 'js',
            code: `window.Parley = window.Parley || [];
Parley.push(['on', 'unread', (count) => {
  document.querySelector('#chat-count').textContent = count || '';
}]);
document.querySelector('#chat-link').addEventListener('click', (event) => {
  event.preventDefault();
  Parley.push(['open']);
});`,
          },
        },
      ],
    },
  ],
};
