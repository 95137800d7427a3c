import { IDENTITY_TOKEN_MAX_HOURS } from '../../visitors/contract.ts';
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
      id: 'prove-who-visitors-are',
      title: 'Prove who your visitors are',
      description:
        'For websites that people sign in to: the team sees who is `Verified`, and nobody can pass for another.',
      steps: [
        {
          title: 'Take the secret',
          text: 'It stands in the settings of the website, General, More, below `Identity verification`. Only your server may know it.',
        },
        {
          title: 'Sign a token on your server',
          text: `For whoever is signed in, at each page: a JWT by HS256 whose \`sub\` is your own id of the person. \`exp\` is needed, and at most ${IDENTITY_TOKEN_MAX_HOURS} hours ahead; \`name\` and \`email\` are proved along with it. Here without a library, in Node.js.`,
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
          title: 'Hand it to the page',
          text: 'Your server writes the token into the page. Where people sign out, call `Parley.logout()`.',
          code: {
            language: 'html',
            code: `<script>
  window.Parley = window.Parley || [];
  Parley.push(['identify', { token: 'SIGNED_TOKEN' }]);
</script>`,
          },
        },
        {
          title: 'Ask for it always',
          text: 'Switch `Identity verification` on: from then on `identify` without a good token is refused.',
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
