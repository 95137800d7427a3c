import { IDENTITY_TOKEN_MAX_HOURS } from '#features/visitors/contract';
import { DOC_ORIGIN, DOC_WIDGET_CODE, type DocExamples } from '../contract.ts';

const API = `${DOC_ORIGIN}/api`;

/** Complete examples. The steps of a tutorial run one after the other in one script. */
export const examples: DocExamples = {
  title: 'Examples',
  description: 'Complete examples, step by step. All of the code here is run against the server before each release.',
  sections: [
    {
      id: 'before-you-begin',
      title: 'Before you begin',
      text: [
        `The examples are JavaScript modules for a browser or Node.js. Replace \`${DOC_ORIGIN}\` by the address of your Parley, and the words in capital letters by your own values.`,
      ],
    },
  ],
  tutorials: [
    {
      id: 'answer-from-a-script',
      title: 'Answer a chat from a script',
      description: 'Take the chat that has waited longest, answer it, and close it.',
      steps: [
        {
          title: 'Send your API key',
          text: 'Create one under `Settings` and `Security`, with the permission `Read and reply`. It goes into the `Authorization` header of every call.',
          code: {
            language: 'js',
            code: `async function call(method, path, body) {
  const response = await fetch('${API}' + path, {
    method,
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer YOUR_API_KEY' },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!answer.success) throw new Error(answer.code + ': ' + answer.message);
  return answer.data;
}`,
          },
        },
        {
          title: 'Find the chats that wait',
          text: 'Lists are sorted by the latest activity and have 50 entries; `nextCursor` is for the next page.',
          code: {
            language: 'js',
            code: `const { chats, nextCursor } = await call('GET', '/chats?status=waiting');
const chat = chats.at(-1);`,
          },
        },
        {
          title: 'Answer',
          text: 'The first answer claims the chat. With a `clientId` of your own you can safely send the same message again if you got no answer: it is stored once.',
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
          text: 'Closing a closed chat again changes nothing.',
          code: { language: 'js', code: `await call('POST', '/chats/' + chat._id + '/close');` },
        },
      ],
    },
    {
      id: 'write-as-a-visitor',
      title: 'Write as a visitor, without the widget',
      description: 'For an app of your own whose messages arrive in the same inbox.',
      steps: [
        {
          title: 'Open a session',
          text: 'Keep the `visitorToken` on the device and send it the next time, to continue the conversation. Put your app and its system into `User-Agent`: visitors that look like bots are not in the lists.',
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
          text: 'You can send it several times with the same `clientId`; it is stored once.',
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
      id: 'prove-who-visitors-are',
      title: 'Prove who your visitors are',
      description:
        'For websites that people sign in to: the team sees who is `Verified`, and nobody can pretend to be someone else.',
      steps: [
        {
          title: 'Copy the secret',
          text: 'You find it in the settings of the website, under General, More, `Identity verification`. Keep it on your server only.',
        },
        {
          title: 'Sign a token on your server',
          text: `For the signed-in person, on each page: a JWT (HS256) whose \`sub\` is your own id of the person. \`exp\` is required, at most ${IDENTITY_TOKEN_MAX_HOURS} hours ahead; \`name\` and \`email\` in it are verified, too. This example is Node.js without a library.`,
          code: {
            language: 'js',
            code: `import { createHmac } from 'node:crypto';

function identityToken({ id, name, email }) {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const text = part({ alg: 'HS256', typ: 'JWT' }) + '.' + part({ sub: String(id), name, email, exp });
  return text + '.' + createHmac('sha256', 'YOUR_IDENTITY_SECRET').update(text).digest('base64url');
}

const token = identityToken({ id: 42, name: 'Mina Park', email: 'mina@example.com' });`,
          },
        },
        {
          title: 'Put it into the page',
          text: 'Your server writes the token into the page. When people sign out, call `Parley.logout()`.',
          code: {
            language: 'html',
            code: `<script>
  window.Parley = window.Parley || [];
  Parley.push(['identify', { token: 'SIGNED_TOKEN' }]);
</script>`,
          },
        },
        {
          title: 'Require it',
          text: 'Switch `Identity verification` on: then `identify` without a valid token is refused.',
        },
      ],
    },
    {
      id: 'count-unread',
      title: 'Show unread answers on your page',
      description: 'The number of unread answers in your own menu.',
      steps: [
        {
          title: 'Add an element for it',
          text: 'Anywhere on a page with the widget.',
          code: { language: 'html', code: `<a href="#" id="chat-link">Chat <span id="chat-count"></span></a>` },
        },
        {
          title: 'Listen to the events',
          text: 'The queue also works before the script has loaded.',
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
