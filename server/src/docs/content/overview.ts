import manifest from '../../../package.json' with { type: 'json' };
import { limitsTable } from '../../http/limit-words.ts';
import type { Limits } from '../../http/limits.ts';
import type { DocOverview } from '../contract.ts';

/** The page that leads to the others, with the limits in force. */
export const overview = (limits: Limits): DocOverview => ({
  title: 'Parley documentation',
  description: 'Put a chat on your website, and answer your visitors from one inbox.',
  version: manifest.version,
  sections: [
    {
      id: 'quick-start',
      title: 'Quick start',
      text: ['From nothing to the first answered message takes about two minutes.'],
      items: [
        'Create an account and choose `Add Website`: a name, and the domain your visitors see in the address bar.',
        'Copy the script tag from the `Embed Code` tab and paste it just before the closing body tag of your pages.',
        'Open your website and write a message in the chat, as a visitor would.',
        'Open the `Chat Inbox`, claim the chat and answer. The answer is there at once.',
      ],
    },
    {
      id: 'how-it-works',
      title: 'How it works',
      text: [
        'The script tag loads a small launcher. The chat itself is fetched when a visitor means to use it. Messages travel over one connection in both directions; where a network blocks WebSockets, over plain HTTP.',
        'Every message is named by its sender and stored before it is acknowledged. A lost connection, a closed laptop or a restarted server never loses or doubles one: whoever was away gets what was missed, in order.',
      ],
    },
    {
      id: 'chats',
      title: 'The life of a chat',
      text: ['A chat is `waiting` until somebody of the team takes it, then `active`, and in the end `closed`.'],
      items: [
        '`Claim` makes you the one who answers. Two people can press it at the same time: one gets the chat, the other is told who has it.',
        'The first answer to a waiting chat claims it. A colleague may answer too, without taking the chat over.',
        'A chat can be transferred to a colleague, or handed back so that it waits again.',
        'When a visitor writes after a chat was closed, a new one begins.',
      ],
    },
    {
      id: 'roles',
      title: 'Who may do what',
      text: ['A team belongs to one website. Each member has a role there.'],
      items: [
        '`Admin`: everything, the settings of the website and its team included.',
        '`Agent`: claims, answers, notes, tags, transfers and closes chats.',
        '`Viewer`: reads chats, history and exports, and writes nothing.',
        'The owner is an admin who cannot be removed. Only the owner deletes a website or hands it over.',
      ],
    },
    {
      id: 'limits',
      title: 'Limits',
      text: ['They keep one visitor or script from getting in the way of all the others.'],
      items: [
        '3 websites for each account; teams of others do not count.',
        '5,000 characters in a message, 10 MB in a file.',
        '50 million pixels in a photo, which comes out 4,096 pixels a side at most; 16 million in a WebP, and 10 million in all frames of what moves.',
        'Faster than the table allows is answered with the status 429, which says in `Retry-After` how many seconds to wait; more than it allows to be kept, with 413.',
        'Whoever runs this Parley can change each number of the table.',
      ],
      table: limitsTable(limits),
    },
  ],
});
